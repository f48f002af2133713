"""Battles weighted by how unlikely they were: what they would be had every pair been drawn alike."""

from dataclasses import dataclass

import numpy as np

from ranking.battles import Battles, Floats

LARGEST_WEIGHT = 20.0


@dataclass(frozen=True, eq=False)
class Reweighted:
    """The same n rows of battles with inverse-propensity weights; the mean weight of a battle is 1.

    Its fit is `fit(found.battles)`, and the covariance of that `sandwich(found.squared, fit(found.battles))`:
    a gradient that enters the fit with a weight u enters the scatter with u squared.

    Parameters
    ----------
    battles : Battles
        Each row stands for as many battles as before, times its weight.
    squared : Battles
        The same, times the square of its weight.
    weight : (n,) float64
        The weight of one battle of each row.
    capped : float
        How many battles had a larger weight, which was cut to the largest allowed.
    effective : float
        How many battles of equal weight would say as much: (sum of weights)^2 / sum of squared weights.
    """

    battles: Battles
    squared: Battles
    weight: Floats
    capped: float
    effective: float


def reweighted(
    battles: Battles, probability: Floats, *, largest: float = LARGEST_WEIGHT
) -> Reweighted:
    """Return battles weighted by one over the probability with which each one's pair was drawn.

    The weights are divided by their mean over battles. What is then above `largest` is cut to it, and the
    mean made 1 again; pairs so rarely drawn stand for less than their due. With a floor of epsilon no
    weight comes near 1 / epsilon means, so the cap is for propensities of other makers.

    Parameters
    ----------
    battles : Battles
        n rows over m models.
    probability : (n,) float64
        Of the pair of each row when it was drawn, above 0 and at most 1.
    largest : float
        The cap on a weight, in multiples of the mean before anything is cut; at least 1.

    Raises
    ------
    ValueError
        If there are fewer or more probabilities than rows, one is not above 0 and at most 1, or the cap is
        below 1.

    Source
    ------
    Horvitz and Thompson (1952), "A generalization of sampling without replacement from a finite universe";
    the number of effective battles: Kish (1965), "Survey sampling".
    """
    if probability.shape != battles.weight.shape:
        raise ValueError(
            f"found {len(probability)} probabilities for {len(battles)} rows of battles"
        )
    impossible = ~((probability > 0) & (probability <= 1))
    if impossible.any():
        row = int(np.argmax(impossible))
        raise ValueError(
            f"battle {row} was drawn with probability {probability[row]}; expected above 0 and at most 1. "
            "Leave out battles of which it is not known."
        )
    if not largest >= 1:
        raise ValueError(f"the largest weight is {largest}; expected at least 1, the mean")
    n = battles.weight
    raw = _with_mean_one(1 / probability, n)
    weight = _with_mean_one(np.minimum(raw, largest), n)
    return Reweighted(
        battles=_times(battles, weight),
        squared=_times(battles, weight**2),
        weight=weight,
        capped=float(n[raw > largest].sum()),
        effective=float((n @ weight) ** 2 / (n @ weight**2)),
    )


def _with_mean_one(weight: Floats, battles: Floats) -> Floats:
    scaled: Floats = weight * (battles.sum() / (battles @ weight))
    return scaled


def _times(battles: Battles, factor: Floats) -> Battles:
    columns = (battles.first, battles.second, battles.score, battles.weight * factor)
    return Battles(*columns, battles.n_models)
