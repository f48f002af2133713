"""Run folders of HELM: `run_spec.json` and `stats.json`, and what their numbers do not say of themselves.

`count` is the number of trials and never of items. A worst case is written even where nothing was perturbed, and
is always the smallest value. Where the endpoint gave no log-probabilities, 0 and 1 stand for "not available".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from arena.errors import FormatError
from arena.evaluation.metrics import Metric, metric_of
from arena.formats.documents import Document, part, pointer
from arena.formats.helm_names import PERTURBED, WORST, Items, StatName, read_name
from arena.formats.helm_sizes import SIZE, Sizes, count_items
from arena.formats.rejection import Rejection
from arena.formats.run_records import CellRecord, blank_cell, undoubled, valued
from arena.hygiene import RefusedError, read_integer
from arena.terms import Axis, Direction, Missing

# Counts of how the run went: they stay in its record and are no cells.
BOOKKEEPING = re.compile(
    r"num_(references|train_trials|instances|train_instances|bytes|perplexity_tokens)"
    r"|finish_reason_\w+|batch_size|prompt_truncated"
)
NO_LOGPROBS = "The endpoint gave no log-probabilities; the file writes a number all the same."

Json = dict[str, Any]


@dataclass(frozen=True)
class NamedStat:
    """A statistic with its place in the file."""

    index: int
    name: StatName
    values: Json

    @property
    def mean(self) -> object:
        """What the file gives as the value, if anything."""
        return self.values.get("mean")

    @property
    def count(self) -> int:
        """How many trials it is over."""
        count = self.values.get("count")
        return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0


@dataclass(frozen=True)
class HelmStats:
    """All statistics of a run, and what they say together.

    `was_perturbed` is whether the run asked for perturbations at all; `instances` is the file with a row an item.
    """

    named: tuple[NamedStat, ...]
    refused: tuple[Rejection, ...]
    was_perturbed: bool
    instances: Path

    @classmethod
    def of(cls, document: Document, *, was_perturbed: bool, instances: Path) -> "HelmStats":
        """Read the names of all statistics of a file.

        Raises
        ------
        FormatError
            If it is no list.
        """
        if not isinstance(document.value, list):
            raise FormatError(
                f"{document.path}: found no list; expected the statistics of a HELM run."
            )
        named, refused = [], []
        for index, stat in enumerate(document.value):
            try:
                named.append(NamedStat(index, read_name(part(stat).get("name")), part(stat)))
            except RefusedError as error:
                refused.append(Rejection(index + 1, error.reason, error.found))
        return cls(tuple(named), tuple(refused), was_perturbed, instances)

    @cached_property
    def sizes(self) -> Mapping[Items, int]:
        """How many items each split has, perturbed or not, where the file says so."""
        return {
            stat.name.items: size
            for stat in self.named
            if stat.name.metric == SIZE and stat.name.computed_on in (None, PERTURBED)
            if (size := _size(stat.mean)) is not None
        }

    @cached_property
    def counted(self) -> Sizes:
        """How many items have each metric, counted one by one; read only where the sizes lack something."""
        return count_items(self.instances) if self.instances.exists() else {}

    @cached_property
    def without_logprobs(self) -> frozenset[tuple[Items, str | None]]:
        """Where the log-probability is 0, which stands for none."""
        return frozenset(
            (stat.name.items, stat.name.computed_on)
            for stat in self.named
            if stat.name.metric == "logprob" and stat.mean == 0
        )

    @cached_property
    def families(self) -> frozenset[Axis]:
        """The families of which something was really perturbed."""
        if not self.was_perturbed:
            return frozenset()
        return frozenset(
            stat.name.family
            for stat in self.named
            if stat.name.computed_on == PERTURBED and stat.name.family is not None
        )

    def n(self, name: StatName) -> int | None:
        """Return over how many items a statistic is, or None if no file says so."""
        if name.items in self.sizes:
            return self.sizes[name.items]
        return self.counted.get((name.metric, name.items))

    def cells(self) -> tuple[tuple[CellRecord, ...], tuple[Rejection, ...]]:
        """Return the cells of the run, and which statistics are none, and why."""
        cells: list[CellRecord] = []
        left_out = list(self.refused)
        for stat in self.named:
            if BOOKKEEPING.fullmatch(stat.name.metric):
                continue
            try:
                cells.append(self._cell(stat))
            except RefusedError as error:
                left_out.append(Rejection(stat.index + 1, error.reason, error.found))
        return undoubled(cells), tuple(left_out)

    def bookkeeping(self) -> dict[str, object]:
        """Return how the run went, by split, without what was perturbed."""
        return {
            f"{stat.name.split}/{stat.name.metric}": stat.mean
            for stat in self.named
            if stat.name.perturbation is None and BOOKKEEPING.fullmatch(stat.name.metric)
        }

    def _cell(self, stat: NamedStat) -> CellRecord:
        name, metric = stat.name, metric_of(stat.name.metric)
        self._refuse_worst(name, metric)
        cell = replace(
            blank_cell(metric, pointer=pointer(stat.index)),
            axis=name.axis(metric),
            split=name.split,
            sub_split=name.sub_split,
            perturbation=name.label,
            n=self.n(name),
            trials=stat.count or None,
        )
        if stat.count == 0:
            return replace(cell, n=0).absent(Missing.UNDEFINED, "Nothing was counted.")
        if metric.needs_logprobs and (name.items, name.computed_on) in self.without_logprobs:
            return cell.absent(Missing.NOT_APPLICABLE, NO_LOGPROBS)
        return valued(cell, metric, stat.mean)

    def _refuse_worst(self, name: StatName, metric: Metric) -> None:
        if name.computed_on != WORST:
            return
        if name.is_of_family and name.family not in self.families:
            raise RefusedError(
                "worst_without_perturbation", found=_shown(name), expected="perturbed items"
            )
        if metric.direction is not Direction.HIGHER:
            raise RefusedError(
                "worst_is_smallest", found=_shown(name), expected="higher to be better"
            )


def _shown(name: StatName) -> str:
    return f"{name.metric} {name.split} {name.label}"


def _size(value: object) -> int | None:
    try:
        size = read_integer(value)
    except RefusedError:
        return None
    return size if size >= 0 else None
