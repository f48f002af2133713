"""Which cells get a column: for each scenario its main metric on its main split, or all that there are."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from arena.leaderboard.views import Column
from arena.store.evidence import ColumnFound
from arena.terms import Axis, Direction

TEST = "test"
MOST_COLUMNS = 40


class CellChoice(StrEnum):
    """Which cells stand beside the ratings."""

    MAIN = "main"
    ALL = "all"
    NONE = "none"


def choose_columns(found: Sequence[ColumnFound], choice: CellChoice) -> list[ColumnFound]:
    """Return the columns to show, as many as a table can hold."""
    if choice is CellChoice.NONE:
        return []
    if choice is CellChoice.MAIN:
        mains = [main_column(part) for part in by_scenario(found)]
        found = [column for column in mains if column is not None]
    return list(found[:MOST_COLUMNS])


def by_scenario(found: Iterable[ColumnFound]) -> list[list[ColumnFound]]:
    """Return the columns of each scenario, scenarios in the order of their first column."""
    parts: dict[int, list[ColumnFound]] = {}
    for column in found:
        parts.setdefault(column.scenario.id, []).append(column)
    return list(parts.values())


def main_column(found: Sequence[ColumnFound]) -> ColumnFound | None:
    """Return the column of one scenario that has its main metric on its main split, unperturbed and whole.

    A scenario that names no metric, or one that nobody measured, shows one of accuracy: the one with most values.
    Without a main split it shows the test split, or whichever comes first by name.
    """
    whole = [each for each in found if not each.key.perturbation and not each.key.sub_split]
    return min(whole, key=_worth_showing, default=None)


def _worth_showing(column: ColumnFound) -> tuple[bool, bool, bool, bool, int, str, str]:
    """Return what orders columns: the smallest is shown."""
    key, scenario = column.key, column.scenario
    return (
        key.metric != scenario.main_metric,
        column.axis != Axis.ACCURACY,
        scenario.main_split is None or key.split != scenario.main_split,
        key.split != TEST,
        -column.valued,
        key.metric,
        key.split or "",
    )


def name_of(column: ColumnFound) -> str:
    """Return what a column is called in addresses and documents: scenario, metric, and what of the rest is not plain."""
    key = column.key
    rest = (("split", key.split), ("sub_split", key.sub_split), ("perturbation", key.perturbation))
    said = "".join(f",{word}={value}" for word, value in rest if value)
    return f"{column.scenario.name}:{key.metric}{said}"


def column_of(found: ColumnFound) -> Column:
    """Return a column as pages show it."""
    return Column(
        key=name_of(found),
        scenario=found.scenario.name,
        title=found.scenario.title,
        metric=found.key.metric,
        split=found.key.split,
        perturbation=found.key.perturbation,
        unit=found.unit,
        direction=Direction(found.direction),
    )
