"""One score a battle: what a judge's two readings and people's votes on the same battle come to."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from arena.rating_runs.judge_battles import JudgeBattles, judge_battles
from arena.rating_runs.method import Method
from arena.store.judged_battles import JudgedRow
from arena.terms import BothBad, Outcome
from tests.arena.rating_runs.counting import count

PLACES = {11: 0, 12: 1, 13: 2}
NAMES = ("ash", "birch", "cedar")
ELSEWHERE = ("ash", "birch", Outcome.A, 5)


def row(
    straight: str, swapped: str, votes: str = "", *, a: int = 11, b: int = 12, n: int = 1
) -> JudgedRow:
    said = (tuple(part.split()) for part in (straight, swapped, votes))
    return JudgedRow(a, b, *said, n)


def read(*rows: JudgedRow, both_bad: BothBad = BothBad.TIE) -> JudgeBattles:
    """All votes are those on the rows and five on battles that the judge never saw."""
    votes = [
        (NAMES[PLACES[row.model_a_id]], NAMES[PLACES[row.model_b_id]], Outcome(said), row.n)
        for row in rows
        for said in row.votes
    ]
    counts = count(ELSEWHERE, *votes, models=NAMES)
    return judge_battles(rows, counts, Method(both_bad=both_bad), places=PLACES)


@pytest.mark.parametrize(
    ("straight", "swapped", "score"),
    [
        ("a", "a", 1.0),
        ("b", "b", 0.0),
        ("a", "b", 0.5),
        ("a", "tie", 0.75),
        ("tie", "both_bad", 0.5),
        ("a a b", "b", 1 / 3),
        ("a", "", 1.0),
        ("", "b", 0.0),
    ],
)
def test_the_two_orders_count_half_each(straight: str, swapped: str, score: float) -> None:
    """A judge that goes by the place says one thing in each order, and so says nothing."""
    found = read(row(straight, swapped))

    assert_allclose(found.judge_only.score, [score])
    assert found.one_order == (0 if straight and swapped else 1)


def test_what_could_not_be_read_is_no_verdict() -> None:
    """A battle without one good reading is not a tie; its votes count as those that the judge never saw."""
    found = read(row("both_bad", "both_bad", "a"), both_bad=BothBad.EXCLUDE)

    assert (found.n_both, found.n_judge_only) == (0, 0)
    assert found.human_only.weight.sum() == 5 + 1


def test_both_bad_goes_by_the_method() -> None:
    """Where the board leaves it out, the other reading and the other vote are all that was said."""
    rows = row("both_bad", "a", "both_bad b"), row("a", "a", "both_bad")

    tied, excluded = read(*rows), read(*rows, both_bad=BothBad.EXCLUDE)

    assert_allclose(tied.both.judge, [0.75, 1.0])
    assert_allclose(tied.both.human, [0.25, 0.5])
    assert_allclose(excluded.both.judge, [1.0])
    assert_allclose(excluded.both.human, [0.0])
    assert excluded.n_judge_only == 1


def test_votes_on_judged_battles_are_not_counted_twice() -> None:
    """They stand among all votes; what is left is those on battles that the judge did not read."""
    found = read(row("a", "b", "a", n=3))

    assert found.n_both == 3
    assert_allclose(found.human_only.weight, [5.0])


def test_several_votes_on_one_battle_are_one_score() -> None:
    """The verdict beside them is one, so together they are one battle that both decided."""
    found = read(row("a", "a", "a a b tie"))

    assert_allclose(found.both.human, [2.5 / 4])
    assert_allclose(found.both.weight, [1.0])


def test_only_rated_models_are_read() -> None:
    """What people's votes do not rate, a judge cannot rate for them."""
    found = read(row("a", "a", b=99), row("b", "b", "b", a=13))

    assert found.n_judge_only == 0
    assert_allclose(np.stack([found.both.first, found.both.second]), [[2], [1]])
