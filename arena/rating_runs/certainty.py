"""What the votes settle of the order: who surely stands above whom, and how likely each model is the best."""

from dataclasses import dataclass

import numpy as np

from arena.rating_runs.intervals import Intervals
from arena.rating_runs.method import Method
from ranking import (
    NotConvergedError,
    QuasiVariances,
    gaussian_draws,
    quasi_variances,
    rank_sets,
    separable_classes,
    top_chances,
)
from ranking.battles import Flags, Floats
from ranking.ranks import Places

# Where no votes were drawn again: how many normal draws the sets rest on.
NORMAL_DRAWS = 1000


@dataclass(frozen=True, eq=False)
class Certainty:
    """What holds for all rated models at once, at the level of the method.

    Parameters
    ----------
    above : (m, m) bool
        Whether the row's model surely stands above the column's.
    classes : (m,) int64
        The class of each model, 1 for the best; within one no two are surely in order.
    chance_best : list of m float or None
        The share of draws in which the model is the best; None if none of them places it.
    chances : (m, m) float64
        Row i, column k - 1: the share of draws in which model i is among the best k; NaN as above.
    quasi : QuasiVariances or None
        Variances that make two bars comparable; None if some difference shows no spread.
    """

    above: Flags
    classes: Places
    chance_best: list[float | None]
    chances: Floats
    quasi: QuasiVariances | None


def find_certainty(
    strength: Floats, covariance: Floats, intervals: Intervals, method: Method
) -> Certainty:
    """Return what the resamples, or where there are none the covariance, settle of the order."""
    draws = intervals.draws
    if draws is None:
        draws = gaussian_draws(strength, covariance, rounds=NORMAL_DRAWS, seed=method.seed)
    above = rank_sets(strength, draws, level=method.level).above
    chances = top_chances(draws)
    return Certainty(
        above=above,
        classes=separable_classes(strength, above),
        chance_best=[None if np.isnan(chance) else float(chance) for chance in chances[:, 0]],
        chances=chances,
        quasi=_quasi(covariance[: len(strength), : len(strength)]),
    )


def _quasi(covariance: Floats) -> QuasiVariances | None:
    try:
        return quasi_variances(covariance)
    except (ValueError, NotConvergedError):
        # Two models do not differ at all in any votes: there is no bar that could show it.
        return None
