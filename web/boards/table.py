"""The table of a board: what its template draws, links and says, made from the view once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote

from markupsafe import Markup

from arena.leaderboard import (
    BoardView,
    Cell,
    CellChoice,
    Column,
    Sort,
    Standing,
    VotesToFlip,
    said_of_reading,
)
from arena.terms import Direction
from web import charts
from web.boards.asking import Wanted
from web.charts import Axis, Span, span_of
from web.pages.methods import MethodWords
from web.pages.numbers import counted, percent, value

PEOPLE = "people"
WITH_FLAGGED = "with flagged"
MOST_IN_VIEW = 8
OWN_COLUMNS, OTHER_COLUMNS = 5, 2
MOST_WAITING = 10_000
WORD_ENDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[_:/.,-])")


@dataclass(frozen=True)
class Table:
    """One board's table: all intervals on one axis, all ranges of ranks on another."""

    choices: ClassVar[dict[CellChoice, str]] = {
        CellChoice.MAIN: "main metrics",
        CellChoice.ALL: "all metrics",
        CellChoice.NONE: "no cells",
    }

    view: BoardView
    wanted: Wanted
    ratings: Axis
    ranks: Axis
    classes: Mapping[str, int]
    flips: Mapping[tuple[str, str], VotesToFlip]

    @property
    def address(self) -> str:
        """Where the page is, without what was asked of it."""
        return f"/boards/{quote(self.view.board.name, safe='')}"

    @property
    def own(self) -> str:
        """Whose preferences the table shows, as the head of its columns."""
        return said_of(self.view.source)

    @property
    def other(self) -> str | None:
        """Whose ranks stand beside, if there are any."""
        return None if self.view.beside is None else said_of(self.view.beside)

    @property
    def noun(self) -> str:
        """What a preference of this source is called, in the plural."""
        return "judgments" if self.view.is_by_judge else "votes"

    @property
    def voters(self) -> str:
        """What those are called whose votes are counted: on a simulated board they are not all people."""
        one = self.view.run is not None and self.view.run.voters == 1
        if self.view.board.is_simulated:
            return "voter" if one else "voters"
        return "person" if one else "people"

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return self.own_columns + (OTHER_COLUMNS if self.other else 0) + len(self.view.cells)

    @property
    def own_columns(self) -> int:
        """How many columns the source itself has."""
        return OWN_COLUMNS + self.has_sets + bool(self.flips)

    @property
    def is_wide(self) -> bool:
        """Whether there are more cells than a wide screen holds."""
        return len(self.view.cells) > MOST_IN_VIEW

    @property
    def waiting(self) -> str:
        """How many preferences are newer than the run; of very many only that there are so many."""
        newer = self.view.run.waiting if self.view.run else 0
        return f"at least {counted(newer)}" if newer >= MOST_WAITING else counted(newer)

    @property
    def level(self) -> str:
        """What share of intervals should hold the truth."""
        level = self.view.run.method.get("level") if self.view.run else None
        return percent(level) if isinstance(level, float) else "the"

    @property
    def method(self) -> MethodWords | None:
        """The run's method in words."""
        return None if self.view.run is None else MethodWords(self.view.run)

    @property
    def has_sets(self) -> bool:
        """Whether ranks are shown that hold for all models at once."""
        return self.view.has_sets

    @property
    def readings(self) -> dict[str, str]:
        """The other readings of the run, and what each is."""
        run = self.view.run
        return {} if run is None else {each: said_of_reading(each) for each in run.readings}

    @property
    def with_flagged(self) -> str | None:
        """Where the reading is that counts the votes in quarantine too."""
        if WITH_FLAGGED not in self.readings:
            return None
        return f"{self.address}{self.wanted.link(reading=WITH_FLAGGED)}"

    def flip(self, model: Standing, following: Standing | None) -> VotesToFlip | None:
        """Return how many votes hold a model above the next one, where they stand by rating and the run says so."""
        return None if following is None else self.flips.get((model.model, following.model))

    def parts(self, model: Standing, following: Standing | None) -> int | None:
        """Return the class that ends with a model, where they stand by rating: nobody in it is surely above another."""
        if following is None or self.wanted.sort not in {"", Sort.RATING}:
            return None
        own, other = self.classes.get(model.model), self.classes.get(following.model)
        return own if own != other else None

    def rating_ticks(self) -> Markup:
        """Return the numbers of the axis of ratings."""
        return charts.ticks(self.ratings)

    def rank_ticks(self) -> Markup:
        """Return the numbers of the axis of ranks."""
        return charts.ticks(self.ranks)

    def bar(self, model: Standing) -> Markup:
        """Return a model's interval."""
        return charts.interval(self.ratings, span_of(model))

    def both_ranks(self, model: Standing) -> Markup:
        """Return a model's range of ranks here, and by the other source under it."""
        own, beside = model.claimed, self.ranks_beside(model)
        return charts.two_ranks(
            self.ranks, Span(own[0], None, own[1]), Span(beside[0], None, beside[1])
        )

    def ranks_beside(self, model: Standing) -> tuple[int | None, int | None]:
        """Return a model's ranks by the other source: its set where sets are shown, else its range."""
        place = model.beside
        if place is None:
            return None, None
        return place.claimed if self.has_sets else (place.rank_low, place.rank_high)

    def sorted_by(self, key: str) -> str | None:
        """Return which way the models go down by this column, if it is the one they are sorted by."""
        if key != (self.wanted.sort or Sort.RATING):
            return None
        column = self.view.cells.get(key)
        rises = key in (Sort.NAME, Sort.BESIDE) or (column and column.direction is Direction.LOWER)
        return "ascending" if rises else "descending"

    def under(self, cell: Cell) -> str:
        """Return what stands under a value: another source's, the interval, or how many items without one."""
        if cell.others:
            return "or " + ", ".join(value(other) for other in cell.others)
        if cell.lower is None or cell.upper is None or cell.value is None:
            return "no n" if cell.n is None else f"n {counted(cell.n)}"
        below, above = value(cell.value - cell.lower), value(cell.upper - cell.value)
        return f"±{below}" if below == above else f"{value(cell.lower)}–{value(cell.upper)}"

    def metric(self, column: Column) -> str:
        """Return what stands under the title of a column of cells."""
        parts = [column.metric.replace("_", " "), column.split, column.perturbation]
        if column.direction is Direction.LOWER:
            parts.append("lower better")
        return ", ".join(part for part in parts if part and part != "test")

    def breakable(self, title: str) -> Markup:
        """Return a title that may break where a word in it ends, as in NarrativeQA."""
        return Markup("<wbr>").join(WORD_ENDS.split(title))


def table_of(view: BoardView, wanted: Wanted) -> Table:
    """Return the table of a board."""
    ends = [model.claimed[1] or 0 for model in view.models]
    ends += [model.beside.claimed[1] or 0 for model in view.models if model.beside]
    # What a run found is about its ratings, and about no other reading.
    found = view.run.findings if view.run and view.reading is None else None
    classes = found.indistinguishable if found else ()
    return Table(
        view=view,
        wanted=wanted,
        ratings=charts.axis_of(view.rated),
        ranks=charts.rank_axis(max([*ends, 2])),
        classes={name: number for number, each in enumerate(classes, 1) for name in each},
        flips={(flip.above, flip.below): flip for flip in (found.votes_to_flip if found else ())},
    )


def said_of(source: str) -> str:
    """Return a source's name as people say it."""
    return "People" if source == PEOPLE else f"Judge {source}"
