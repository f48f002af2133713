"""What any file of results says: runs of a scenario by a model, and their cells, each with where it was found."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from arena.evaluation.metrics import Metric
from arena.formats.rejection import Rejection
from arena.hygiene import RefusedError, read_finite, shorten
from arena.terms import Axis, Direction, Missing
from ranking import wilson

LEVEL = 0.95
# The normal quantile of the level, for intervals from a standard error.
NORMAL_REACH = 1.959963984540054


@dataclass(frozen=True, slots=True)
class CellRecord:
    """One value of one metric, with its interval, or why there is none.

    `n` counts items and never trials; `n_total` is how many the scenario has, where a limit was set.
    """

    metric: str
    axis: Axis | None
    direction: Direction
    unit: str
    scored_by: str
    pointer: str
    split: str | None = None
    sub_split: str | None = None
    perturbation: str | None = None
    is_group: bool = False
    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    standard_error: float | None = None
    interval_method: str | None = None
    n: int | None = None
    n_total: int | None = None
    trials: int | None = None
    missing: Missing | None = None
    reason: str | None = None

    def absent(self, missing: Missing, reason: str) -> "CellRecord":
        """Return the cell without a value, and why."""
        return replace(
            self, value=None, lower=None, upper=None, standard_error=None, interval_method=None,
            missing=missing, reason=reason,
        )  # fmt: skip


@dataclass(frozen=True)
class ScenarioRecord:
    """What was run; the main metric and split are those that a page shows first."""

    name: str
    title: str
    main_metric: str | None = None
    main_split: str | None = None


# The adaptation and the record are documents of the tool that wrote them: `Any` is the honest type here.
@dataclass(frozen=True)
class RunRecord:
    """One execution of a scenario by a model. `left_out` says which numbers of the file are not cells, and why."""

    scenario: ScenarioRecord
    model: str
    name: str
    format: str
    file_name: str
    file_sha256: str
    adaptation: dict[str, Any]
    record: dict[str, Any]
    cells: tuple[CellRecord, ...]
    left_out: tuple[Rejection, ...] = ()
    tool_version: str | None = None
    ran_at: datetime | None = None


def blank_cell(metric: Metric, *, pointer: str) -> CellRecord:
    """Return a cell of a metric that has nothing in it yet."""
    return CellRecord(
        metric=metric.name,
        axis=metric.axis,
        direction=metric.direction,
        unit=metric.unit,
        scored_by=metric.scored_by,
        pointer=pointer,
    )


def valued(cell: CellRecord, metric: Metric, found: object, *, error: object = None) -> CellRecord:
    """Return the cell with the value that the file gives and the interval that this allows, or with its absence.

    A share of items that score 0 or 1 has Wilson's interval over its items. Anything else has the normal one,
    if the file gives a standard error that can be: one of zero says nothing.

    Raises
    ------
    RefusedError
        If the value lies outside the bounds of its metric, as a per cent does in a column of shares.
    """
    value = _number(found)
    if value is None:
        return cell.absent(Missing.UNDEFINED, f"The file says {shorten(found)}.")
    if not metric.contains(value):
        bounds = f"{metric.lowest} to {metric.highest}"
        raise RefusedError("scale_not_declared", found=found, expected=bounds)
    sound = _number(error)
    sound = None if sound is None or sound <= 0 else sound
    cell = replace(cell, value=value, standard_error=sound)
    if metric.is_binary and cell.n and not cell.is_group:
        lower, upper = wilson(min(value * cell.n, cell.n), cell.n, level=LEVEL)
        return replace(cell, lower=lower, upper=upper, interval_method="wilson")
    if sound is None or not math.isfinite(NORMAL_REACH * sound):
        return cell
    lower, upper = _clipped(metric, value - NORMAL_REACH * sound, value + NORMAL_REACH * sound)
    return replace(cell, lower=lower, upper=upper, interval_method="normal")


def undoubled(cells: Iterable[CellRecord]) -> tuple[CellRecord, ...]:
    """Return each cell once; one that the file gives with two values has none, and says both."""
    kept: dict[tuple[str | None, ...], CellRecord] = {}
    for cell in cells:
        key = (cell.metric, cell.split, cell.sub_split, cell.perturbation)
        first = kept.setdefault(key, cell)
        if first.value != cell.value and first.missing is None:
            said = f"The file says {first.value} at {first.pointer} and {cell.value} at {cell.pointer}."
            kept[key] = first.absent(Missing.UNDEFINED, said)
    return tuple(kept.values())


def _number(found: object) -> float | None:
    try:
        return None if isinstance(found, str) else read_finite(found)
    except RefusedError:
        return None


def _clipped(metric: Metric, lower: float, upper: float) -> tuple[float, float]:
    if metric.lowest is not None:
        lower = max(lower, metric.lowest)
    if metric.highest is not None:
        upper = min(upper, metric.highest)
    return lower, upper
