"""Places in an order: equal values share one, and an interval says how far a place can be trusted."""

import numpy as np
from numpy.typing import NDArray

from ranking.battles import Floats

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
