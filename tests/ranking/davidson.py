"""Battles with a known truth: Davidson's model, in which ties are outcomes of their own.

P(first wins) = e^{d/2} / Z, P(tie) = v / Z, P(second wins) = e^{-d/2} / Z with d the difference of strengths.
Half a win for a tie is a misspecified fit of it, as it is of real votes.
"""

import numpy as np

from ranking import Battles
from ranking.battles import Floats


def draw_battles(
    strength: Floats, n: int, generator: np.random.Generator, *, tie: float = 1.0, share: Floats
) -> Battles:
    """Return n battles between models drawn by their share, merged into counts."""
    return draw_rows(strength, n, generator, tie=tie, share=share).merged()


def draw_rows(
    strength: Floats, n: int, generator: np.random.Generator, *, tie: float = 1.0, share: Floats
) -> Battles:
    """Return the same, one row a battle. A model drawn against itself is no battle and left out."""
    models = len(strength)
    first = generator.choice(models, n, p=share)
    second = generator.choice(models, n, p=share)
    kept = first != second
    first, second = first[kept], second[kept]
    lead = np.exp((strength[first] - strength[second]) / 2)
    level = generator.random(len(first)) * (lead + 1 / lead + tie)
    score = np.where(level < lead, 1.0, np.where(level < lead + tie, 0.5, 0.0))
    return Battles(first, second, score, np.ones(len(first)), models)


def expected_battles(strength: Floats, n: float, *, tie: float = 1.0, share: Floats) -> Battles:
    """Return the battles that n draws have on average: the truth as the fit would see it without noise."""
    first, second = np.nonzero(~np.eye(len(strength), dtype=bool))
    lead = np.exp((strength[first] - strength[second]) / 2)
    total = lead + 1 / lead + tie
    meets = n * share[first] * share[second]
    parts = [(1.0, lead / total), (0.5, tie / total), (0.0, 1 / lead / total)]
    return Battles(
        np.tile(first, 3),
        np.tile(second, 3),
        np.repeat([score for score, _ in parts], len(first)),
        np.concatenate([meets * chance for _, chance in parts]),
        len(strength),
    )
