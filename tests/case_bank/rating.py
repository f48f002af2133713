"""Cases of ratings, told apart by the shape of their input."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from arena.rating_runs.fitting import Method, rate
from arena.terms import RatingStatus
from ranking import wilson
from tests.arena.rating_runs.counting import count
from tests.case_bank import imports, large_board, style_cases, votes_in
from tests.case_bank.board_checks import Board, check_board, votes_of
from tests.case_bank.place import Place

Case = dict[str, Any]
Given = Mapping[str, Any]


def run_case(case: Case, place: Place) -> str | None:
    """Run one case by the shape of its input."""
    given, expected = case["input"], case["expected"]
    if "raw_win_rate" in given:
        return style_cases.check(given, expected)
    if "rows" in given and not all(isinstance(row, str) for row in given["rows"]):
        return imports.run_case(case, place)
    for word, check in CHECKS.items():
        if word in given:
            return check(given, expected, place)
    raise AssertionError(f"no check for an input of {', '.join(given)}")


def check_battles(given: Given, expected: Given, place: Place) -> None:
    """Small boards are written out, large ones described in words."""
    if isinstance(given["battles"], str):
        large_board.check(given, expected)
    else:
        check_board(Board(given, expected))


def check_proportion(given: Given, expected: Given, place: Place) -> None:
    """Scores of 0 and 1 have a mean and an interval of some width, whatever they are."""
    assert set(expected) == {"mean", "ci", "ci_tol", "method", "nan_in_json"}
    scores = given["cell_scores"]
    assert expected["method"] == "Wilson"
    assert sum(scores) / len(scores) == expected["mean"]
    for end, wanted in zip(wilson(sum(scores), len(scores)), expected["ci"], strict=True):
        assert abs(end - wanted) <= expected["ci_tol"]


def check_newcomer(given: Given, expected: Given, place: Place) -> None:
    """A model is registered, without a vote; nobody else may move."""
    assert set(expected) == {"max_abs_change_existing", "newcomer"}
    votes = votes_of(given["step1"])
    (name,) = re.findall(r"register model (\S+) with 0 battles", given["step2"])
    before = rate(count(*votes), Method(rounds=100))
    after = rate(replace(count(*votes), models=(*count(*votes).models, name)), Method(rounds=100))
    for row, same in zip(before.models, after.models, strict=False):
        assert row.model == same.model
        assert abs(row.rating - same.rating) <= expected["max_abs_change_existing"]
    newcomer = after.models[-1]
    wanted = expected["newcomer"]
    assert (newcomer.model, newcomer.rating) == (name, wanted["rating"])
    assert newcomer.status is RatingStatus.DISCONNECTED
    assert newcomer.reason == wanted["label"]
    assert (newcomer.rank is not None) is wanted["in_rank_order"]


CHECKS: dict[str, Callable[[Given, Given, Place], None]] = {
    "battles": check_battles,
    "step1": check_newcomer,
    "cell_scores": check_proportion,
    "enabled_models": votes_in.check_one_model,
    "events": votes_in.check_events,
    "rows": votes_in.check_labels,
}
