"""Ranks that hold for all models at once: who surely stands above whom, with one error for all pairs together.

A set [1 + models surely above, m - models surely below] for every model. With probability `level`, for many
votes, no pair is put in the wrong order, so every set holds its model's true rank.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ranking.battles import Flags, Floats
from ranking.bootstrap import Draws
from ranking.ranks import Places
from ranking.resampling import Floats32

# Rounds that leave a judged model without a finite strength count as errors. They may use up this part of the
# error that `level` allows; the models that would use more are judged against nobody.
SPENT_ON_UNBOUNDED = 0.1
# Two models whose difference varies less than this, in logits, show no spread: nothing separates them.
NO_SPREAD = 1e-9


@dataclass(frozen=True, eq=False)
class RankSets:
    """Who surely stands above whom, and what that leaves open.

    Parameters
    ----------
    above : (m, m) bool
        Whether the row's model surely stands above the column's.
    open : (m,) bool
        Models that too many rounds leave without a finite strength: above and below nobody.
    critical : float
        How many standard errors a difference had to reach in the last step; infinite if none would do.
    """

    above: Flags
    open: Flags
    critical: float

    @property
    def low(self) -> Places:
        """The best rank that is left open to each model, (m,) int64."""
        low: Places = 1 + self.above.sum(0)
        return low

    @property
    def high(self) -> Places:
        """The worst rank that is left open to each model, (m,) int64."""
        high: Places = len(self.above) - self.above.sum(1)
        return high


@dataclass(frozen=True, eq=False)
class Deviations:
    """How far the rounds stray from the fit, in standard errors of each pair.

    Parameters
    ----------
    strength : (m, rounds) float32
        What each round adds to each strength; 0 where it has no finite strength.
    weight : (m, m) float32
        One over the standard error of each difference; 0 for a pair that is not judged.
    unbounded : (rounds,) bool
        Rounds that leave a judged model without a finite strength.
    """

    strength: Floats32
    weight: Floats32
    unbounded: Flags

    def largest(self, claims: Flags) -> Floats:
        """Return (rounds,): the largest claim of `row above column` that noise alone makes in each round."""
        two_sided = np.triu(claims & claims.T)
        one_sided = claims & ~claims.T
        largest = np.zeros(self.strength.shape[1], np.float32)
        for model in range(len(claims)):
            for others, either_way in ((two_sided[model], True), (one_sided[model], False)):
                stray = self._against(model, np.flatnonzero(others))
                if len(stray):
                    size = np.abs(stray, out=stray) if either_way else stray
                    np.maximum(largest, size.max(0), out=largest)
        return np.where(self.unbounded, np.inf, largest)

    def _against(self, model: int, others: NDArray[np.intp]) -> Floats32:
        """Return (others, rounds): how far each round moves `model` up against each of the others."""
        stray: Floats32 = self.strength[model] - self.strength[others]
        stray *= self.weight[model, others, None]
        return stray


def rank_sets(strength: Floats, draws: Draws, *, level: float, step_down: bool = True) -> RankSets:
    """Return the sets of ranks that hold for all models at once with probability `level`.

    A pair is in sure order when its difference, in its standard errors, is more than the largest that noise
    makes of any pair in all but 1 - level of the rounds: max-t. The step-down then asks again with the
    claims that are left, as often as that settles more of them; no claim of the first step is lost.

    Parameters
    ----------
    strength : (m,) float64
        The fit, in logits.
    draws : Draws
        Around it: `gaussian_draws` or `bootstrap`. The standard errors of the pairs are theirs.
    level : float
        Between 0 and 1; 1 - level bounds the chance of any wrong pair. With fewer than 1 / (1 - level)
        rounds nothing is sure.
    step_down : bool
        Whether to go on after the first step.

    Source
    ------
    Romano and Wolf (2005), "Exact and approximate stepdown methods for multiple hypothesis testing", JASA
    100; ranks by them: Mogstad, Romano, Shaikh and Wilhelm (2024), "Inference for ranks with applications to
    mobility across neighbourhoods and academic achievement across countries", Review of Economic Studies
    91; sets from joint intervals of differences: Klein, Wright and Wieczorek (2020), "A joint confidence
    region for an overall ranking of populations", Journal of the Royal Statistical Society C 69.
    """
    is_open = _left_open(draws, SPENT_ON_UNBOUNDED * (1 - level))
    deviations = _deviations(strength, draws, is_open)
    lead = (strength[:, None] - strength) * deviations.weight
    claims = deviations.weight > 0
    above = np.zeros_like(claims)
    while True:
        critical = _quantile(deviations.largest(claims & ~above), level)
        found = lead > critical
        if not step_down or not (found & ~above).any():
            return RankSets(above | found, is_open, critical)
        above |= found


def separable_classes(strength: Floats, above: Flags) -> Places:
    """Return (m,) the class of each model, 1 for the best: within a class no pair is in sure order.

    From the top down, each model joins the class above it unless some member of that class surely stands
    above it; then it opens the next class. So classes are runs of the order, and no cut of the order into
    runs without a sure pair has fewer. Two models on either side of a border may still be inseparable.
    """
    order = np.argsort(-strength, kind="stable")
    classes = np.ones(len(order), np.int64)
    start = 0
    for place, model in enumerate(order):
        if above[order[start:place], model].any():
            start = place
            classes[order[place:]] += 1
    return classes


def _left_open(draws: Draws, most: float) -> Flags:
    """Return (m,) the models to leave out, so that the rest are all finite in all but a share `most` of rounds."""
    missing = ~draws.identified
    order = np.argsort(missing.sum(0), kind="stable")
    lost = np.logical_or.accumulate(missing[:, order], axis=1).mean(0)
    is_open = np.empty(len(order), np.bool_)
    is_open[order] = lost > most
    return is_open


def _deviations(strength: Floats, draws: Draws, is_open: Flags) -> Deviations:
    unbounded: Flags = np.logical_or.reduce(~draws.identified[:, ~is_open], axis=1)
    stray = np.where(draws.identified, draws.strength, strength) - strength
    weight = _weight(stray[~unbounded])
    weight[is_open] = 0.0
    weight[:, is_open] = 0.0
    return Deviations(
        np.ascontiguousarray(stray.T, np.float32), weight.astype(np.float32), unbounded
    )


def _weight(stray: Floats) -> Floats:
    """Return (m, m): one over the standard deviation of each difference, 0 if it does not vary."""
    covariance = np.cov(stray, rowvar=False).reshape(stray.shape[1], -1)
    own = covariance.diagonal()
    spread = np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 0.0))
    varies = spread > NO_SPREAD
    return np.where(varies, 1 / np.where(varies, spread, 1.0), 0.0)


def _quantile(largest: Floats, level: float) -> float:
    """Return the smallest value that `level` of rounds + 1 do not exceed; infinite if there are too few."""
    place = ceil(level * (len(largest) + 1) - 1e-9)
    return float(np.sort(largest)[place - 1]) if place <= len(largest) else float("inf")
