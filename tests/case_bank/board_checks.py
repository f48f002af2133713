"""Checks of a small board: one for each word that a case may expect of it.

A word that no check knows fails, so that nothing is passed over in silence.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.rating_runs.counts import Counts
from arena.rating_runs.document import as_document
from arena.rating_runs.fitting import Method, rate
from arena.terms import BothBad, Outcome
from tests.arena.rating_runs.counting import Vote, count

OUTCOME_OF = {
    "model_a": Outcome.A,
    "model_b": Outcome.B,
    "tie": Outcome.TIE,
    "both_bad": Outcome.BOTH_BAD,
}
POLICY = {"drop": BothBad.EXCLUDE, "tie": BothBad.TIE}
# Words that only explain others, or speak of a server: the same board on a page is tested with the pages.
EXPLANATIONS = {"tol", "ci", "or", "note", "http_5xx"}


@dataclass(frozen=True)
class Board:
    """The votes of a case and what it expects of them."""

    given: Mapping[str, Any]
    expected: Mapping[str, Any]

    @property
    def counts(self) -> Counts:
        return count(*votes_of(self.given["battles"]))

    @property
    def method(self) -> Method:
        return Method(rounds=self.given.get("bootstrap", 300), seed=self.given.get("seed", 0))

    @property
    def tolerance(self) -> float:
        return float(self.expected.get("tol", 0.005))

    def document(self, **changes: Any) -> dict[str, Any]:
        """What `arena rank --json` says; strict JSON, so a NaN is an error."""
        table = rate(self.counts, replace(self.method, **changes))
        found: dict[str, Any] = json.loads(json.dumps(as_document(table), allow_nan=False))
        return found


def votes_of(battles: Sequence[Mapping[str, Any]]) -> list[Vote]:
    return [
        (battle["model_a"], battle["model_b"], OUTCOME_OF[battle["winner"]], battle.get("n", 1))
        for battle in battles
    ]


def rows_of(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["model"]: row for row in document["models"]}


def check_board(board: Board) -> None:
    """Check every word that the case expects, by itself or as the name of a model or a policy."""
    for word, wanted in board.expected.items():
        if word in EXPLANATIONS:
            continue
        check_word(board, word)(board, wanted)


def check_word(board: Board, word: str) -> Callable[[Board, Any], None]:
    names = board.counts.models
    if word in CHECKS:
        return CHECKS[word]
    if word in names:
        return lambda board, wanted: check_flagged(board, word, wanted)
    if (policy := re.fullmatch(r"policy=(\w+)", word)) is not None:
        return lambda board, wanted: check_policy(board, POLICY[policy[1]], wanted)
    if (anchored := re.fullmatch(r"anchored_(.+)", word)) is not None:
        return lambda board, wanted: check_anchored(board, anchored[1], wanted)
    if (pair := re.fullmatch(r"p_(.+)_beats_(.+)", word)) is not None:
        return lambda board, wanted: check_chance(board, (pair[1], pair[2]), wanted)
    raise AssertionError(f"no check for the expected word {word!r}")


def difference(rows: Mapping[str, Mapping[str, Any]], pair: str) -> float:
    """The points between the two models of "ash-birch"; names may hold hyphens themselves."""
    upper = next(
        name for name in rows if pair.startswith(f"{name}-") and pair[len(name) + 1 :] in rows
    )
    return float(rows[upper]["rating"] - rows[pair[len(upper) + 1 :]]["rating"])


def check_differences(board: Board, wanted: Mapping[str, float], **changes: Any) -> None:
    rows = rows_of(board.document(**changes))
    for pair, points in wanted.items():
        assert math.isclose(difference(rows, pair), points, abs_tol=board.tolerance), pair


def check_order(board: Board, wanted: Sequence[str | Sequence[str]]) -> None:
    """Models in one bracket share a place; the next place is counted on."""
    rows, place = rows_of(board.document()), 1
    for group in wanted:
        names = [group] if isinstance(group, str) else group
        assert {rows[name]["rank"] for name in names} == {place}
        place += len(names)


def check_unbounded(board: Board, wanted: Sequence[str]) -> None:
    rows = rows_of(board.document())
    for name in wanted:
        assert rows[name]["status"].startswith("unbounded")
        assert rows[name]["rating"] is None
        assert None in (rows[name]["lower"], rows[name]["upper"])
        assert rows[name]["reason"]


def check_inside(board: Board, wanted: bool) -> None:
    for row in board.document()["models"]:
        lower = -math.inf if row["lower"] is None else row["lower"]
        upper = math.inf if row["upper"] is None else row["upper"]
        assert (lower <= row["rating"] <= upper) is wanted


def check_largest(board: Board, wanted: float) -> None:
    for row in board.document()["models"]:
        for name in ("rating", "lower", "upper"):
            assert row[name] is None or abs(row[name]) <= wanted


def check_flagged(board: Board, name: str, wanted: Mapping[str, Any]) -> None:
    """The flag stands in a warning, with the number of resamples that the interval rests on."""
    (warning,) = [
        text
        for text in board.document()["warnings"]
        if text.startswith(f"{wanted['flag']}: {name} ")
    ]
    rounds, absent, unbounded, left = (int(number) for number in re.findall(r"\d+", warning)[-4:])
    assert rounds == board.method.rounds == absent + unbounded + left
    share = float(wanted["replicates_missing_fraction"].rsplit("=", 1)[-1])
    assert abs(absent / rounds - share) < 4 * math.sqrt(share * (1 - share) / rounds)


def check_policy(board: Board, policy: BothBad, wanted: Mapping[str, Any]) -> None:
    check_differences(board, wanted["elo_diff"], both_bad=policy)
    assert board.document(both_bad=policy)["method"]["both_bad"] == policy


def check_policy_shown(board: Board, wanted: bool) -> None:
    for policy in BothBad:
        assert (board.document(both_bad=policy)["method"]["both_bad"] == policy) is wanted


def anchors_of(board: Board) -> list[tuple[str, float] | None]:
    """The anchors of the fits that a case compares; without any, the pool's mean alone."""
    fits = board.given.get("fit", [{"anchor": None}])
    return [fit["anchor"] and (fit["anchor"]["model"], fit["anchor"]["value"]) for fit in fits]


def check_anchored(board: Board, name: str, wanted: Mapping[str, float]) -> None:
    documents = [board.document(anchor=anchor) for anchor in anchors_of(board) if anchor]
    assert documents
    for document in documents:
        assert rows_of(document)[name]["rating"] == wanted["rating"]


def check_same_differences(board: Board, wanted: float) -> None:
    first, *others = (rows_of(board.document(anchor=anchor)) for anchor in anchors_of(board))
    names = list(first)
    for rows in others:
        for one in names:
            for other in names:
                before = first[one]["rating"] - first[other]["rating"]
                assert abs(rows[one]["rating"] - rows[other]["rating"] - before) <= wanted


def check_same_widths(board: Board, wanted: float) -> None:
    first, *others = (rows_of(board.document(anchor=anchor)) for anchor in anchors_of(board))
    for rows in others:
        for name, row in rows.items():
            width = first[name]["upper"] - first[name]["lower"]
            assert abs(row["upper"] - row["lower"] - width) <= wanted


def check_anchor_named(board: Board, wanted: bool) -> None:
    for anchor in anchors_of(board):
        named = board.document(anchor=anchor)["method"]["anchor"]
        assert named == (anchor and {"model": anchor[0], "points": anchor[1]})


def check_chance(board: Board, pair: tuple[str, str], wanted: float) -> None:
    rows = rows_of(board.document())
    points = rows[pair[0]]["rating"] - rows[pair[1]]["rating"]
    assert math.isclose(1 / (1 + 10 ** (-points / 400)), wanted, abs_tol=1e-4)


def check_both_bad_apart(board: Board, wanted: bool) -> None:
    rows = rows_of(board.document())
    for name, row in rows.items():
        own = [
            each for each in board.given["battles"] if name in (each["model_a"], each["model_b"])
        ]
        for label, column in (("tie", "ties"), ("both_bad", "both_bad")):
            assert row[column] == sum(each.get("n", 1) for each in own if each["winner"] == label)


def check_both_bad_rate(board: Board, wanted: Mapping[str, float]) -> None:
    rows = rows_of(board.document())
    for name, share in wanted.items():
        assert rows[name]["both_bad"] / rows[name]["battles"] == share


def check_gradient(board: Board, wanted: float) -> None:
    assert board.document()["method"]["gradient_norm"] <= wanted


def check_column(column: str) -> Callable[[Board, Mapping[str, int]], None]:
    def check(board: Board, wanted: Mapping[str, int]) -> None:
        rows = rows_of(board.document())
        assert {name: rows[name][column] for name in wanted} == wanted

    return check


def check_centred(board: Board, wanted: Mapping[str, float]) -> None:
    rows = rows_of(board.document())
    for name, points in wanted.items():
        assert math.isclose(rows[name]["rating"] - 1000, points, abs_tol=board.tolerance)


def check_order_of_rows(board: Board, wanted: float) -> None:
    backwards = replace(board, given={**board.given, "battles": board.given["battles"][::-1]})
    first, other = rows_of(board.document()), rows_of(backwards.document())
    for name, row in first.items():
        assert abs(row["rating"] - other[name]["rating"]) <= wanted


def check_all_equal(board: Board, wanted: float) -> None:
    found = [row["rating"] for row in board.document()["models"]]
    assert max(found) - min(found) <= wanted


def check_no_minus(board: Board, wanted: object) -> None:
    """Anchored at zero, where a sign would show."""
    name = board.counts.models[0]
    for row in board.document(anchor=(name, 0.0))["models"]:
        assert not f"{row['rating']:.1f}".startswith("-0.0")
        assert math.copysign(1, row["rating"]) > 0 or row["rating"] < 0


def check_pairs(board: Board, wanted: bool) -> None:
    """The counts behind the ratings still tell who beat whom how often."""
    counts = board.counts.canonical()
    found = {
        (counts.models[first], counts.models[second]): int(n)
        for first, second, n in zip(counts.first, counts.second, counts.n, strict=True)
    }
    for battle in board.given["battles"]:
        assert found[battle["model_a"], battle["model_b"]] == battle["n"]


def check_finite(board: Board, wanted: bool) -> None:
    for row in board.document()["models"]:
        assert all(
            row[name] is None or math.isfinite(row[name]) for name in ("rating", "lower", "upper")
        )


CHECKS: dict[str, Callable[[Board, Any], None]] = {
    "no_exception": check_finite,
    "all_ratings_finite_or_null": check_finite,
    "ci_not_nan": check_finite,
    "order": check_order,
    "unbounded": check_unbounded,
    "rating_inside_ci_for_all": check_inside,
    "abs_rating_max": check_largest,
    "elo_diffs": check_differences,
    "elo_diff": check_differences,
    "pairwise_diffs_identical_between_fits_tol": check_same_differences,
    "interval_widths_identical_between_fits_tol": check_same_widths,
    "anchor_named_in_output": check_anchor_named,
    "stored_distinct_from_tie": check_both_bad_apart,
    "policy_shown": check_policy_shown,
    "both_bad_rate": check_both_bad_rate,
    "grad_inf_norm_per_battle_le": check_gradient,
    "opponents_shown": check_column("opponents"),
    "displayed_rank": check_column("rank"),
    "ranks_equal": lambda board, wanted: check_all_equal(board, 1e-9),
    "no_negative_zero": check_no_minus,
    "shown_value": check_no_minus,
    "centred": check_centred,
    "max_abs_diff": check_order_of_rows,
    "all_equal_tol": check_all_equal,
    "pairwise_counts_shown": check_pairs,
}
