"""Who met whom on a board, and two of its models against each other."""

from typing import assert_never

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from arena import leaderboard
from arena.leaderboard import AskedPairs, PairOrder, PairsView, PairView, Verdict
from arena.wiring import Wiring
from web.charts import Span, seen_and_expected
from web.forms import Name
from web.pages import json_address, page

SHADES = 9

router = APIRouter(tags=["boards"])


@router.get("/boards/{board}/pairs", response_class=HTMLResponse, include_in_schema=False)
def show(
    request: Request,
    board: Name,
    *,
    source: Name | None = None,
    order: PairOrder = PairOrder.RATING,
    model: Name | None = None,
    other: Name | None = None,
) -> HTMLResponse:
    """Show the matrix of the models with most battles, and two of them against each other."""
    asked = AskedPairs(source=source, order=order, model=model or None, other=other or None)
    view = read(request, board, asked)
    return page(
        request,
        "pairs.html",
        section="boards",
        json_twin=json_address(request),
        view=view,
        order=order,
        shade=shade,
        verdict=said_of,
        chart=chart_of(view.chosen) if view.chosen else None,
    )


@router.get("/api/v1/boards/{board}/pairs")
def show_json(
    request: Request,
    board: Name,
    source: Name | None = None,
    order: PairOrder = PairOrder.RATING,
) -> PairsView:
    """Return every pair that met, with the matrix of the models with most battles."""
    return read(request, board, AskedPairs(source=source, order=order, whole=True))


def read(request: Request, board: str, asked: AskedPairs) -> PairsView:
    """Return who met whom."""
    wiring: Wiring = request.app.state.wiring
    with wiring.sessions() as session:
        return leaderboard.read_pairs(session, board, asked)


def shade(share: float) -> int:
    """Return the shade of a share: the lowest for none, the highest for all, the middle one for a half."""
    return min(int(share * SHADES), SHADES - 1)


def said_of(pair: PairView) -> str:
    """Return what is sure of two models with one error for all pairs of the board."""
    verdict = Verdict.UNKNOWN if pair.difference is None else pair.difference.surely
    match verdict:
        case Verdict.ABOVE:
            return f"{pair.model} is surely above"
        case Verdict.BELOW:
            return f"{pair.other} is surely above"
        case Verdict.OPEN:
            return "not settled: neither is surely above"
        case Verdict.UNKNOWN:
            return "not known: the rating run is older than this verdict"
        case _:
            assert_never(verdict)


def chart_of(pair: PairView) -> str | None:
    """Return what was seen of a pair beside what was to be expected, if anything was."""
    if pair.seen is None:
        return None
    expected = pair.difference.expected if pair.difference else None
    return seen_and_expected(
        Span(pair.seen.lower, pair.seen.value, pair.seen.upper),
        Span(expected.lower, expected.value, expected.upper)
        if expected
        else Span(None, None, None),
    )
