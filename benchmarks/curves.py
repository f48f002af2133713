"""Curves on logarithmic axes as one SVG: arrays in, text out."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor, log10

from ranking.battles import Floats

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 340, 260, 56, 34, 24, 40
# A name stands over the first point of its curve, or under it where another name is near.
OVER, UNDER, NEAR = -9, 16, 26
COLOURS = ("#1b6ca8", "#c1440e", "#4c7a34")
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
    'font-family="system-ui, sans-serif" font-size="11" fill="#444">'
    '<rect width="100%" height="100%" fill="#fff"/>'
)


@dataclass(frozen=True, eq=False)
class Curve:
    """Seconds against sizes, both (n,) and above 0."""

    name: str
    sizes: Floats
    seconds: Floats


@dataclass(frozen=True, eq=False)
class Panel:
    """Curves that share their axes."""

    title: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class Axis:
    """Powers of ten from `low` to `high`, laid between two places on the picture."""

    low: int
    high: int
    start: float
    end: float

    def place(self, value: float) -> float:
        """Return where a value stands."""
        share = (log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def draw(panels: tuple[Panel, ...]) -> str:
    """Return a picture with the panels side by side."""
    parts = [HEAD.format(width=WIDTH * len(panels), height=HEIGHT)]
    for number, panel in enumerate(panels):
        parts += [f'<g transform="translate({number * WIDTH} 0)">', *_panel(panel), "</g>"]
    return "\n".join([*parts, "</svg>\n"])


def _panel(panel: Panel) -> Iterator[str]:
    across = _axis([curve.sizes for curve in panel.curves], LEFT, WIDTH - RIGHT)
    up = _axis([curve.seconds for curve in panel.curves], HEIGHT - BOTTOM, TOP)
    yield f'<text x="{LEFT}" y="18" font-weight="600">{panel.title}</text>'
    for power in range(across.low, across.high + 1):
        x = across.place(10.0**power)
        yield f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{_label(power)}</text>'
    for power in range(up.low, up.high + 1):
        y = up.place(10.0**power)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e4e4e4"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_seconds(power)}</text>'
    firsts = [up.place(float(curve.seconds[0])) for curve in panel.curves]
    for curve, colour, first in zip(panel.curves, COLOURS, firsts, strict=False):
        yield from _curve(curve, colour, across, up)
        is_near = any(0 < first - other < NEAR for other in firsts)
        x, y = across.place(float(curve.sizes[0])) + 6, first + (UNDER if is_near else OVER)
        yield f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}">{curve.name}</text>'


def _axis(values: list[Floats], start: float, end: float) -> Axis:
    """Return an axis of whole powers of ten that holds all values, at least one power long."""
    low = floor(log10(min(float(each.min()) for each in values)))
    high = ceil(log10(max(float(each.max()) for each in values)))
    return Axis(low, max(high, low + 1), start, end)


def _curve(curve: Curve, colour: str, across: Axis, up: Axis) -> Iterator[str]:
    points = [
        (across.place(size), up.place(seconds))
        for size, seconds in zip(curve.sizes.tolist(), curve.seconds.tolist(), strict=True)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>'


def _label(power: int) -> str:
    return f"{10**power:,}" if power < 6 else f"{10 ** (power - 6):,} M"


def _seconds(power: int) -> str:
    return f"{10**power:,} s" if power >= 0 else f"{10.0 ** (power + 3):g} ms"
