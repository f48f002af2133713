"""The robust covariance of the strengths: it holds when votes vary less or more than the model says."""

import numpy as np
from scipy.special import ndtri

from ranking.battles import Battles, Floats, tally
from ranking.bradley_terry import Fit, inverse_curvature


def sandwich(battles: Battles, fit: Fit) -> Floats:
    """Return the robust covariance of the strengths.

    With H the curvature and G the scatter of the gradients of single battles, it is pinv(H) G pinv(H).
    Half ties vary less than the Bradley-Terry equations allow for; pinv(H) alone would be too wide.
    Nothing is added to the diagonal, so a model with few battles among many gets its full width.

    Parameters
    ----------
    battles : Battles
        Over m models that are connected; weights are numbers of battles.
    fit : Fit
        Their fit.

    Returns
    -------
    (m, m) float64
        In logits squared. Every row sums to zero, as the strengths do. The variance of a difference is
        V[i, i] + V[j, j] - 2 V[i, j].

    Source
    ------
    Huber (1967), "The behavior of maximum likelihood estimates under nonstandard conditions";
    White (1982), "Maximum likelihood estimation of misspecified models".
    """
    bread = inverse_curvature(fit.curvature)
    covariance: Floats = bread @ _scatter(battles, fit.strength) @ bread
    return covariance


def wald_interval(strength: Floats, covariance: Floats, *, level: float) -> tuple[Floats, Floats]:
    """Return (m,) lower and (m,) upper ends of the normal interval around each strength, in logits."""
    reach = ndtri((1 + level) / 2) * np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    return strength - reach, strength + reach


def _scatter(battles: Battles, strength: Floats) -> Floats:
    """Return the sum over battles of the outer product of each one's gradient, (m, m)."""
    m = battles.n_models
    odds = np.exp(strength)
    expected = odds[battles.first] / (odds[battles.first] + odds[battles.second])
    squares = battles.weight * (battles.score - expected) ** 2
    pair = battles.first.astype(np.int64) * m + battles.second
    between = tally(pair, squares, m * m).reshape(m, m)
    between = between + between.T
    scatter: Floats = np.diag(between.sum(1)) - between
    return scatter
