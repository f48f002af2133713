"""The Bradley-Terry fit, ties as half a win to each side.

P(i beats j) = e^{s_i} / (e^{s_i} + e^{s_j}) with strengths s in logits that sum to zero.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dposv, dpotrf, dpotri

from ranking.battles import Battles, Floats
from ranking.connectivity import is_table_connected, strong_groups
from ranking.errors import NotConnectedError, NotConvergedError

GRADIENT_TOLERANCE = 1e-9
MOST_STEPS = 200
# Under this spread a whole Newton step cannot lower the likelihood; above it log(1 + spread) is safe.
SAFE_SPREAD = 1.5


class Table(NamedTuple):
    """All that a fit reads of the battles: (m,) points scored and (m, m) how often each pair met."""

    points: Floats
    meetings: Floats


class Slope(NamedTuple):
    """First and second derivatives of the log-likelihood: gradient (m,) and curvature (m, m)."""

    gradient: Floats
    curvature: Floats


@dataclass(frozen=True, eq=False)
class Fit:
    """The maximum of the likelihood and how the search for it ended.

    Parameters
    ----------
    strength : (m,) float64
        In logits, mean zero.
    curvature : (m, m) float64
        Minus the second derivatives there: a positive semidefinite graph Laplacian.
    iterations : int
        Newton steps taken.
    gradient_norm : float
        The largest |gradient| of a model, divided by the model's battles; below GRADIENT_TOLERANCE.
    """

    strength: Floats
    curvature: Floats
    iterations: int
    gradient_norm: float


def fit(battles: Battles) -> Fit:
    """Return the strengths that make the battles most likely.

    Newton's method on the m strengths. Near the top every step squares the error, so once the gradient is
    under the tolerance one more step takes it to the limit of float64.

    Raises
    ------
    ValueError
        If there are fewer than two models.
    NotConnectedError
        If the battles do not join all models into one group: no finite strengths are the best.
    NotConvergedError
        If the gradient is not under GRADIENT_TOLERANCE per battle after MOST_STEPS.

    Source
    ------
    Zermelo (1929), "Die Berechnung der Turnier-Ergebnisse als ein Maximumproblem der
    Wahrscheinlichkeitsrechnung"; Bradley and Terry (1952), "Rank analysis of incomplete block designs".
    """
    if battles.n_models < 2:
        raise ValueError(f"found {battles.n_models} models; a fit compares at least two")
    scores = battles.score_table()
    if not is_table_connected(scores):
        raise NotConnectedError([group.tolist() for group in strong_groups(battles)])
    return maximise(scores, np.zeros(battles.n_models))


def maximise(scores: Floats, start: Floats) -> Fit:
    """Return the fit of a connected (m, m) table of scores, searched from `start`."""
    table = Table(scores.sum(1), scores + scores.T)
    battles = table.meetings.sum(1)
    strength, norm = start - start.mean(), np.inf
    for iteration in range(1, MOST_STEPS + 1):
        slope = slope_at(table, strength)
        norm = _gradient_norm(slope, battles)
        strength = strength + _step(slope, norm)
        if norm < GRADIENT_TOLERANCE:
            strength -= strength.mean()
            slope = slope_at(table, strength)
            return Fit(strength, slope.curvature, iteration, _gradient_norm(slope, battles))
    raise NotConvergedError(
        f"the gradient is {norm:.1e} per battle after {MOST_STEPS} steps, expected below "
        f"{GRADIENT_TOLERANCE:.0e}. Look for a model that loses almost nothing, or wins almost nothing.",
        norm,
    )


def slope_at(table: Table, strength: Floats) -> Slope:
    """Return the derivatives at some strengths.

    No exponential is taken in the m x m part: it would be most of the cost.
    """
    with np.errstate(
        over="ignore", invalid="ignore"
    ):  # what overflows is caught as a gradient of NaN
        odds = np.exp(strength)
        share: Floats = odds[:, None] + odds
        np.divide(odds[:, None], share, out=share)
        expected = table.meetings * share
        share -= 1
        curvature = np.multiply(expected, share, out=share)
    np.fill_diagonal(curvature, 0.0)
    np.fill_diagonal(curvature, -curvature.sum(1))
    return Slope(table.points - expected.sum(1), curvature)


def inverse_curvature(curvature: Floats) -> Floats:
    """Return the pseudo-inverse of a curvature: its rows sum to zero, as the strengths do.

    Adding c to every element moves only the null space, the vector of ones, to m c; what the inverse then
    holds of it is taken off again. Nothing is shrunk.
    """
    c = _size(curvature)
    lower, _ = dpotrf((curvature + c).T, lower=1, overwrite_a=True)
    half, failed = dpotri(lower, lower=1, overwrite_c=True)
    assert failed == 0, "a fit has a curvature that factors"
    whole: Floats = half + np.tril(half, -1).T - 1 / (c * len(curvature) ** 2)
    return whole


def _size(curvature: Floats) -> float:
    """Return what to add to every element, so that the null space is as large as the rest is on average."""
    return float(curvature.trace()) / len(curvature) ** 2


def _gradient_norm(slope: Slope, battles: Floats) -> float:
    norm = float(np.max(np.abs(slope.gradient) / battles))
    if not np.isfinite(norm):
        raise NotConvergedError("the strengths left the range of float64.", norm)
    return norm


def _step(slope: Slope, norm: float) -> Floats:
    """Return the Newton step, shortened so that the likelihood is sure to rise.

    The bound is that of Bach (2010), "Self-concordant analysis for logistic regression": with d the
    largest difference that a step makes to any pair, the curvature changes by at most a factor e^d.
    """
    whole = slope.curvature + _size(slope.curvature)
    _, step, failed = dposv(whole.T, slope.gradient, overwrite_a=True)
    if failed:
        raise NotConvergedError(
            "the curvature is singular in float64: some models are all but separated.", norm
        )
    spread = float(np.ptp(step))
    reach = max(SAFE_SPREAD, float(np.log1p(spread)))
    shortened: Floats = step if spread <= reach else step * (reach / spread)
    return shortened
