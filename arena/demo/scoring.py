"""Recorded answers become runs and cells here: scored now, by a real scorer, and never written down by hand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from arena.demo.content import Item, Recorded, Scenario, read_items, read_recorded
from arena.evaluation.scoring import SCORES, Share, is_right, share_right
from arena.terms import Missing

NO_PROBABILITIES = (
    "A calibration error needs the probability of each answer, and this run recorded none."
)


@dataclass(frozen=True)
class Marked:
    """One answered item, and whether it was right by each metric."""

    item: Item
    answer: str
    marks: dict[str, bool]


@dataclass(frozen=True)
class Absence:
    """Why a cell of a run has no value."""

    kind: Missing
    reason: str


@dataclass(frozen=True)
class ScoredRun:
    """One contestant's run over one scenario. `lines` are the first and last line of its file."""

    scenario: Scenario
    model: str
    marked: tuple[Marked, ...]
    n_items: int
    error: str | None
    lines: tuple[int, int]

    def cell(self, metric: str) -> Share | Absence:
        """Return what a metric says of this run, or why it says nothing."""
        if self.error is not None:
            return Absence(Missing.FAILED, self._failure(self.error))
        if metric not in SCORES:
            return Absence(Missing.NOT_APPLICABLE, NO_PROBABILITIES)
        return share_right([each.marks[metric] for each in self.marked])

    def _failure(self, error: str) -> str:
        return (
            f"The run ended after {len(self.marked)} of {self.n_items} items: {error}. "
            "The items answered until then are another test than the whole, so they give no score."
        )


def score_runs(scenario: Scenario) -> list[ScoredRun]:
    """Return the runs over a scenario. A contestant without a record has no run: it was never asked."""
    items = read_items(scenario)
    return [_score(scenario, items, numbered) for _, numbered in _by_model(read_recorded(scenario))]


def _by_model(recorded: Sequence[Recorded]) -> Iterator[tuple[str, list[tuple[int, Recorded]]]]:
    """Yield each contestant's records with the numbers of their lines."""
    numbered = enumerate(recorded, start=1)
    for model, group in groupby(numbered, key=lambda pair: pair[1].model):
        yield model, list(group)


def _score(
    scenario: Scenario, items: Sequence[Item], numbered: Sequence[tuple[int, Recorded]]
) -> ScoredRun:
    by_id = {item.id: item for item in items}
    records = [record for _, record in numbered]
    return ScoredRun(
        scenario=scenario,
        model=records[0].model,
        marked=tuple(
            _mark(by_id[each.item], each.answer, scenario.metrics)
            for each in records
            if each.answer is not None
        ),
        n_items=len(items),
        error=next((each.error for each in records if each.error is not None), None),
        lines=(numbered[0][0], numbered[-1][0]),
    )


def _mark(item: Item, answer: str, metrics: Sequence[str]) -> Marked:
    marks = {
        metric: is_right(SCORES[metric], item.references, answer)
        for metric in metrics
        if metric in SCORES
    }
    return Marked(item, answer, marks)
