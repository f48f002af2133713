"""Differences between two models of one run: by how much, how sure, from the covariance that the run stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import erfc, sqrt
from statistics import NormalDist

import numpy as np
from sqlalchemy.orm import Session

from arena.store.leaderboard import read_covariance
from arena.store.tables import RatingRunRow
from ranking import POINTS_PER_LOGIT
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
        variance = self.variance(above[0], below[0])
        if variance is None:
            return None
        difference = above[1] - below[1]
        error = sqrt(variance) * POINTS_PER_LOGIT
        reach = self.reach * error
        p = erfc(abs(difference) / error / sqrt(2))
        return Contrast(difference, difference - reach, difference + reach, p)

    def variance(self, model: str, other: str) -> float | None:
        """Return the variance of a difference, in logits squared, or None if the votes show no spread between them."""
        i, j = self.place.get(model), self.place.get(other)
        if i is None or j is None:
            return None
        variance = float(self.values[i, i] + self.values[j, j] - 2 * self.values[i, j])
        return variance if variance > 0 else None

    @property
    def reach(self) -> float:
        """How many standard errors an interval reaches to either side."""
        return NormalDist().inv_cdf((1 + self.level) / 2)

    def told_apart(self, ratings: Mapping[str, float]) -> float | None:
        """Return the share of pairs of rated models whose difference has an interval without zero."""
        names = [name for name in ratings if name in self.place]
        if len(names) < 2:
            return None
        places = [self.place[name] for name in names]
        covariance = self.values[np.ix_(places, places)] * POINTS_PER_LOGIT**2
        points = np.array([ratings[name] for name in names])
        own = covariance.diagonal()
        variance = own[:, None] + own[None, :] - 2 * covariance
        i, j = np.triu_indices(len(names), 1)
        difference = np.abs(points[:, None] - points[None, :])[i, j]
        reach = self.reach * np.sqrt(np.maximum(variance[i, j], 0.0))
        return float((difference > reach).mean())


def read_contrasts(session: Session, run: RatingRunRow) -> Covariance | None:
    """Return what differences within a run can be computed from; None if nothing is rated."""
    stored = read_covariance(session, run.id)
    names = (run.covariance_models or {}).get("models", [])
    if stored is None or not names:
        return None
    values = np.frombuffer(stored, "<f8").reshape(len(names), len(names))
    level = float((run.method or {}).get("level", 0.95))
    return Covariance({name: place for place, name in enumerate(names)}, values, level)
