"""The record behind a number: a run of a scenario, or a rating run."""

import json
from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import HTMLResponse

from arena import leaderboard
from arena.leaderboard import RatingRunView, RunView, said_of_reading
from arena.wiring import Wiring
from web.forms import LONGEST_NAME, Name
from web.pages import json_address, page
from web.pages.methods import MethodWords

# The largest number that Postgres can look up.
LARGEST = 2**63 - 1
SHOWN_ITEMS = 100
SHOWN_LETTERS = 20_000
Number = Annotated[int, Path(ge=1, le=LARGEST)]
Reading = Annotated[Name, Query(max_length=LONGEST_NAME)]

router = APIRouter(tags=["runs"])


@router.get("/runs/{run}", response_class=HTMLResponse, include_in_schema=False)
def show(request: Request, run: Number) -> HTMLResponse:
    """Show a run of a scenario with its scores and items."""
    view = read(request, run)
    return page(
        request,
        "run.html",
        section="boards",
        json_twin=json_address(request),
        view=view,
        shown_items=SHOWN_ITEMS,
        marks=list(dict.fromkeys(name for item in view.items for name in item.marks)),
        adaptation=written(view.adaptation),
        record=written(view.record) if view.record else "",
    )


@router.get("/api/v1/runs/{run}")
def show_json(request: Request, run: Number) -> RunView:
    """Return a run of a scenario with its scores and all its items."""
    return read(request, run)


@router.get("/rating-runs/{run}", response_class=HTMLResponse, include_in_schema=False)
def show_rating_run(request: Request, run: Number, reading: Reading = "") -> HTMLResponse:
    """Show a rating run: its inputs, its method and what it found, or found by another reading."""
    view = read_rating_run(request, run, reading)
    return page(
        request,
        "rating_run.html",
        section="boards",
        json_twin=json_address(request),
        view=view,
        method=None if view.run is None else MethodWords(view.run),
        said_of_reading=said_of_reading,
    )


@router.get("/api/v1/rating-runs/{run}")
def show_rating_run_json(request: Request, run: Number, reading: Reading = "") -> RatingRunView:
    """Return a rating run with its inputs, its method and the rating of every model, or what another reading gives."""
    return read_rating_run(request, run, reading)


def read(request: Request, run: int) -> RunView:
    """Return a run of a scenario."""
    wiring: Wiring = request.app.state.wiring
    with wiring.sessions() as session:
        return leaderboard.read_run(session, run)


def read_rating_run(request: Request, run: int, reading: str) -> RatingRunView:
    """Return a rating run by its ratings, or by the reading that is named."""
    wiring: Wiring = request.app.state.wiring
    with wiring.sessions() as session:
        return leaderboard.read_rating_run(session, run, reading or None)


def written(document: Mapping[str, object]) -> str:
    """Return a document as indented JSON; of a very long one the beginning, and how much more there is."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    rest = len(text) - SHOWN_LETTERS
    return f"{text[:SHOWN_LETTERS]}\n… {rest:,} more letters in the JSON" if rest > 0 else text
