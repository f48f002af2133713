"""Intervals that hold while somebody watches, and when "A against B" is settled.

An interval for one look is wrong far more often than it says when it is looked at again after every vote. A
confidence sequence is wrong at any look, ever, with the stated chance: stop when it pleases you.

The clock is information, not votes: a difference of variance v stands at 4 / v *even votes*, the number of
decided votes between two equals that would tell as much. So it holds however votes are spread over pairs.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import inf, log, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, lambertw, ndtri

from ranking.battles import Floats

# A decided vote between equals carries a quarter of a squared logit of information.
VARIANCE_OF_EVEN_VOTE = 4.0
# In even votes: where the sequence is tightest, and before which it says nothing, for it is a limit theorem.
TUNED_AT = 1000.0
FIRST_LOOK = 20.0
# In even votes: nobody waits longer.
MOST_VOTES = 1e12


class Decision(StrEnum):
    """What the watched interval of a difference says of it."""

    SEPARATED = "separated"
    PRACTICALLY_EQUAL = "practically_equal"
    OPEN = "open"


@dataclass(frozen=True)
class Comparison:
    """One difference, seen once and watched.

    Parameters
    ----------
    difference, variance : float
        In logits and logits squared.
    level : float
        Of both intervals.
    once : (float, float)
        The interval for a single look, planned before the votes.
    watched : (float, float)
        The interval for any number of looks; infinite before FIRST_LOOK.
    decision : Decision
        `practically_equal` if the watched interval lies within the margin, else `separated` if it lies to
        one side of zero. Both hold for good, with one error of 1 - level for all looks.
    votes : float
        Even votes so far.
    further : float
        Even votes still needed if the difference stays what it is; 0 when decided, infinite if no number
        of votes decides it.
    """

    difference: float
    variance: float
    level: float
    once: tuple[float, float]
    watched: tuple[float, float]
    decision: Decision
    votes: float
    further: float

    def further_of_board(self, votes: float) -> float:
        """Return how many further votes of the board it takes, spread as its `votes` so far were."""
        return votes * self.further / self.votes

    def further_of_pair(self, *, tie_share: float = 0.0) -> float:
        """Return how many further votes it takes, all between these two and ties among them as often as said."""
        return self.further / VARIANCE_OF_EVEN_VOTE * direct_variance(self.difference, tie_share)


def watched_interval(
    difference: Floats, variance: Floats, *, level: float, tuned_at: float = TUNED_AT
) -> tuple[Floats, Floats]:
    """Return the ends of the intervals that hold at every look at once.

    Parameters
    ----------
    difference, variance : (n,) float64
        Of differences, or of strengths, with their robust variances above 0: logits, logits squared.
    level : float
        The chance, for one difference, that no interval from FIRST_LOOK on ever misses it.
    tuned_at : float
        At how many even votes it is tightest. Chosen before the votes are looked at.

    Returns
    -------
    (n,) and (n,) float64
        In logits; -inf and +inf before FIRST_LOOK.

    Source
    ------
    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), "Time-uniform central limit theory and asymptotic
    confidence sequences", Annals of Statistics 52; its boundary is the normal mixture of Robbins (1970),
    "Statistical methods related to the law of the iterated logarithm".
    """
    votes = VARIANCE_OF_EVEN_VOTE / variance
    reach = np.sqrt(variance) * standard_errors(votes, level=level, tuned_at=tuned_at)
    reach = np.where(votes < FIRST_LOOK, inf, reach)
    return difference - reach, difference + reach


def standard_errors(votes: Floats, *, level: float, tuned_at: float = TUNED_AT) -> Floats:
    """Return how many standard errors the interval reaches to either side after so many even votes.

    With n votes, error a and mixture r it is sqrt((1 + r/n) log((1 + n/r) / a^2)).
    """
    error = 1 - level
    mixture = tuned_at / _votes_per_mixture(error)
    reach: Floats = np.sqrt((1 + mixture / votes) * np.log((1 + votes / mixture) / error**2))
    return reach


def _votes_per_mixture(error: float) -> float:
    """Return the n / r at which the reach is least: y - 1 with y - log(y) = 1 - 2 log(error)."""
    return float(-lambertw(-(error**2) / np.e, -1).real) - 1


def compare(
    difference: float,
    variance: float,
    *,
    level: float,
    margin: float = 0.0,
    tuned_at: float = TUNED_AT,
) -> Comparison:
    """Return whether two models are separated, practically equal, or how many votes that still takes.

    Parameters
    ----------
    difference, variance : float
        Of the strengths, in logits and logits squared; the variance from the full robust covariance.
    margin : float
        Differences up to this, in logits, do not matter. At 0 no two models are ever practically equal.

    Raises
    ------
    ValueError
        If the variance is not above 0, the margin below 0, or the level not between 0 and 1.
    """
    _check(variance, level, margin)
    reach = float(ndtri((1 + level) / 2)) * sqrt(variance)
    ends = watched_interval(
        np.array([difference]), np.array([variance]), level=level, tuned_at=tuned_at
    )
    watched = float(ends[0][0]), float(ends[1][0])
    votes = VARIANCE_OF_EVEN_VOTE / variance
    decision = _decide(watched, margin)
    needed = max(abs(difference), margin - abs(difference))
    further = 0.0
    if decision is Decision.OPEN:
        further = max(_votes_to_reach(needed, level, tuned_at) - votes, 0.0)
    return Comparison(
        difference=difference,
        variance=variance,
        level=level,
        once=(difference - reach, difference + reach),
        watched=watched,
        decision=decision,
        votes=votes,
        further=further,
    )


def direct_variance(difference: float, tie_share: float) -> float:
    """Return how much, in logits squared, one vote between two models leaves open of their difference.

    (p (1 - p) - t/4) / (p (1 - p))^2 with p what the first is expected to score and t the share of ties.
    """
    chance = float(expit(difference))
    information = chance * (1 - chance)
    most_ties = 2 * min(chance, 1 - chance)
    return (information - min(tie_share, most_ties) / 4) / information**2


def _check(variance: float, level: float, margin: float) -> None:
    if not 0 < variance < inf:
        raise ValueError(f"variance is {variance}; expected a finite number above 0")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected a share between 0 and 1")
    if not 0 <= margin < inf:
        raise ValueError(f"margin is {margin}; expected a finite number, 0 or more")


def _decide(watched: tuple[float, float], margin: float) -> Decision:
    lower, upper = watched
    if -margin <= lower and upper <= margin:
        return Decision.PRACTICALLY_EQUAL
    return Decision.SEPARATED if lower > 0 or upper < 0 else Decision.OPEN


def _votes_to_reach(width: float, level: float, tuned_at: float) -> float:
    """Return after how many even votes the watched interval reaches no further than `width` to either side."""

    def excess(log_votes: float) -> float:
        votes = np.exp(log_votes)
        reach = standard_errors(votes, level=level, tuned_at=tuned_at)
        return float(reach * sqrt(VARIANCE_OF_EVEN_VOTE / votes)) - width

    first, last = log(FIRST_LOOK), log(MOST_VOTES)
    if excess(last) > 0:
        return inf
    return float(np.exp(brentq(excess, first, last))) if excess(first) > 0 else FIRST_LOOK
