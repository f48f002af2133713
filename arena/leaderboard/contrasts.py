"""Differences between two models of one run: by how much, how sure, from the covariance that the run stored."""

from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from sqlalchemy.orm import Session

from arena.store.leaderboard import read_covariance
from arena.store.tables import RatingRunRow
from ranking import POINTS_PER_LOGIT, wald_interval
from ranking.battles import Floats


@dataclass(frozen=True)
class Contrast:
    """How far one model stands above another, in points; `p` is two-sided, of no difference at all."""

    difference: float
    lower: float
    upper: float
    p: float


@dataclass(frozen=True, eq=False)
class Covariance:
    """The covariance of a run's strengths, in logits squared, and where each model stands in it."""

    place: dict[str, int]
    values: Floats
    level: float

    def contrast(self, above: tuple[str, float], below: tuple[str, float]) -> Contrast | None:
        """Return the difference of two (model, rating), or None if the votes show no spread between them."""
        i, j = self.place.get(above[0]), self.place.get(below[0])
        if i is None or j is None:
            return None
        variance = float(self.values[i, i] + self.values[j, j] - 2 * self.values[i, j])
        if variance <= 0:
            return None
        difference = above[1] - below[1]
        points = np.array([[variance * POINTS_PER_LOGIT**2]])
        lower, upper = wald_interval(np.array([difference]), points, level=self.level)
        z = abs(difference) / (sqrt(variance) * POINTS_PER_LOGIT)
        return Contrast(difference, float(lower[0]), float(upper[0]), erfc(z / sqrt(2)))


def read_contrasts(session: Session, run: RatingRunRow) -> Covariance | None:
    """Return what differences within a run can be computed from; None if nothing is rated."""
    stored = read_covariance(session, run.id)
    names = (run.covariance_models or {}).get("models", [])
    if stored is None or not names:
        return None
    values = np.frombuffer(stored, "<f8").reshape(len(names), len(names))
    level = float((run.method or {}).get("level", 0.95))
    return Covariance({name: place for place, name in enumerate(names)}, values, level)
