"""The chart of one rating over time: a band for its interval, a line for itself, a table as its twin beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from web.charts import Axis, Span, axis_over

HEIGHT = 250
CHART = Markup(
    '<svg class="chart" height="274" role="img" aria-labelledby="h-t h-d"><title id="h-t">{title}</title>'
    '<desc id="h-d">{description}</desc>{grid}'
    '<svg width="100%" height="250" viewBox="0 0 100 100" preserveAspectRatio="none">{ribbon}</svg>'
    '<line class="base" x1="0" x2="100%" y1="250" y2="250"/>'
    '<text x="0" y="268">{first:,}</text><text x="100%" y="268" text-anchor="end">{last:,} counted</text></svg>'
)
GRIDLINE = Markup(
    '<line class="grid" x1="0" x2="100%" y1="{y:.0f}" y2="{y:.0f}"/><text x="0" y="{above:.0f}">{tick:.0f}</text>'
)


@dataclass(frozen=True)
class Step:
    """After so many preferences, this rating."""

    counted: int
    span: Span


def history(name: str, steps: Sequence[Step]) -> Markup:
    """Return how a rating and its interval went from run to run; at least one step is needed."""
    axis = axis_over(end for step in steps for end in step.span.known)
    return CHART.format(
        title=f"Rating of {name} over {len(steps)} rating runs",
        description=describe(steps[0].span, steps[-1].span),
        grid=Markup("").join(gridline(axis, tick) for tick in axis.ticks[1:-1]),
        ribbon=ribbon(axis, [step.span for step in steps]),
        first=steps[0].counted,
        last=steps[-1].counted,
    )


def describe(first: Span, last: Span) -> str:
    """Return in words how the width of the interval went."""
    if None in (first.lower, first.upper, last.lower, last.upper):
        return "Some of these runs give no interval."
    return f"The interval goes from about ±{reach(first):.0f} to ±{reach(last):.0f} points."


def reach(span: Span) -> float:
    """Return half the width of an interval; 0 if it has an open end."""
    if span.lower is None or span.upper is None:
        return 0.0
    return (span.upper - span.lower) / 2


def gridline(axis: Axis, tick: float) -> Markup:
    """Return a line across the chart with its number."""
    y = HEIGHT * (1 - axis.place(tick) / 100)
    return GRIDLINE.format(y=y, above=y - 5, tick=tick)


def ribbon(axis: Axis, spans: Sequence[Span]) -> Markup:
    """Return the band, its two edges and the line; where a run has no interval the band has no width."""
    middle = [span.point or 0.0 for span in spans]
    upper = [end_or(span.upper, point) for span, point in zip(spans, middle, strict=True)]
    lower = [end_or(span.lower, point) for span, point in zip(spans, middle, strict=True)]
    top, bottom, line = (points_of(axis, ends) for ends in (upper, lower, middle))
    return Markup("").join(
        (
            path("band", [*top, *reversed(bottom)], closing="Z"),
            path("edge", top),
            path("edge", bottom),
            path("line", line),
        )
    )


def end_or(end: float | None, point: float) -> float:
    """Return the end of an interval, or the point where it has none."""
    return point if end is None else end


def points_of(axis: Axis, values: Sequence[float]) -> list[str]:
    """Return where the values lie in a square of 100 by 100, from left to right."""
    last = max(len(values) - 1, 1)
    return [
        f"{100 * place / last:.1f} {100 - axis.place(value):.1f}"
        for place, value in enumerate(values)
    ]


def path(name: str, points: Iterable[str], closing: str = "") -> Markup:
    """Return a path through the points."""
    return Markup('<path class="{}" d="M{}{}"/>').format(name, " ".join(points), closing)
