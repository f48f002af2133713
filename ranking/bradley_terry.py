"""The Bradley-Terry fit, ties as half a win to each side.

P(i beats j) = e^{s_i} / (e^{s_i} + e^{s_j}) with strengths s in logits that sum to zero.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dposv, dpotrf, dpotri

from ranking.battles import Floats
from ranking.errors import NotConvergedError
from ranking.ties import TieModel

GRADIENT_TOLERANCE = 1e-9
# In logits, for any pair. The error is squared by a step, so after one this small it is that of float64.
LAST_STEP = 1e-6
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
    curvature : (m + p, m + p) float64
        Minus the second derivatives there, in the strengths and then in the p further parameters. Adding
        one number to all strengths is its only null direction.
    iterations : int
        Newton steps taken.
    gradient_norm : float
        The largest |gradient| of a model, divided by the model's battles; below GRADIENT_TOLERANCE.
    ties : TieModel
    extra_names : tuple of p str
        "position", then the covariates, then "tie".
    extra : (p,) float64
        In logits per unit of the column; of "tie" the logarithm of the tie parameter.
    """

    strength: Floats
    curvature: Floats
    iterations: int
    gradient_norm: float
    ties: TieModel = TieModel.HALF
    extra_names: tuple[str, ...] = ()
    extra: Floats = field(default_factory=lambda: np.zeros(0))

    def place(self, name: str) -> int:
        """Return the row of `curvature`, and of a covariance, in which a further parameter stands."""
        return len(self.strength) + self.extra_names.index(name)


def maximise(scores: Floats, start: Floats) -> Fit:
    """Return the fit of a connected (m, m) table of scores, searched from `start`."""
    table = Table(scores.sum(1), scores + scores.T)
    battles = table.meetings.sum(1)
    strength, norm = start - start.mean(), np.inf
    for iteration in range(1, MOST_STEPS + 1):
        slope = slope_at(table, strength)
        norm = _gradient_norm(slope, battles)
        step = _step(slope, norm)
        strength = strength + step
        if np.ptp(step) < LAST_STEP:
            strength -= strength.mean()
            slope = slope_at(table, strength)
            norm = _gradient_norm(slope, battles)
            if norm < GRADIENT_TOLERANCE:
                return Fit(strength, slope.curvature, iteration, norm)
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


def inverse_curvature(curvature: Floats, n_models: int | None = None) -> Floats:
    """Return the pseudo-inverse of a curvature: its rows over the strengths sum to zero, as those do.

    The first `n_models` rows are strengths, all if it is None. Adding c to every element among them moves
    only the null space, their vector of ones, to m c; what the inverse then holds of it is taken off again.
    Nothing is shrunk.
    """
    m = len(curvature) if n_models is None else n_models
    c = _size(curvature[:m, :m])
    lifted = np.array(curvature.T, order="F")
    lifted[:m, :m] += c
    lower, _ = dpotrf(lifted, lower=1, overwrite_a=True)
    half, failed = dpotri(lower, lower=1, overwrite_c=True)
    assert failed == 0, "a fit has a curvature that factors"
    whole: Floats = half + np.tril(half, -1).T
    whole[:m, :m] -= 1 / (c * m**2)
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
