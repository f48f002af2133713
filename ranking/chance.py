"""A statistic beside what chance makes of it, where chance is simulated."""

from dataclasses import dataclass

import numpy as np

from ranking.battles import Floats


@dataclass(frozen=True)
class Statistic:
    """A statistic of the battles and of boards on which only chance is at work.

    Parameters
    ----------
    value : float
        Of the battles.
    usual : float
        Its mean over simulated boards.
    p_value : float
        The share of boards, these battles among them, on which it is at least as large.
    p_error : float
        Standard error of the p-value that comes from simulating no more boards.
    """

    value: float
    usual: float
    p_value: float
    p_error: float


def beside_chance(value: float, drawn: Floats) -> Statistic:
    """Return a statistic beside its values on the (rounds,) simulated boards."""
    p_value = float(share_at_least(np.array([value]), drawn)[0])
    error = float(np.sqrt(p_value * (1 - p_value) / (len(drawn) + 1)))
    return Statistic(value, float(drawn.mean()), p_value, error)


def share_at_least(values: Floats, drawn: Floats) -> Floats:
    """Return the share of draws that are at least as large as each value, the value counted as one.

    Source
    ------
    Davison and Hinkley (1997), "Bootstrap methods and their application", section 4.2.
    """
    at_least = len(drawn) - np.searchsorted(np.sort(drawn), values, side="left")
    return (1 + at_least) / (1 + len(drawn))
