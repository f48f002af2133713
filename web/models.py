"""One model: where it stands, how that came about, whom it beats, and its cells."""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from arena import leaderboard
from arena.leaderboard import ModelView, OnBoard
from arena.wiring import Wiring
from web.charts import Span
from web.forms import Name
from web.history import Step, history
from web.pages import json_address, page

router = APIRouter(tags=["models"])


@router.get("/models/{model:path}", response_class=HTMLResponse, include_in_schema=False)
def show(request: Request, model: Name, board: Name | None = None) -> HTMLResponse:
    """Show a model on the board that is asked for, or on its first one."""
    view = read(request, model, board)
    return page(
        request,
        "model.html",
        section="boards",
        json_twin=json_address(request),
        view=view,
        chart=chart_of(view.shown) if view.shown else None,
        reach=reach_of(view.shown) if view.shown else 0,
    )


@router.get("/api/v1/models/{model:path}")
def show_json(request: Request, model: Name, board: Name | None = None) -> ModelView:
    """Return a model on the board that is asked for, or on its first one."""
    return read(request, model, board)


def read(request: Request, model: str, board: str | None) -> ModelView:
    """Return what is known of a model."""
    wiring: Wiring = request.app.state.wiring
    with wiring.sessions() as session:
        return leaderboard.read_model(session, model, board or None)


def chart_of(shown: OnBoard) -> str | None:
    """Return the chart of its rating over time, if there are two runs to draw a line between."""
    if shown.standing is None or len(shown.history) < 2:
        return None
    steps = [
        Step(each.preferences, Span(each.lower, each.rating, each.upper)) for each in shown.history
    ]
    return history(shown.standing.model, steps)


def reach_of(shown: OnBoard) -> float:
    """Return a round number of points that holds all differences to other models."""
    ends = [
        abs(end)
        for pair in shown.against
        if pair.difference
        for end in (pair.difference.lower, pair.difference.upper)
    ]
    return 100.0 * (1 + max(ends, default=0.0) // 100)
