"""The first page: which boards there are and how open their first place is, or how to begin."""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from arena import leaderboard
from arena.wiring import Wiring
from web.pages import page

TWIN = "/api/v1/boards"

router = APIRouter()


@router.get("/", response_class=HTMLResponse, include_in_schema=False)
def show(request: Request) -> Response:
    """Show all boards, the one with most to tell in full."""
    wiring: Wiring = request.app.state.wiring
    with wiring.sessions() as session:
        cards = leaderboard.read_boards(session)
    if not cards:
        rows = leaderboard.certainties()
        return page(request, "index_empty.html", section="boards", json_twin=TWIN, rows=rows)
    first, *others = cards
    return page(request, "index.html", section="boards", json_twin=TWIN, first=first, others=others)
