"""Places in an order: equal values share one, and an interval says how far a place can be trusted."""

import numpy as np
from numpy.typing import NDArray

from ranking.battles import Flags, Floats

Places = NDArray[np.int64]
EQUAL = 1e-9


def competition_ranks(values: Floats, *, equal: float = EQUAL) -> Places:
    """Return the place of each value, highest first: 1, 2, 2, 4.

    Values that differ by at most `equal` share a place. That holds from neighbour to neighbour, so that a
    run of values in which each is equal to the next is one place.
    """
    order = np.argsort(-values, kind="stable")
    falls = np.diff(values[order], prepend=np.inf) < -equal
    starts = np.maximum.accumulate(np.where(falls, np.arange(len(values)), 0))
    ranks = np.empty(len(values), np.int64)
    ranks[order] = 1 + starts
    return ranks


def rank_intervals(lower: Floats, upper: Floats, *, equal: float = EQUAL) -> tuple[Places, Places]:
    """Return the best and the worst place that the intervals leave open to each model.

    Best: one more than the models whose whole interval lies above. Worst: all models but those whose
    whole interval lies below, by more than `equal`, so that models of one place stay in each other's range.
    An open end is -inf or +inf. This is the rule of the published boards
    (Chiang et al. 2024, "Chatbot Arena"); it makes no joint claim about all places at once.
    """
    surely_above = len(lower) - np.searchsorted(np.sort(lower), upper + equal, side="right")
    surely_below = np.searchsorted(np.sort(upper), lower - equal, side="left")
    return 1 + surely_above, len(lower) - surely_below


def pairwise_support(draws: Floats, absent: Flags) -> Floats:
    """Return (m, m): the share of draws in which the row's model stands above the column's.

    Parameters
    ----------
    draws : (rounds, m) float64
        Strengths; -inf and +inf where a draw has no bound.
    absent : (rounds, m) bool
        True where the draw says nothing of the model; such a round is left out of the model's pairs.

    Returns
    -------
    (m, m) float64
        Equal strengths count half; P(i, j) + P(j, i) = 1, the diagonal is 0.5. A pair that no draw
        places is 0.5 as well: nothing speaks for either.
    """
    shares = np.empty((draws.shape[1], draws.shape[1]))
    for model in range(draws.shape[1]):
        own = draws[:, [model]]
        placed = ~(absent | absent[:, [model]])
        points = ((own > draws) + 0.5 * (own == draws)) * placed
        rounds = placed.sum(0)
        shares[model] = np.where(rounds > 0, points.sum(0) / np.maximum(rounds, 1), 0.5)
    return shares
