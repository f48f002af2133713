"""The application: its parts, its pages, and the one place where errors become answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import structlog
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from arena import voting
from arena.errors import ArenaError, InputError, UnavailableError
from arena.log import set_up_logging
from arena.settings import Settings
from arena.wiring import OUTAGES, Wiring, open_wiring
from web import boards, health, method, models, pairs, runs, start
from web import voting as voting_pages
from web.errors import (
    BadRequestError,
    FailedError,
    TooLargeError,
    UnknownPageError,
    WrongMethodError,
)
from web.forms import describe
from web.pages import Assets, error_response, open_templates
from web.rendering import Renderer
from web.security import Envelope, Guard, protect_failure

LEAST_PACKED_BYTES = 1000
HTTP_ERRORS: dict[int, ArenaError] = {
    404: UnknownPageError("No page has this address. What moved is found from the list of boards."),
    405: WrongMethodError("This address does not take that method."),
    413: TooLargeError("The request's body is larger than any form here needs."),
}

log = structlog.get_logger(__name__)
static = APIRouter(include_in_schema=False)


def create_app(wiring: Wiring | None = None) -> FastAPI:
    """Return the site. Without parts handed in it opens its own from the environment."""
    if wiring is None:
        settings = Settings()
        set_up_logging(settings)
        wiring = open_wiring(settings, application="arena web")
    app = FastAPI(
        title="Holistic Arena",
        version="1",
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.wiring = wiring
    app.state.writer = voting.VoteWriter(wiring.libpq_url)
    app.state.generator = voting.open_generator()
    app.state.meters = health.Meters()
    app.state.assets = Assets()
    app.state.templates = open_templates(app.state.assets)
    app.state.renderer = Renderer()
    add_layers(app, wiring)
    add_error_answers(app)
    for part in (health, start, voting_pages, boards, pairs, models, runs, method):
        app.include_router(part.router)
    app.include_router(static)
    return app


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Keep the writer of votes open while the site is."""
    async with app.state.writer:
        yield


def add_layers(app: FastAPI, wiring: Wiring) -> None:
    """Put the layers around the pages; the last one added is the outermost."""
    public = urlsplit(wiring.settings.public_url or "")
    app.add_middleware(GZipMiddleware, minimum_size=LEAST_PACKED_BYTES)
    app.add_middleware(Guard, refuse=error_response, public_host=public.netloc or None)
    app.add_middleware(Envelope, seen=app.state.meters.see, is_https=public.scheme == "https")


def add_error_answers(app: FastAPI) -> None:
    """Make an answer of every error that can leave a page."""
    app.add_exception_handler(ArenaError, on_arena_error)
    app.add_exception_handler(RequestValidationError, on_bad_input)
    app.add_exception_handler(HTTPException, on_http_error)
    for outage in OUTAGES:
        app.add_exception_handler(outage, on_outage)
    app.add_exception_handler(Exception, on_failure)


def on_arena_error(request: Request, error: Exception) -> Response:
    """Answer with the status and the sentence that the error brings."""
    assert isinstance(error, ArenaError)
    return error_response(request, error)


def on_bad_input(request: Request, error: Exception) -> Response:
    """Answer 422 and name what was wrong, without sending back what came."""
    assert isinstance(error, RequestValidationError)
    return error_response(request, InputError(describe(error)))


def on_http_error(request: Request, error: Exception) -> Response:
    """Answer what the router refused: an unknown address, a wrong method, a body it could not read."""
    assert isinstance(error, HTTPException)
    ours = HTTP_ERRORS.get(error.status_code)
    if ours is None:
        ours = BadRequestError("The request cannot be read as HTTP or JSON.")
    headers = dict(error.headers) if error.headers else None
    return error_response(request, ours, headers)


def on_outage(request: Request, error: Exception) -> Response:
    """Answer 503: a server we stand on is away, and asking again will help."""
    log.warning("a server is away", reason=type(error).__name__)
    message = "A server behind this page does not answer just now. Nothing was lost; try again."
    return error_response(request, UnavailableError(message))


def on_failure(request: Request, error: Exception) -> Response:
    """Answer 500 and say only under which id the log has the rest."""
    log.error("failed", exc_info=error)
    message = (
        "This was our fault, and it is in the log under the number below. Nothing was half done."
    )
    response = error_response(request, FailedError(message))
    protect_failure(request, response)
    return response


@static.get("/static/{name}")
async def read_static(request: Request, name: str) -> Response:
    """Return the sheet, the script or the mark."""
    assets: Assets = request.app.state.assets
    asset = assets.find(request.url.path)
    if asset is None:
        raise UnknownPageError(f"No file of this site has this address now: {name[:80]}.")
    return asset.answer(request)
