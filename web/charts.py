"""Charts: numbers in, SVG out, drawn in percent of their column so that no width and no script matters to them.

Each stands beside the numbers it draws, so all but `drawn_board` are hidden from screen readers.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from math import ceil, floor, log10
from typing import Protocol

from markupsafe import Markup

# The sheet rules five equal parts behind every column of intervals.
PARTS = 5
STEPS = (1, 1.5, 2, 2.5, 3, 4, 5)
TICK_HEIGHT = 22
ROW_HEIGHT = 30
BAR_HEIGHT = 10
RING = 3
# A rank fills its place on the axis, so that a range of one rank is seen.
HALF_PLACE = 0.5


@dataclass(frozen=True)
class Axis:
    """A scale from `low` to `high`, ruled in equal parts."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> float:
        """Return where a value lies, in percent from the left; what is outside lies at the edge."""
        share = (value - self.low) / (self.high - self.low)
        return 100 * min(max(share, 0.0), 1.0)


@dataclass(frozen=True)
class Span:
    """An interval and the point inside it; what there is none of is None."""

    lower: float | None
    point: float | None
    upper: float | None

    @property
    def known(self) -> list[float]:
        """The numbers that there are."""
        return [end for end in (self.lower, self.point, self.upper) if end is not None]

    def widened(self, by: float) -> "Span":
        """Return the same, so much further to both sides."""
        lower = None if self.lower is None else self.lower - by
        upper = None if self.upper is None else self.upper + by
        return Span(lower, self.point, upper)


class Rated(Protocol):
    """Whatever has a rating that may be absent."""

    @property
    def lower(self) -> float | None:
        """Where the rating may begin."""

    @property
    def rating(self) -> float | None:
        """Where it lies."""

    @property
    def upper(self) -> float | None:
        """Where it may end."""


def span_of(model: Rated) -> Span:
    """Return a model's interval with its rating in it."""
    return Span(model.lower, model.rating, model.upper)


def axis_of(models: Iterable[Rated]) -> Axis:
    """Return the axis that holds the intervals of all these models."""
    return axis_over(end for model in models for end in span_of(model).known)


def axis_over(values: Iterable[float], *, center: float = 1000.0) -> Axis:
    """Return the tightest axis of five round parts that holds all values; without any, 100 points about the center."""
    found = list(values) or [center - 50, center + 50]
    low, high = min(found), max(found)
    step = next(
        size for size in steps(high - low) if floor(low / size) * size + PARTS * size >= high
    )
    start = floor(low / step) * step
    return Axis(
        start, start + PARTS * step, tuple(start + part * step for part in range(PARTS + 1))
    )


def steps(width: float) -> Iterator[float]:
    """Yield round, whole numbers upwards from the least that five parts of this width could do with."""
    exponent = max(floor(log10(max(width / PARTS, 1))), 0)
    for power in count(exponent):
        yield from (size for times in STEPS if (size := times * 10.0**power).is_integer())


def rank_axis(ranks: int) -> Axis:
    """Return an axis on which every rank has a place of its own, named at the ends and at round ranks between."""
    last = max(ranks, 2)
    step = max(ceil(last / 3 / 10) * 10, 10)
    between = range(step, last - step // 3, step)
    return Axis(1 - HALF_PLACE, last + HALF_PLACE, (1, *between, last))


def ticks(axis: Axis) -> Markup:
    """Return the numbers of an axis, for the head of its column."""
    texts = "".join(
        f'<text x="{axis.place(tick):.1f}%" y="16">{tick:.0f}</text>' for tick in axis.ticks
    )
    return _drawing(texts, TICK_HEIGHT)


def interval(axis: Axis, span: Span, *, height: int = ROW_HEIGHT) -> Markup:
    """Return an interval as a bar with a ring at its point."""
    return _drawing(_bar(axis, span, middle=height / 2), height)


def two_ranks(axis: Axis, own: Span, other: Span, *, height: int = ROW_HEIGHT) -> Markup:
    """Return two ranges of ranks, the second one as an outline under the first."""
    filled = _rect(axis, own.widened(HALF_PLACE), top=8, height=5, name="bar")
    outlined = _rect(axis, other.widened(HALF_PLACE), top=17.5, height=5, name="open")
    return _drawing(filled + outlined, height)


def _bar(axis: Axis, span: Span, *, middle: float) -> str:
    bar = _rect(axis, span, top=middle - BAR_HEIGHT / 2, height=BAR_HEIGHT, name="bar")
    if span.point is None:
        return bar
    return (
        f'{bar}<circle class="dot" cx="{axis.place(span.point):.1f}%" cy="{middle:g}" r="{RING}"/>'
    )


def _rect(axis: Axis, span: Span, *, top: float, height: float, name: str) -> str:
    if span.lower is None or span.upper is None:
        return ""
    left = axis.place(span.lower)
    width = axis.place(span.upper) - left
    return f'<rect class="{name}" x="{left:.1f}%" y="{top:g}" width="{width:.1f}%" height="{height:g}"/>'


def share(span: Span, *, height: int = 24) -> Markup:
    """Return a share between 0 and 1 with its interval, and a line at one half."""
    return _about_zero(Axis(0.0, 1.0, (0.0, 0.5, 1.0)), span, height)


def difference(span: Span, *, reach: float, height: int = 24) -> Markup:
    """Return a difference in points with its interval, from -reach to +reach, and a line at none."""
    return _about_zero(Axis(-reach, reach, (-reach, 0.0, reach)), span, height)


def _about_zero(axis: Axis, span: Span, height: int) -> Markup:
    line = f'<line class="zero" x1="50%" x2="50%" y1="0" y2="{height}"/>'
    return _drawing(line + _bar(axis, span, middle=height / 2), height)


def seen_and_expected(seen: Span, expected: Span) -> Markup:
    """Return a share as it was seen, and under it as an outline the share that was to be expected."""
    axis = Axis(0.0, 1.0, (0.0, 0.5, 1.0))
    line = '<line class="zero" x1="50%" x2="50%" y1="0" y2="40"/>'
    outlined = _rect(axis, expected, top=24, height=8, name="open")
    words = (
        '<text x="2%" y="55">0</text><text x="50%" y="55">half</text><text x="98%" y="55">1</text>'
    )
    return _drawing(line + _bar(axis, seen, middle=9) + outlined + words, 58)


def half_width(points: float, *, widest: float, height: int = 26) -> Markup:
    """Return an interval of this half width about the middle of a column that the widest one almost fills."""
    reach = widest * 1.25
    axis = Axis(-reach, reach, ())
    return _drawing(_bar(axis, Span(-points, 0.0, points), middle=height / 2), height)


def portion(part: int, whole: int, *, is_none: bool, height: int = 18) -> Markup:
    """Return a bar for a count, as an outline if what it counts is nothing."""
    width = 100 * part / whole if whole else 0.0
    name = "open" if is_none else "bar"
    bar = f'<rect class="{name}" x="0" y="4" width="{width:.1f}%" height="{BAR_HEIGHT}"/>'
    return _drawing(bar, height)


def _drawing(content: str, height: int) -> Markup:
    # Only numbers are written into the drawing, each through a format that nothing else passes.
    return Markup(f'<svg class="iv" height="{height}" aria-hidden="true">{content}</svg>')  # noqa: S704
