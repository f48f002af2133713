"""Cases of numbers: shared places, rounding that keeps the order, and what is absent comes last."""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from arena.cli.rank_table import cells_of
from arena.hygiene import RefusedError
from arena.hygiene.numbers import read_share
from arena.rating_runs.document import as_document
from arena.rating_runs.findings import Findings
from arena.rating_runs.fitting import Method, ModelRating, RatingTable
from arena.rating_runs.placing import Place as Rank
from arena.rating_runs.placing import Points, Standing, join_models
from arena.rating_runs.records import Record
from arena.store.tables import RatingRow, RatingRunRow
from arena.terms import RatingStatus, RunState
from arena.wiring import Wiring
from ranking import competition_ranks
from tests.arena.rows import add_board, add_models
from tests.case_bank.place import Place

Case = dict[str, Any]
RECORD = Record(wins=0, losses=0, ties=0, both_bad=0, opponents=0)


def run_case(case: Case, place: Place) -> str | None:
    """Run one case by the shape of its input."""
    given, expected = case["input"], case["expected"]
    if "values" in given:
        return check_shares(given["values"], expected)
    if "scores" in given:
        return check_shared_places(given["scores"], expected)
    if all(isinstance(each, Mapping) for each in given["ratings"]):
        return check_rounding(given["ratings"], expected)
    return check_absent_last(given["ratings"], expected, place)


def check_shared_places(scores: Mapping[str, float], expected: Mapping[str, Any]) -> None:
    """Equal scores share a place, and the next one is counted on."""
    ranks = competition_ranks(np.array(list(scores.values()), dtype=np.float64))
    assert dict(zip(scores, ranks.tolist(), strict=True)) == expected["ranks"]


def check_shares(values: list[object], expected: Mapping[str, Any]) -> None:
    """A share is between 0 and 1; what may be a percentage is refused, since nothing says that it is one."""
    stored: list[float | None] = []
    reasons = []
    for value in values:
        try:
            stored.append(read_share(value))
        except RefusedError as error:
            stored.append(None)
            reasons.append(error.reason.replace("_", " "))
    assert stored == expected["stored"]
    assert reasons == [expected["reason"]] * expected["rejected"]


def check_rounding(ratings: list[dict[str, Any]], expected: Mapping[str, Any]) -> None:
    """The order is by the whole numbers; what is shown rounds all three by one rule, so it cannot cross."""
    assert expected["json_has_full_precision"]
    assert expected["page_rounding_same_rule_everywhere"]
    rows = rated({each["m"]: Points(0.0, each["r"], *each["ci"]) for each in ratings})
    assert [row.model for row in rows] == expected["order"]
    document = json.loads(json.dumps(as_document(table_of(rows)), allow_nan=False))
    for each in ratings:
        (found,) = [row for row in document["models"] if row["model"] == each["m"]]
        assert [found["rating"], found["lower"], found["upper"]] == [each["r"], *each["ci"]]
    for row in rows:
        cells = cells_of(row)
        rating, interval = cells["rating"], cells["interval"]
        lower, upper = (float(end) for end in interval.split(" to "))
        assert lower <= float(rating) <= upper
    shown = [float(cells_of(row)["rating"]) for row in rows]
    assert shown == sorted(shown, reverse=True)


def check_absent_last(
    ratings: list[float | str | None], expected: Mapping[str, Any], place: Place
) -> None:
    """A rating that is none has no place in the order; NaN is refused by the database itself."""
    assert expected["NaN_never_stored"]
    assert_no_nan_is_stored(place.wiring)
    points = {}
    for number, rating in enumerate(ratings):
        known = rating is not None and math.isfinite(float(rating))
        points[f"m{number}"] = Points(0.0, float(rating)) if known else Points()
    assert [row.rating for row in rated(points)] == expected["order_desc"]


def assert_no_nan_is_stored(wiring: Wiring) -> None:
    with wiring.sessions.begin() as session:
        board = add_board(session)
        model = add_models(session, "ash")["ash"]
        run = RatingRunRow(board_id=board.id, state=RunState.REQUESTED)
        session.add(run)
        session.flush()
        values = {
            "rating_run_id": run.id,
            "model_id": model.id,
            "strength": 0.0,
            "rating": math.nan,
            "status": RatingStatus.RATED,
            **dict.fromkeys(("battles", "wins", "losses", "ties", "both_bad"), 0),
        }
        with pytest.raises(IntegrityError, match="finite"), session.begin_nested():
            session.execute(insert(RatingRow).values(values))


def rated(points: Mapping[str, Points]) -> tuple[ModelRating, ...]:
    """Return rows as a board orders them: by rank, the ones without a rating last."""
    names = tuple(points)
    known = [number for number, each in enumerate(points.values()) if each.rating is not None]
    ratings = np.array([each.rating for each in points.values() if each.rating is not None])
    ranks = dict(zip(known, competition_ranks(ratings).tolist(), strict=True))
    return join_models(
        names,
        (RECORD,) * len(names),
        tuple(
            Standing(RatingStatus.RATED)
            if number in ranks
            else Standing(RatingStatus.DISCONNECTED, "absent")
            for number in range(len(names))
        ),
        points=dict(enumerate(points.values())),
        places={number: Rank(rank, rank, rank) for number, rank in ranks.items()},
    )


def table_of(rows: tuple[ModelRating, ...]) -> RatingTable:
    return RatingTable(
        models=rows,
        groups=(),
        excluded={},
        warnings=(),
        covariance=None,
        covariance_models=(),
        degrees=None,
        gradient_norm=None,
        iterations=None,
        rounds_degenerate=None,
        counts_digest="",
        method=Method(),
        findings=Findings(),
    )
