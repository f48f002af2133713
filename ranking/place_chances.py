"""How often each model is the best, or among the best k, in other sets of votes like these."""

import numpy as np

from ranking.battles import Flags, Floats, tally
from ranking.bootstrap import Draws
from ranking.ranks import Places


def top_chances(draws: Draws) -> Floats:
    """Return the share of rounds in which each model is among the best k, for every k.

    Models with equal strengths in a round, as two that it leaves without an upper bound, share their places
    evenly. A round that does not place a model is left out for that model, and its others move up.

    Returns
    -------
    (m, m) float64
        Row i, column k - 1: P(model i is among the best k). Where every round places every model, column
        k - 1 sums to k. A model that no round places has NaN.
    """
    rounds, m = draws.strength.shape
    below = np.where(draws.absent, np.nan, -draws.strength)
    order = np.argsort(below, axis=1, kind="stable")
    ordered = np.take_along_axis(below, order, 1)
    first, last = _shared_places(ordered)
    placed = ~np.isnan(ordered)
    share = (1 / (last - first + 1))[placed]
    row = order[placed] * (m + 1)
    steps = tally(row + first[placed], share, m * (m + 1))
    steps -= tally(row + last[placed] + 1, share, m * (m + 1))
    placed_in = rounds - draws.absent.sum(0)
    with np.errstate(invalid="ignore"):
        chances: Floats = steps.reshape(m, m + 1)[:, :m].cumsum(1).cumsum(1) / placed_in[:, None]
    return chances


def _shared_places(ordered: Floats) -> tuple[Places, Places]:
    """Return the first and the last place, from 0, of the run of equals that each entry is in."""
    m = ordered.shape[1]
    place = np.arange(m)
    differs: Flags = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(ordered), 1), np.bool_)
    starts, ends = np.hstack([edge, differs]), np.hstack([differs, edge])
    first = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, place, m - 1)[:, ::-1], axis=1)[:, ::-1]
    return first, last
