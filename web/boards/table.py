"""The table of a board: what its template draws and links, made from the view once."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from markupsafe import Markup

from arena.leaderboard import BoardView, Cell, CellChoice, Column, Sort, Standing
from arena.terms import Direction
from web import charts
from web.charts import Axis, Span
from web.pages.numbers import value

MOST_IN_VIEW = 8
CELL_WORDS = {
    CellChoice.MAIN: "main metrics",
    CellChoice.ALL: "all",
    CellChoice.NONE: "none",
}


@dataclass(frozen=True)
class Query:
    """What was asked for, as it stands in the address."""

    source: str
    cells: CellChoice
    sort: str
    contains: str

    def link(self, **changed: str) -> str:
        """Return the address of the same page with something changed; what is usual is left out."""
        asked = {
            "source": self.source,
            "cells": self.cells if self.cells is not CellChoice.MAIN else "",
            "sort": self.sort if self.sort != Sort.RATING else "",
            "q": self.contains,
        } | changed
        return "?" + urlencode({key: text for key, text in asked.items() if text})


@dataclass(frozen=True)
class Table:
    """The drawings of one board: all intervals on one axis, all ranges of ranks on another."""

    view: BoardView
    query: Query
    ratings: Axis
    ranks: Axis

    @property
    def is_wide(self) -> bool:
        """Whether there are more cells than a wide screen holds."""
        return len(self.view.cells) > MOST_IN_VIEW

    def rating_ticks(self) -> Markup:
        """Return the numbers of the axis of ratings."""
        return charts.ticks(self.ratings)

    def rank_ticks(self) -> Markup:
        """Return the numbers of the axis of ranks."""
        return charts.ticks(self.ranks)

    def bar(self, model: Standing) -> Markup:
        """Return a model's interval."""
        return charts.interval(self.ratings, Span(model.lower, model.rating, model.upper))

    def both_ranks(self, model: Standing) -> Markup:
        """Return a model's range of ranks here, and by the other source under it."""
        own = Span(model.rank_low, None, model.rank_high)
        other = model.beside
        beside = Span(None, None, None) if other is None else Span(other.rank_low, None, other.rank_high)
        return charts.two_ranks(self.ranks, own, beside)

    def sorted_by(self, key: str) -> str | None:
        """Return how a column is sorted, in the word of the accessibility tree, if it is."""
        if key != self.query.sort:
            return None
        if key in (Sort.NAME, Sort.BESIDE):
            return "ascending"
        column = self.view.cells.get(key)
        return "ascending" if column and column.direction is Direction.LOWER else "descending"

    def under(self, cell: Cell) -> str:
        """Return what stands under a cell's value: another source's, the interval, or that there is none."""
        if cell.others:
            return "or " + ", ".join(value(other) for other in cell.others)
        if cell.lower is None or cell.upper is None or cell.value is None:
            return "no n" if cell.n is None else f"n {cell.n:,}"
        below, above = value(cell.value - cell.lower), value(cell.upper - cell.value)
        return f"±{below}" if below == above else f"{value(cell.lower)}–{value(cell.upper)}"


def table_of(view: BoardView, query: Query) -> Table:
    """Return the table of a board."""
    known = [end for model in view.models for end in Span(model.lower, model.rating, model.upper).known]
    ranks = [model.rank_high or 0 for model in view.models]
    beside = [model.beside.rank_high for model in view.models if model.beside]
    return Table(view, query, charts.axis_over(known), charts.rank_axis(max([*ranks, *beside, 2])))


def metric_words(column: Column) -> str:
    """Return what stands under the title of a column of cells."""
    words = column.metric.replace("_", " ").replace(",none", "")
    parts = [words, *(part for part in (column.split, column.perturbation) if part and part != "test")]
    if column.direction is Direction.LOWER:
        parts.append("lower better")
    return ", ".join(parts)


def method_words(method: Mapping[str, object]) -> str:
    """Return a run's method in a few words."""
    interval = {
        "bootstrap": f"{method.get('rounds', 0):,} resamples",
        "sandwich": "robust covariance",
    }.get(str(method.get("interval")), "")
    bad = ", “both bad” left out" if method.get("both_bad") == "exclude" else ""
    return f"Bradley–Terry, ties ½{bad}, {interval}".removesuffix(", ")
