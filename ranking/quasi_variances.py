"""One variance for each model such that any two of them add up to that of the difference: bars that may be compared."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ranking.battles import Floats
from ranking.errors import NotConvergedError

TOLERANCE = 1e-10
MOST_STEPS = 200
MOST_HALVINGS = 60
SINGULAR = 1e-12
# No start is so near to zero, relative to the least variance of a difference, that its logarithm runs away.
LEAST_START = 0.05


class Errors(NamedTuple):
    """The worst relative errors of standard errors: how much too small, 0 or below, and how much too large."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class QuasiVariances:
    """Variances that treat the models as if they were independent.

    Parameters
    ----------
    variance : (m,) float64
        In logits squared. Seldom, some model's is negative: every sum of two is positive all the same, but
        there is no bar to draw.
    of_pairs, of_contrasts : Errors
        Over all differences of two models, and over all weighted differences of many.
    """

    variance: Floats
    of_pairs: Errors
    of_contrasts: Errors

    @property
    def errors(self) -> Floats | None:
        """The standard errors to draw, (m,), None if a variance is negative."""
        return np.sqrt(self.variance) if (self.variance >= 0).all() else None


def quasi_variances(covariance: Floats) -> QuasiVariances:
    """Return the variances q for which q_i + q_j is nearest to the variance of i - j, by least squares of logs.

    Two models apart by less than about two roots of q_i + q_j are not told apart; intervals of 1.4
    quasi-standard errors to either side touch just then when the two q are equal.

    Parameters
    ----------
    covariance : (m, m) float64
        Of the strengths, in logits squared. Shifting all strengths together changes nothing.

    Raises
    ------
    ValueError
        If there is one model, or two whose difference has no variance.
    NotConvergedError
        If the search does not settle within MOST_STEPS.

    Source
    ------
    Firth and de Menezes (2004), "Quasi-variances", Biometrika 91, 65-80.
    """
    target = _variances(covariance)
    variance = _search(target) if len(target) > 2 else np.full(2, target[0, 1] / 2)
    return QuasiVariances(
        variance=variance,
        of_pairs=_pair_errors(variance, target),
        of_contrasts=_contrast_errors(variance, covariance),
    )


def _variances(covariance: Floats) -> Floats:
    """Return (m, m) the variances of all differences, 1 on the diagonal so that its logarithm is 0."""
    m = len(covariance)
    if m < 2:
        raise ValueError(
            f"found {m} models; quasi-variances are for the differences of at least two"
        )
    own = covariance.diagonal()
    target: Floats = own[:, None] + own - 2 * covariance
    np.fill_diagonal(target, 1.0)
    if target.min() <= 0:
        one, other = np.unravel_index(np.argmin(target), target.shape)
        raise ValueError(
            f"the difference of models {one} and {other} has the variance {target.min():.1e}; expected "
            "above 0. Leave models without an interval out."
        )
    return target


def _search(target: Floats) -> Floats:
    """Return the best variances, by Gauss and Newton's method with steps halved until the squares shrink."""
    m = len(target)
    total = target.sum(1) - 1
    start: Floats = (total - total.sum() / (2 * (m - 1))) / (m - 2)
    variance: Floats = np.maximum(start, LEAST_START * target.min())
    for _ in range(MOST_STEPS):
        step = _step(variance, target)
        variance = variance + step
        if np.abs(step).max() <= TOLERANCE * np.abs(variance).max():
            return variance
    raise NotConvergedError(
        f"the quasi-variances still move after {MOST_STEPS} steps. Look for models whose differences have "
        "next to no variance.",
        float(np.abs(_slope(variance, target).gradient).max()),
    )


def _step(variance: Floats, target: Floats) -> Floats:
    """Return the longest of the whole, half, quarter ... steps that lowers the squares; none at the end."""
    slope = _slope(variance, target)
    step = -np.linalg.solve(slope.curvature, slope.gradient).astype(np.float64, copy=False)
    for _ in range(MOST_HALVINGS):
        there = variance + step
        if _is_allowed(there) and _slope(there, target).squares <= slope.squares:
            return step
        step = step / 2
    return np.zeros_like(step)


class _Slope(NamedTuple):
    """Half the sum of squares over pairs of models, and its derivatives by Gauss: (m,) and (m, m)."""

    squares: float
    gradient: Floats
    curvature: Floats


def _slope(variance: Floats, target: Floats) -> _Slope:
    sums = variance[:, None] + variance
    np.fill_diagonal(sums, 1.0)
    miss = np.log(sums) - np.log(target)
    weight = sums**-2.0
    np.fill_diagonal(weight, 0.0)
    return _Slope(
        squares=float((miss**2).sum() / 4),
        gradient=(miss / sums).sum(1),
        curvature=np.diag(weight.sum(1)) + weight,
    )


def _is_allowed(variance: Floats) -> bool:
    """Return whether every sum of two is positive."""
    return bool(np.partition(variance, 1)[:2].sum() > 0)


def _pair_errors(variance: Floats, target: Floats) -> Errors:
    one, other = np.triu_indices(len(variance), 1)
    return _worst((variance[one] + variance[other]) / target[one, other])


def _contrast_errors(variance: Floats, covariance: Floats) -> Errors:
    """Return the extremes over all contrasts c of sqrt(c'Qc / c'Vc) - 1, by generalised eigenvalues.

    A contrast that V says nothing varies in is infinitely wrong.
    """
    quasi, true = (
        matrix[:-1, :-1] - matrix[1:, :-1] - matrix[:-1, 1:] + matrix[1:, 1:]
        for matrix in (np.diag(variance), covariance)
    )
    size, axes = np.linalg.eigh(true)
    kept = size > SINGULAR * size[-1]
    root = axes[:, kept] / np.sqrt(size[kept])
    ratios = np.linalg.eigvalsh(root.T @ quasi @ root)
    return _worst(ratios if kept.all() else np.append(ratios, np.inf))


def _worst(ratios: Floats) -> Errors:
    """Return the extremes of the roots of these ratios of variances, less one."""
    errors = np.sqrt(np.maximum(ratios, 0.0)) - 1
    return Errors(min(float(errors.min()), 0.0), max(float(errors.max()), 0.0))
