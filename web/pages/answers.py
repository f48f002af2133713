"""Answers in HTML, and errors as a page for people or a problem document for programs."""

import re
from functools import partial

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from arena.errors import ArenaError
from web.errors import PROBLEM_TYPE, problem, title_of
from web.security import form_token, give_cookie, request_id

API = "/api/"
THEMES = frozenset({"light", "dark"})
RETRY_SECONDS = 5
BATTLE = re.compile(r"/battles/[A-Za-z0-9_-]+(?=/)")


def page(
    request: Request,
    template: str,
    *,
    status_code: int = 200,
    headers: dict[str, str] | None = None,
    **context: object,
) -> HTMLResponse:
    """Return a page. The layout's own context may be overridden: `section`, `json_twin`, `footer`."""
    templates: Environment = request.app.state.templates
    theme = request.cookies.get("theme")
    layout: dict[str, object] = {
        "theme": theme if theme in THEMES else None,
        "section": None,
        "json_twin": None,
        "footer": None,
        "csrf": partial(form_token, request),
    }
    text = templates.get_template(template).render(layout | context)
    response = HTMLResponse(text, status_code=status_code, headers=headers)
    give_cookie(request, response)
    return response


def error_response(
    request: Request, error: ArenaError, headers: dict[str, str] | None = None
) -> Response:
    """Return an error: a problem document under /api/, a page elsewhere."""
    headers = {"Cache-Control": "no-store"} | (headers or {})
    if error.status == 503:
        headers["Retry-After"] = str(RETRY_SECONDS)
    document = problem(error, request_id(request))
    if request.url.path.startswith(API):
        return JSONResponse(document, error.status, headers=headers, media_type=PROBLEM_TYPE)
    battle = BATTLE.match(request.url.path)
    return page(
        request,
        "error.html",
        status_code=error.status,
        headers=headers,
        title=title_of(error),
        detail=document["detail"],
        request_id=document["request_id"],
        back=battle[0] if battle else None,
    )
