"""A board as a file: the table as CSV, the intervals as a drawing that stands alone."""

import csv
import io
from collections.abc import Iterator
from html import escape

from arena.leaderboard import BoardView, Standing
from web.charts import axis_over

COLUMNS = (
    "model",
    "organization",
    "rank",
    "rank_low",
    "rank_high",
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

NAME_WIDTH = 220
PLOT_WIDTH = 500
ROW = 22
TOP = 70
FONT = 'font-family="system-ui, sans-serif" font-size="12"'


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


def as_svg(view: BoardView) -> str:
    """Return the intervals of a board with their names and numbers."""
    models = view.rated
    axis = axis_over([end for model in models for end in (model.lower, model.rating, model.upper) if end is not None])
    height = TOP + ROW * len(models) + 20
    width = NAME_WIDTH + PLOT_WIDTH + 120
    title = f"{view.board.title}: {view.finding.headline}"
    if view.board.is_simulated:
        title += " (simulated votes)"

    def x(rating: float) -> float:
        return NAME_WIDTH + PLOT_WIDTH * axis.place(rating) / 100

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fcfbf8"/>',
        f'<text x="10" y="28" {FONT} font-weight="600" fill="#1b1d1f">{escape(title)}</text>',
    ]
    return "".join(parts)
