"""Two readings of one battle agree, clash, or can't be told."""

import pytest

from judges import Judgment, Order, Status, Together, Verdict, read_together

FIRST, SECOND, TIE = Verdict


def reading(order: Order, verdict: Verdict | None) -> Judgment:
    """A judgment; without a verdict it is unparsed."""
    status = Status.UNPARSED if verdict is None else Status.OK
    return Judgment(order, status, raw="", verdict=verdict)


@pytest.mark.parametrize(
    ("straight", "swapped", "together"),
    [
        (FIRST, SECOND, Together.AGREE),
        (SECOND, FIRST, Together.AGREE),
        (TIE, TIE, Together.AGREE),
        (FIRST, FIRST, Together.CLASH),
        (SECOND, SECOND, Together.CLASH),
        (FIRST, TIE, Together.CLASH),
        (None, FIRST, Together.UNREADABLE),
        (TIE, None, Together.UNREADABLE),
    ],
)
def test_the_same_answer_must_win_from_both_places(
    straight: Verdict | None, swapped: Verdict | None, together: Together
) -> None:
    """A judge that prefers the first whatever stands there has said nothing of the answers."""
    readings = reading(Order.STRAIGHT, straight), reading(Order.SWAPPED, swapped)
    assert read_together(*readings) is together


def test_two_readings_of_one_order_are_refused() -> None:
    """They would agree for the wrong reason."""
    twice = reading(Order.STRAIGHT, FIRST)
    with pytest.raises(ValueError, match="expected 'straight' and 'swapped'"):
        read_together(twice, twice)
