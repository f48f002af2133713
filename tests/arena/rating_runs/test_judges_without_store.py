"""What keeps people and a judge apart, where no board is needed to see it."""

import pytest

from arena.rating_runs.fitting import rate
from arena.rating_runs.inputs import Inputs
from arena.rating_runs.judge_inputs import JudgeInputs
from arena.rating_runs.judge_readings import with_judges
from arena.rating_runs.judged import Judged
from arena.rating_runs.method import Method
from arena.store.judged_battles import JudgedRow, JudgeMark
from arena.terms import BothBad, Interval, Outcome
from tests.arena.rating_runs.counting import Vote, count

IDS = {"ash": 1, "birch": 2}
# Both said the same of 200 battles, and the judge of 400 more.
AGREED = tuple(
    JudgedRow(1, 2, (said,), (said,), votes, n)
    for said in ("a", "b")
    for votes, n in (((said,), 100), ((), 200))
)
VOTES = (("ash", "birch", Outcome.A, 100), ("ash", "birch", Outcome.B, 100))


def found_of(
    rows: tuple[JudgedRow, ...], votes: tuple[Vote, ...], *, name: str = "strict", **of_method
) -> tuple[Judged, set[str]]:
    inputs = Inputs(count(*votes, models=tuple(IDS)), IDS)
    table = rate(inputs.counts, Method(interval=Interval.SANDWICH, **of_method))
    judges = [JudgeInputs(JudgeMark(1, name, 1), rows)]
    table, views = with_judges(table, inputs, judges)
    return table.findings.judged[0], set(views)


def test_a_judge_that_says_what_people_say_is_worth_their_votes() -> None:
    """Perfect agreement makes each verdict as good as a vote, but for the share that is kept back."""
    found, views = found_of(AGREED, VOTES)

    assert views == {"human and judge: strict", "judge: strict"}
    assert found.share == pytest.approx(1, abs=0.35)
    assert 0.5 * 400 < found.worth <= 1.05 * 400


def test_votes_that_do_not_differ_have_no_interval_to_narrow() -> None:
    """The ratio of two widths of nothing is no number, and must not stop the run."""
    tied = tuple(JudgedRow(1, 2, ("a",), ("b",), votes, 150) for votes in (("tie",), ()))

    found, views = found_of(tied, (("ash", "birch", Outcome.TIE, 150),))

    assert "do not differ" in found.absent
    assert views == set()


def test_a_name_too_long_for_a_view_is_a_reason() -> None:
    """The store bounds the name of a view; a run that cannot be stored would help nobody."""
    found, views = found_of(AGREED, VOTES, name="j" * 190)

    assert "190 characters long" in found.absent
    assert views == set()


def test_what_people_do_not_rate_a_judge_does_not_either() -> None:
    """Without a rating by people there is nothing to correct the judge by."""
    found, views = found_of(AGREED, (("ash", "birch", Outcome.A, 5),))

    assert found.absent == "people's votes rate no model yet"
    assert views == set()


def test_both_bad_that_is_left_out_is_left_out_of_both() -> None:
    """A board that leaves it out has neither votes nor verdicts of it among its battles."""
    bad = JudgedRow(1, 2, ("both_bad",), ("both_bad",), ("both_bad",), 50)
    votes = (*VOTES, ("ash", "birch", Outcome.BOTH_BAD, 50))

    tied, _ = found_of((*AGREED, bad), votes)
    excluded, _ = found_of((*AGREED, bad), votes, both_bad=BothBad.EXCLUDE)

    assert (tied.both, tied.human_votes) == (250, 250)
    assert (excluded.both, excluded.human_votes) == (200, 200)
