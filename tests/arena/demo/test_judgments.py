"""What a judge says in its own words is stored in those of the tables."""

import pytest

from arena.demo.judgments import outcome_by_slot
from arena.terms import JudgmentStatus, Order, Outcome
from judges import Judgment, Status, Verdict
from judges import Order as ReadOrder


@pytest.mark.parametrize(
    ("order", "verdict", "outcome"),
    [
        (ReadOrder.STRAIGHT, Verdict.FIRST, Outcome.A),
        (ReadOrder.STRAIGHT, Verdict.SECOND, Outcome.B),
        (ReadOrder.SWAPPED, Verdict.FIRST, Outcome.B),
        (ReadOrder.SWAPPED, Verdict.SECOND, Outcome.A),
        (ReadOrder.STRAIGHT, Verdict.TIE, Outcome.TIE),
        (ReadOrder.SWAPPED, Verdict.TIE, Outcome.TIE),
    ],
)
def test_an_outcome_is_by_slot_whatever_was_read_first(
    order: ReadOrder, verdict: Verdict, outcome: Outcome
) -> None:
    """One forgotten turn here would hand half of the judge's wins to the loser."""
    assert outcome_by_slot(Judgment(order, Status.OK, raw="", verdict=verdict)) is outcome


def test_a_reading_without_a_verdict_has_no_outcome() -> None:
    """Unparsed is no tie."""
    judgment = Judgment(ReadOrder.SWAPPED, Status.UNPARSED, raw="Hm.")
    assert outcome_by_slot(judgment) is None


def test_every_word_of_a_reading_has_its_word_in_the_tables() -> None:
    """The two packages share no vocabulary, so nothing else holds them together."""
    assert {str(status) for status in Status} <= {str(status) for status in JudgmentStatus}
    assert {str(order) for order in ReadOrder} == {str(order) for order in Order}
