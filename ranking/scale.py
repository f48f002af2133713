"""From strengths to display points: 400 points for a factor of ten in the odds."""

from dataclasses import dataclass

import numpy as np

from ranking.battles import Floats

POINTS_PER_LOGIT = 400 / np.log(10)
POOL_MEAN = 1000.0


@dataclass(frozen=True)
class Scale:
    """Where the scale stands: the strength `origin` shows as `points`. A shift, and nothing else."""

    origin: float = 0.0
    points: float = POOL_MEAN

    def rating(self, strength: Floats) -> Floats:
        """Return strengths, in logits, as display points; never -0.0."""
        rating: Floats = self.points + POINTS_PER_LOGIT * (strength - self.origin) + 0.0
        return rating


def anchored(strength: Floats, model: int, points: float) -> Scale:
    """Return the scale on which `model` stands at `points`; no difference or interval changes."""
    return Scale(origin=float(strength[model]), points=points)
