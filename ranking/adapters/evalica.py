"""evalica's calls: `bradley_terry(xs, ys, winners, weights=...)` and `newman(...)`, with typed results.

    from ranking.adapters.evalica import Winner, bradley_terry, newman

Differences: a search that stops early raises, so there is no limit and no tolerance; islands and undefeated models
are refused by name; each score has a standard error. Scores are a plain mapping, the best first. evalica's own
`Winner` values are understood.
"""

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ranking.adapters.columns import Labelled, labelled, scores_of
from ranking.bradley_terry import Fit
from ranking.fitting import fit
from ranking.sandwich import sandwich
from ranking.ties import TieModel

SOLVER = "newton"


class Winner(IntEnum):
    """The outcome of a row: X is the left-hand element, Y the right-hand one."""

    Draw = 0
    X = 1
    Y = 2


SCORES: Mapping[Hashable, float] = {Winner.X: 1.0, Winner.Draw: 0.5, Winner.Y: 0.0}


@dataclass(frozen=True)
class BradleyTerryResult:
    """Scores with geometric mean 1, the best first; a score twice another's wins two times in three.

    Parameters
    ----------
    scores : mapping of label to float
    log_errors : mapping of label to float
        The robust standard error of the logarithm of each score.
    index : tuple of labels
        In the order in which they were given, or first appeared.
    solver : str
    iterations : int
    """

    scores: Mapping[Hashable, float]
    log_errors: Mapping[Hashable, float]
    index: tuple[Hashable, ...]
    solver: str
    iterations: int


@dataclass(frozen=True)
class NewmanResult(BradleyTerryResult):
    """Scores under Davidson's model of ties: between equals a tie is 2 v times as likely as either's win."""

    v: float


def bradley_terry(
    xs: Collection[Hashable],
    ys: Collection[Hashable],
    winners: Collection[Hashable],
    *,
    index: Sequence[Hashable] | None = None,
    weights: Collection[float] | None = None,
) -> BradleyTerryResult:
    """Return the Bradley-Terry scores, ties as half a win.

    Raises
    ------
    ValueError, RankingError
        As `ranking.adapters.columns` and `ranking.fit`.
    """
    content = _content(xs, ys, winners, index=index, weights=weights)
    return _result(content, fit(content.battles))


def newman(
    xs: Collection[Hashable],
    ys: Collection[Hashable],
    winners: Collection[Hashable],
    *,
    index: Sequence[Hashable] | None = None,
    weights: Collection[float] | None = None,
) -> NewmanResult:
    """Return the scores and the tie parameter of Davidson's model, which Newman's algorithm fits.

    Raises
    ------
    ValueError, RankingError
        As `bradley_terry`; without a single tie, or with nothing but ties, NotIdentifiedError.
    """
    content = _content(xs, ys, winners, index=index, weights=weights)
    found = fit(content.battles, ties=TieModel.DAVIDSON)
    tie = float(found.extra[found.extra_names.index("tie")])
    return NewmanResult(**vars(_result(content, found)), v=math.exp(tie) / 2)


def _content(
    xs: Collection[Hashable],
    ys: Collection[Hashable],
    winners: Collection[Hashable],
    *,
    index: Sequence[Hashable] | None,
    weights: Collection[float] | None,
) -> Labelled:
    labels = list(dict.fromkeys([*xs, *ys])) if index is None else list(index)
    return labelled(xs, ys, scores_of(winners, SCORES), labels=labels, weights=weights)


def _result(content: Labelled, found: Fit) -> BradleyTerryResult:
    strength = found.strength
    error = np.sqrt(sandwich(content.battles, found).diagonal()[: len(strength)])
    order = np.argsort(-strength, kind="stable").tolist()
    return BradleyTerryResult(
        scores={content.labels[model]: math.exp(strength[model]) for model in order},
        log_errors={content.labels[model]: float(error[model]) for model in order},
        index=content.labels,
        solver=SOLVER,
        iterations=found.iterations,
    )
