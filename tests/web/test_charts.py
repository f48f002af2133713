"""Charts are arithmetic: where a number lands, and that nothing lands outside."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.charts import (
    Span,
    axis_over,
    difference,
    interval,
    portion,
    rank_axis,
    share,
    ticks,
    two_ranks,
)

points = st.floats(-1e5, 1e5, allow_nan=False)


def numbers(drawing: str, attribute: str) -> list[float]:
    """The values of an attribute, in the order they are drawn."""
    return [float(each) for each in re.findall(rf'{attribute}="([-0-9.]+)%?"', drawing)]


@given(st.lists(points, min_size=1, max_size=20))
def test_an_axis_holds_every_value_in_five_round_parts(values: list[float]) -> None:
    """A bar that leaves its column would be read as a shorter one."""
    axis = axis_over(values)

    assert axis.low <= min(values)
    assert axis.high >= max(values)
    assert len(axis.ticks) == 6
    assert all(tick.is_integer() for tick in axis.ticks)


@given(st.lists(points, min_size=2, max_size=20, unique=True))
def test_an_axis_is_not_much_wider_than_its_values(values: list[float]) -> None:
    """An axis ten times too wide would hide every difference."""
    axis = axis_over(values)

    assert axis.high - axis.low <= max(5, 4 * (max(values) - min(values)))


def test_the_axis_of_a_usual_board_reads_in_hundreds() -> None:
    """The rule behind the column stands at these numbers."""
    assert axis_over([806.6, 1241.4]).ticks == (800, 900, 1000, 1100, 1200, 1300)


def test_an_axis_without_values_is_about_the_center() -> None:
    """A board without a rating still has a column."""
    axis = axis_over([])

    assert axis.low <= 950
    assert axis.high >= 1050


def test_a_bar_lies_where_its_numbers_are() -> None:
    """The drawing must say what the number beside it says."""
    axis = axis_over([800, 1300])

    drawing = interval(axis, Span(900, 1000, 1200))

    assert numbers(drawing, " x") == [20.0]
    assert numbers(drawing, "width") == [60.0]
    assert numbers(drawing, "cx") == [40.0]


@pytest.mark.parametrize(
    "span", [Span(None, 1000, None), Span(None, 1000, 1200), Span(900, 1000, None)]
)
def test_an_end_that_is_not_known_is_not_drawn(span: Span) -> None:
    """A bar to the edge would claim an end that nobody measured."""
    drawing = interval(axis_over([800, 1300]), span)

    assert "<rect" not in drawing
    assert numbers(drawing, "cx") == [40.0]


def test_nothing_is_drawn_of_nothing() -> None:
    """A ring at the edge would be a rating."""
    drawing = interval(axis_over([800, 1300]), Span(None, None, None))

    assert "<rect" not in drawing
    assert "<circle" not in drawing


@pytest.mark.parametrize("ranks", [1, 2, 3, 9, 10, 11, 31, 59, 200, 1000])
def test_the_axis_of_ranks_goes_from_first_to_last(ranks: int) -> None:
    """Both ends are named, and no number stands on another one."""
    axis = rank_axis(ranks)

    places = [axis.place(tick) for tick in axis.ticks]
    assert axis.ticks[0] == 1
    assert axis.ticks[-1] == max(ranks, 2)
    assert all(after - before >= 9 for before, after in pairwise(places))


def test_the_second_source_is_an_outline_under_the_first() -> None:
    """Colour alone would not tell them apart."""
    drawing = two_ranks(rank_axis(11), Span(1, None, 6), Span(6, None, 11))

    assert re.findall(r'class="(\w+)"', drawing) == ["iv", "bar", "open"]
    assert numbers(drawing, " x") == [0.0, 45.5]
    assert numbers(drawing, " y") == sorted(numbers(drawing, " y"))


def test_a_range_of_one_rank_is_seen() -> None:
    """A bar without a width would look like a range that is not known."""
    drawing = two_ranks(rank_axis(6), Span(1, None, 1), Span(3, None, 3))

    assert numbers(drawing, " x") == [0.0, 33.3]
    assert numbers(drawing, "width") == [16.7, 16.7]


def test_one_half_and_no_difference_are_in_the_middle() -> None:
    """Both columns share one line, so that they can be compared."""
    assert numbers(share(Span(0.4, 0.5, 0.6)), "cx") == [50.0]
    assert numbers(difference(Span(-20, 0, 20), reach=300), "cx") == [50.0]


def test_a_count_of_nothing_is_an_outline() -> None:
    """Pairs that never met are an absence, not the most frequent kind of meeting."""
    assert 'class="open"' in portion(784, 784, is_none=True)
    assert 'class="bar"' in portion(75, 784, is_none=False)
    assert numbers(portion(0, 0, is_none=True), "width") == [0.0]


def test_drawings_are_hidden_where_the_numbers_stand_beside() -> None:
    """A screen reader would otherwise read every number twice."""
    axis = axis_over([800, 1300])

    assert 'aria-hidden="true"' in interval(axis, Span(900, 1000, 1200))
    assert 'aria-hidden="true"' in ticks(axis)
