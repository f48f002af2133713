"""What the two readings of one battle say together: a summary for pages. A rating reads both judgments."""

from enum import StrEnum

from judges.record import Judgment, Order


class Together(StrEnum):
    """Whether a judge stood by its preference when the answers changed places."""

    AGREE = "agree"
    CLASH = "clash"
    UNREADABLE = "unreadable"


def read_together(straight: Judgment, swapped: Judgment) -> Together:
    """Return whether two readings prefer the same answer.

    Raises
    ------
    ValueError
        If the two were not read in the straight and in the swapped order.
    """
    if (straight.order, swapped.order) != (Order.STRAIGHT, Order.SWAPPED):
        raise ValueError(
            f"orders are {straight.order.value!r} and {swapped.order.value!r}; "
            "expected 'straight' and 'swapped'"
        )
    if straight.verdict is None or swapped.verdict is None:
        return Together.UNREADABLE
    if straight.straightened is swapped.straightened:
        return Together.AGREE
    return Together.CLASH
