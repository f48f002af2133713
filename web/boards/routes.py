"""A board at its address: as a page, as JSON, as CSV and as a drawing."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from jinja2 import Environment
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena import leaderboard
from arena.leaderboard import BoardCard, BoardView
from arena.wiring import Wiring
from web.boards import files
from web.boards.asking import Format, Wanted, WantedPage
from web.boards.judged import sections_of
from web.boards.table import table_of
from web.forms import Name
from web.pages import page

router = APIRouter(tags=["boards"])


@router.get("/boards/{board}", response_class=HTMLResponse, include_in_schema=False)
def show(request: Request, board: Name, wanted: Annotated[WantedPage, Query()]) -> Response:
    """Show a board, or hand it over as a file."""
    twin = f"{api_address(board)}{wanted.link()}"
    if wanted.format is Format.JSON:
        return RedirectResponse(twin, status_code=307)
    view = _read(request, board, wanted)
    if wanted.format is Format.CSV:
        return _download(view, files.as_csv(view), "csv", "text/csv; charset=utf-8")
    if wanted.format is Format.SVG:
        return _download(view, _drawn(request, view), "svg", "image/svg+xml")
    if view.run is None:
        return _empty(request, view, twin)
    return page(
        request,
        "board.html",
        section="boards",
        json_twin=twin,
        view=view,
        wanted=wanted,
        table=table_of(view, wanted),
        judged=sections_of(view),
    )


@router.get("/api/v1/boards")
def list_json(request: Request) -> tuple[BoardCard, ...]:
    """Return all boards, each with what was found on it."""
    with _wiring(request).sessions() as session:
        return leaderboard.read_boards(session)


@router.get("/api/v1/boards/{board}")
def show_json(request: Request, board: Name, wanted: Annotated[Wanted, Query()]) -> BoardView:
    """Return a board: its newest rating run by one source, another source's ranks, and cells, each absence with its reason."""
    return _read(request, board, wanted)


def api_address(board: str) -> str:
    """Return where a board's JSON is."""
    return f"/api/v1/boards/{quote(board, safe='')}"


def _empty(request: Request, view: BoardView, twin: str) -> Response:
    return page(
        request,
        "board_empty.html",
        section="boards",
        json_twin=twin,
        view=view,
        rows=leaderboard.certainties(),
    )


def _read(request: Request, board: str, wanted: Wanted) -> BoardView:
    with _wiring(request).sessions() as session:
        return leaderboard.read_board(session, board, wanted.asked())


def _drawn(request: Request, view: BoardView) -> str:
    templates: Environment = request.app.state.templates
    return templates.get_template("board.svg").render(chart=files.chart_of(view), view=view)


def _download(view: BoardView, content: str, ending: str, kind: str) -> Response:
    named = f"inline; filename*=UTF-8''{quote(view.board.name, safe='')}.{ending}"
    return Response(content, media_type=kind, headers={"Content-Disposition": named})


def _wiring(request: Request) -> Wiring:
    wiring: Wiring = request.app.state.wiring
    return wiring
