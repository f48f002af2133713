"""A board as a file: the table as CSV, the intervals as a drawing that stands alone."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from arena.leaderboard import BoardView, Standing
from web.charts import Axis, axis_of

COLUMNS = (
    "model",
    "organization",
    "rank",
    "rank_low",
    "rank_high",
    "rank_set_low",
    "rank_set_high",
    "chance_best",
    "rating",
    "lower",
    "upper",
    "battles",
    "wins",
    "losses",
    "ties",
    "both_bad",
    "share_won",
    "status",
    "reason",
)
# A spreadsheet takes a text that begins so for a formula and runs it.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Chart:
    """The measures of the drawing, in pixels; `axis` is what the intervals are drawn on."""

    view: BoardView
    axis: Axis
    names: int = 240
    plot: int = 500
    numbers: int = 110
    row: int = 24
    top: int = 86
    foot: int = 40

    @property
    def width(self) -> int:
        """How wide the drawing is."""
        return self.names + self.plot + self.numbers

    @property
    def height(self) -> int:
        """How high it is."""
        return self.top + self.row * len(self.view.rated) + self.foot

    def x(self, rating: float) -> float:
        """Return where a rating lies."""
        return round(self.names + self.plot * self.axis.place(rating) / 100, 1)


def chart_of(view: BoardView) -> Chart:
    """Return what the drawing of a board's intervals is made from."""
    return Chart(view, axis_of(view.rated))


def as_csv(view: BoardView) -> str:
    """Return the table of a board: a line for each model, two columns for each cell, its value and why there is none."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    cells = [name for key in view.cells for name in (key, f"{key},missing")]
    writer.writerow([safe(name) for name in (*COLUMNS, *cells)])
    writer.writerows([safe(each) for each in line_of(view, model)] for model in view.models)
    return file.getvalue()


def line_of(view: BoardView, model: Standing) -> Iterator[object]:
    """Yield what the file says of a model; an absent number is an empty field."""
    yield from (getattr(model, name) for name in COLUMNS)
    for key in view.cells:
        cell = model.cells[key]
        yield cell.value
        yield cell.missing


def safe(field: object) -> object:
    """Return a field that no spreadsheet takes for a formula: text that looks like one gets an apostrophe."""
    if isinstance(field, str) and field.startswith(FORMULA):
        return f"'{field}"
    return field
