"""Votes of a made-up arena, as uneven as a real one: a few models in most battles, a third of votes ties."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ranking import Battles

SPREAD_POINTS = 110.0
CHUNK = 1 << 20


@dataclass(frozen=True, eq=False)
class MadeVotes:
    """Votes as columns: (n,) model shown first, model shown second, outcome (0 first won, 1 second, 2 tie)."""

    n_models: int
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    outcome: NDArray[np.int64]

    def battles(self) -> Battles:
        """Return the counts of these votes."""
        keys = (self.first * self.n_models + self.second) * 3 + self.outcome
        counts = np.bincount(keys, minlength=3 * self.n_models**2)
        distinct = np.flatnonzero(counts)
        pair, outcome = np.divmod(distinct, 3)
        first, second = np.divmod(pair, self.n_models)
        score = np.array([1.0, 0.0, 0.5])[outcome]
        weight = counts[distinct].astype(np.float64)
        return Battles(
            first.astype(np.int32), second.astype(np.int32), score, weight, self.n_models
        )


def make_votes(n_models: int, n: int, *, seed: int) -> MadeVotes:
    """Return n votes by Davidson's model, in which a tie is as likely as a win between equals."""
    generator = np.random.default_rng(seed)
    strength = generator.normal(0, SPREAD_POINTS * np.log(10) / 400, n_models)
    popularity = generator.pareto(1.5, n_models) + 0.3
    share = np.cumsum(popularity / popularity.sum())
    chunks = [
        _chunk(strength, share, min(CHUNK, n - start), generator) for start in range(0, n, CHUNK)
    ]
    first, second, outcome = (np.concatenate(column) for column in zip(*chunks, strict=True))
    return MadeVotes(n_models, first, second, outcome)


def _chunk(
    strength: NDArray[np.float64],
    share: NDArray[np.float64],
    n: int,
    generator: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    last = len(share) - 1
    first, second = np.minimum(np.searchsorted(share, generator.random((2, n))), last)
    while len(same := np.flatnonzero(first == second)):
        second[same] = np.minimum(np.searchsorted(share, generator.random(len(same))), last)
    lead = np.exp((strength[first] - strength[second]) / 2)
    level = generator.random(n) * (lead + 1 / lead + 1)
    outcome = np.where(level < lead, 0, np.where(level < lead + 1 / lead, 1, 2))
    return first, second, outcome
