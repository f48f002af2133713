"""Whether intervals may come from the covariance, or need resamples."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ranking.battles import Battles

# Points scored, and points given away. Below it the distribution of a model's strength is too skew for a
# normal interval, and resamples begin to lose its wins or its losses altogether.
ENOUGH_POINTS = 30


class IntervalWay(StrEnum):
    """Where intervals come from."""

    GAUSSIAN = "gaussian"
    BOOTSTRAP = "bootstrap"


@dataclass(frozen=True)
class IntervalChoice:
    """Which way is chosen, and by which numbers, so that a page can say so.

    Parameters
    ----------
    way : IntervalWay
        Gaussian if `fewest` is at least `enough`.
    fewest : float
        The least that any model scored or gave away: wins or losses, and half of its ties.
    model : int
        Whose number that is.
    enough : float
        How much is asked for.
    """

    way: IntervalWay
    fewest: float
    model: int
    enough: float


def choose_interval(battles: Battles, *, enough: float = ENOUGH_POINTS) -> IntervalChoice:
    """Return which intervals the battles allow: by the covariance if every model has won and lost enough.

    A fit of half ties gives each model the points that it scored, so what is counted is also what the fit expects.

    Parameters
    ----------
    battles : Battles
        Over m models.
    enough : float
        Points to score and points to give away, for every model.
    """
    table = battles.score_table()
    least = np.minimum(table.sum(1), table.sum(0))
    model = int(np.argmin(least))
    fewest = float(least[model])
    way = IntervalWay.GAUSSIAN if fewest >= enough else IntervalWay.BOOTSTRAP
    return IntervalChoice(way, fewest, model, enough)
