"""Battles over periods, of models that stay the same but for one that may change halfway."""

import numpy as np
from numpy.typing import NDArray

from ranking import Battles
from ranking.battles import Floats
from tests.ranking.davidson import draw_rows


def draw_periods(
    strength: Floats,
    n: int,
    generator: np.random.Generator,
    *,
    periods: int,
    changed: int = 0,
    jump: float = 0.0,
) -> tuple[Battles, NDArray[np.int64]]:
    """Return n battles, one row each, and their periods; from half time on a model is stronger by `jump`."""
    after = strength.copy()
    after[changed] += jump
    share = np.full(len(strength), 1 / len(strength))
    parts = [
        draw_rows(
            after if period >= periods / 2 else strength, n // periods, generator, share=share
        )
        for period in range(periods)
    ]
    battles = Battles(
        np.concatenate([part.first for part in parts]),
        np.concatenate([part.second for part in parts]),
        np.concatenate([part.score for part in parts]),
        np.concatenate([part.weight for part in parts]),
        len(strength),
    )
    return battles, np.repeat(np.arange(periods), [len(part) for part in parts])
