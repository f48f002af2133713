"""Which cells get a column: for each scenario its main metric on its main split, or all that there are."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from arena.leaderboard.views import Column
from arena.store.tables import CellRow, ScenarioRow
from arena.terms import Axis, Direction

TEST = "test"
MOST_COLUMNS = 40

Scored = tuple[CellRow, ScenarioRow]


class CellChoice(StrEnum):
    """Which cells stand beside the ratings."""

    MAIN = "main"
    ALL = "all"
    NONE = "none"


def choose_columns(rows: Sequence[Scored], choice: CellChoice) -> dict[str, Column]:
    """Return the columns of a board by key, scenarios by title."""
    if choice is CellChoice.NONE:
        return {}
    if choice is CellChoice.MAIN:
        rows = [row for part in by_scenario(rows) for row in main_rows(part)]
    columns = {key_of(row): column_of(row) for row in rows}
    return dict(list(columns.items())[:MOST_COLUMNS])


def by_scenario(rows: Iterable[Scored]) -> list[list[Scored]]:
    """Return the rows of each scenario, scenarios in the order of their first row."""
    parts: dict[int, list[Scored]] = {}
    for row in rows:
        parts.setdefault(row[1].id, []).append(row)
    return list(parts.values())


def main_rows(rows: Sequence[Scored]) -> list[Scored]:
    """Return the rows of one scenario that are of its main metric, on its main split, unperturbed and whole."""
    whole = [row for row in rows if row[0].perturbation is None and row[0].sub_split is None]
    if not whole:
        return []
    metric = main_metric(whole)
    whole = [row for row in whole if row[0].metric == metric]
    split = main_split(whole)
    return [row for row in whole if row[0].split == split]


def main_metric(rows: Sequence[Scored]) -> str:
    """Return the metric that the scenario names; else one of accuracy, the one with most values."""
    named = rows[0][1].main_metric
    found = Counter(cell.metric for cell, _ in rows)
    if named is not None and named in found:
        return named
    accurate = {cell.metric for cell, _ in rows if cell.axis == Axis.ACCURACY}
    valued = Counter(cell.metric for cell, _ in rows if cell.value is not None)
    return min(found, key=lambda metric: (metric not in accurate, -valued[metric], metric))


def main_split(rows: Sequence[Scored]) -> str | None:
    """Return the split that the scenario names; else the test split, or whichever comes first by name."""
    named = rows[0][1].main_split
    found = {cell.split for cell, _ in rows}
    if named in found:
        return named
    return min(found, key=lambda split: (split != TEST, split is not None, split or ""))


def key_of(row: Scored) -> str:
    """Return what names a column: scenario, metric, and what of the rest is not plain."""
    cell, scenario = row
    parts = (("split", cell.split), ("sub_split", cell.sub_split))
    rest = [*parts, ("perturbation", cell.perturbation)]
    return f"{scenario.name}:{cell.metric}" + "".join(f",{name}={it}" for name, it in rest if it)


def column_of(row: Scored) -> Column:
    """Return the column that a cell belongs to."""
    cell, scenario = row
    return Column(
        key=key_of(row),
        scenario=scenario.name,
        title=scenario.title,
        metric=cell.metric,
        split=cell.split,
        perturbation=cell.perturbation,
        unit=cell.unit,
        direction=Direction(cell.direction),
    )
