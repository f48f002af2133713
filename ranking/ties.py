"""How likely each outcome of a battle is, given the difference of strengths: three models of ties.

With d the difference in logits in favour of the first shown:

half          P(first) = e^d / (1 + e^d); a tie is half a win to each side, and no outcome of its own
davidson      P(first) : P(tie) : P(second) = e^{d/2} : v : e^{-d/2}, with v = e^t
rao-kupper    P(first) = 1 / (1 + r e^{-d}), P(second) = 1 / (1 + r e^d), a tie is the rest, with r = e^t > 1
"""

from enum import StrEnum
from typing import NamedTuple, assert_never

import numpy as np
from scipy.special import expit

from ranking.battles import Floats


class TieModel(StrEnum):
    """What a tie is."""

    HALF = "half"
    DAVIDSON = "davidson"
    RAO_KUPPER = "rao-kupper"


class Terms(NamedTuple):
    """Derivatives of what one vote of each of n rows adds to the log-likelihood.

    Parameters
    ----------
    difference, tie : (n,) float64
        First derivatives with respect to the difference d and the tie parameter t.
    curvature, cross, tie_curvature : (n,) float64
        Minus the second derivatives: in d twice, in d and t, in t twice. Without a tie parameter those of t
        are 0.
    """

    difference: Floats
    tie: Floats
    curvature: Floats
    cross: Floats
    tie_curvature: Floats


def outcome_terms(ties: TieModel, difference: Floats, score: Floats, tie: float) -> Terms:
    """Return the derivatives of the log-likelihood of one vote of each row.

    Parameters
    ----------
    difference : (n,) float64
        In logits, in favour of the first shown.
    score : (n,) float64
        1, 0.5 or 0.
    tie : float
        The tie parameter t; not read for half ties. Above 0 for Rao-Kupper.

    Source
    ------
    Davidson (1970), "On extending the Bradley-Terry model to accommodate ties in paired comparison
    experiments"; Rao and Kupper (1967), "Ties in paired-comparison experiments".
    """
    match ties:
        case TieModel.HALF:
            return _half(difference, score)
        case TieModel.DAVIDSON:
            return _davidson(difference, score, tie)
        case TieModel.RAO_KUPPER:
            return _rao_kupper(difference, score, tie)
        case _:
            assert_never(ties)


def outcome_chances(
    ties: TieModel, difference: Floats, tie: Floats | float
) -> tuple[Floats, Floats, Floats]:
    """Return the chances that the first wins, that it is a tie, and that the second wins; (n,) each."""
    match ties:
        case TieModel.HALF:
            first = expit(difference)
            return first, np.zeros_like(first), 1 - first
        case TieModel.DAVIDSON:
            up, down = np.exp(difference / 2), np.exp(-difference / 2)
            total = up + down + np.exp(tie)
            return up / total, np.exp(tie) / total, down / total
        case TieModel.RAO_KUPPER:
            first, second = expit(difference - tie), expit(-difference - tie)
            return first, np.expm1(2 * tie) * first * second, second
        case _:
            assert_never(ties)


def log_chances(ties: TieModel, difference: Floats, score: Floats, tie: float) -> Floats:
    """Return (n,): the logarithm of the chance of each row's outcome; half ties take half of either side's."""
    match ties:
        case TieModel.HALF:
            return np.asarray(score * difference - _log1p_exp(difference))
        case TieModel.DAVIDSON:
            total = np.logaddexp(np.logaddexp(difference / 2, -difference / 2), tie)
            return np.asarray((score - 0.5) * difference + tie * (score == 0.5) - total)
        case TieModel.RAO_KUPPER:
            first = (score >= 0.5) * _log1p_exp(tie - difference)
            second = (score <= 0.5) * _log1p_exp(tie + difference)
            return np.asarray((score == 0.5) * np.log(np.expm1(2 * tie)) - first - second)
        case _:
            assert_never(ties)


def values_and_terms(
    ties: TieModel, difference: Floats, score: Floats, tie: float
) -> tuple[Floats, Terms]:
    """Return `log_chances` and `outcome_terms` of the same rows; half ties share the exponential."""
    if ties is TieModel.HALF:
        odds = np.exp(-np.abs(difference))
        value = score * difference - np.maximum(difference, 0.0) - np.log1p(odds)
        return value, _half_of(difference, score, odds)
    outcome = (ties, difference, score, tie)
    return log_chances(*outcome), outcome_terms(*outcome)


def _log1p_exp(values: Floats) -> Floats:
    """Return log(1 + e^x), as np.logaddexp(0, x) does, from functions that work on many numbers at once."""
    logarithm: Floats = np.maximum(values, 0.0) + np.log1p(np.exp(-np.abs(values)))
    return logarithm


def first_tie_parameter(ties: TieModel, share: float) -> float:
    """Return the t at which models of equal strength tie in this share of their battles, between 0 and 1."""
    match ties:
        case TieModel.HALF:
            return 0.0
        case TieModel.DAVIDSON:
            return float(np.log(2 * share / (1 - share)))
        case TieModel.RAO_KUPPER:
            return float(np.log((1 + share) / (1 - share)))
        case _:
            assert_never(ties)


def _half(difference: Floats, score: Floats) -> Terms:
    return _half_of(difference, score, np.exp(-np.abs(difference)))


def _half_of(difference: Floats, score: Floats, odds: Floats) -> Terms:
    """Return the terms by the odds of the weaker side."""
    weaker = odds / (1 + odds)
    stronger = 1 - weaker
    none = np.zeros_like(weaker)
    first = np.where(difference < 0, weaker, stronger)
    return Terms(score - first, none, weaker * stronger, none, none)


def _davidson(difference: Floats, score: Floats, tie: float) -> Terms:
    first, tied, second = outcome_chances(TieModel.DAVIDSON, difference, tie)
    is_tie = score == 0.5
    lead = (first - second) / 2
    return Terms(
        difference=score - 0.5 - lead,
        tie=is_tie - tied,
        curvature=(first + second) / 4 - lead**2,
        cross=-lead * tied,
        tie_curvature=tied * (1 - tied),
    )


def _rao_kupper(difference: Floats, score: Floats, tie: float) -> Terms:
    """Return the terms: a tie counts as both sides' factor at once, times (r^2 - 1)."""
    up, down = difference - tie, -difference - tie
    first, second = expit(up), expit(down)
    above, below = score >= 0.5, score <= 0.5
    is_tie = above & below
    spread_up, spread_down = above * first * (1 - first), below * second * (1 - second)
    return Terms(
        difference=above * (1 - first) - below * (1 - second),
        tie=is_tie * (1 + 1 / np.tanh(tie)) - above * (1 - first) - below * (1 - second),
        curvature=spread_up + spread_down,
        cross=spread_down - spread_up,
        tie_curvature=spread_up + spread_down + is_tie / np.sinh(tie) ** 2,
    )
