"""Boards whose next votes depend on the last ones: a policy chooses pairs by what is known so far.

Ties follow Davidson's model, as in `tests.ranking.davidson`; without them the fit's equations are the truth.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ranking import (
    Battles,
    Fit,
    OpenPairs,
    fit,
    sandwich,
    split,
    uniform_sampling,
    with_floor,
    with_newcomers,
)
from ranking.battles import SCORES, Floats

BATCH = 150


@dataclass(frozen=True)
class Known:
    """What a policy may look at: battles (m,), strengths (m,) and covariance (m, m)."""

    battles: Floats
    strength: Floats
    covariance: Floats


Policy = Callable[[OpenPairs, Known], Floats]


@dataclass(frozen=True)
class Standing:
    """All votes so far, with the probability of each row's pair, and their fit once all models have one."""

    votes: int
    battles: Battles
    probability: Floats
    fit: Fit | None
    covariance: Floats | None


@dataclass(frozen=True)
class SampledArena:
    """A truth, and how many battles were drawn evenly among the first `old` models before the policy began."""

    strength: Floats
    tie: float = 0.0
    old: int | None = None
    before: int = BATCH

    @property
    def pairs(self) -> OpenPairs:
        return OpenPairs(*np.triu_indices(len(self.strength), 1), len(self.strength))

    def course(
        self, policy: Policy, generator: np.random.Generator, *, epsilon: float = 0.1
    ) -> Iterator[Standing]:
        """Yield the board before the policy begins, and after every batch that it draws."""
        votes, columns = 0, self._drawn(self._before(), self.before, generator)
        while True:
            battles = Battles(*columns[:4], len(self.strength))
            standing, known = self._look(votes, battles, columns[4])
            yield standing
            probability = with_floor(policy(self.pairs, known), epsilon)
            drawn = self._drawn(probability, BATCH, generator)
            columns = [np.concatenate(pair) for pair in zip(columns, drawn, strict=True)]
            votes += BATCH

    def _before(self) -> Floats:
        if self.old is None:
            return uniform_sampling(self.pairs)
        among_old = np.maximum(self.pairs.first, self.pairs.second) < self.old
        chances: Floats = among_old / among_old.sum()
        return chances

    def _look(self, votes: int, battles: Battles, probability: Floats) -> tuple[Standing, Known]:
        m = len(self.strength)
        rated = split(battles).rated
        among = battles.among(rated)
        found = fit(among)
        covariance = sandwich(among, found)
        fought = battles.score_table()
        known = Known(
            (fought + fought.T).sum(1),
            *with_newcomers(found.strength, covariance, rated=rated, n_models=m),
        )
        whole = (found, covariance) if len(rated) == m else (None, None)
        return Standing(votes, battles, probability, *whole), known

    def _drawn(self, probability: Floats, n: int, generator: np.random.Generator) -> list[Floats]:
        """Return (first, second, score, weight, probability) of n votes, added up by pair and outcome."""
        pairs = self.pairs
        lead = np.exp((self.strength[pairs.first] - self.strength[pairs.second]) / 2)
        chances = np.stack([1 / lead, np.full(len(lead), self.tie), lead], axis=1)
        met = generator.multinomial(n, probability)
        ended = generator.multinomial(met, chances / chances.sum(1, keepdims=True))
        pair, outcome = np.nonzero(ended)
        return [
            pairs.first[pair],
            pairs.second[pair],
            np.array(SCORES)[outcome],
            ended[pair, outcome].astype(float),
            probability[pair],
        ]
