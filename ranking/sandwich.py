"""The robust covariance of the strengths: it holds when votes vary less or more than the model says."""

import numpy as np
from scipy.special import ndtri

from ranking.battles import Battles, Floats, tally
from ranking.bradley_terry import Fit, inverse_curvature
from ranking.covariates import Covariates
from ranking.joint import gradients


def sandwich(battles: Battles, fit: Fit, covariates: Covariates | None = None) -> Floats:
    """Return the robust covariance of the strengths and of the further parameters.

    With H the curvature and G the scatter of the gradients of single battles, it is pinv(H) G pinv(H).
    Half ties vary less than the Bradley-Terry equations allow for; pinv(H) alone would be too wide.
    Nothing is added to the diagonal, so a model with few battles among many gets its full width.

    Parameters
    ----------
    battles : Battles
        Over m models that are connected; weights are numbers of battles.
    fit : Fit
        Their fit, with p further parameters.
    covariates : Covariates or None
        Those of the fit.

    Returns
    -------
    (m + p, m + p) float64
        In logits squared. Over the strengths every row sums to zero, as they do. The variance of a
        difference of strengths is V[i, i] + V[j, j] - 2 V[i, j].

    Source
    ------
    Huber (1967), "The behavior of maximum likelihood estimates under nonstandard conditions";
    White (1982), "Maximum likelihood estimation of misspecified models".
    """
    bread = inverse_curvature(fit.curvature, battles.n_models)
    covariance: Floats = bread @ _scatter(battles, fit, covariates) @ bread
    return covariance


def wald_interval(strength: Floats, covariance: Floats, *, level: float) -> tuple[Floats, Floats]:
    """Return (m,) lower and (m,) upper ends of the normal interval around each strength, in logits."""
    reach = ndtri((1 + level) / 2) * np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    return strength - reach, strength + reach


def _scatter(battles: Battles, fit: Fit, covariates: Covariates | None) -> Floats:
    """Return the sum over battles of the outer product of each one's gradient, (m + p, m + p)."""
    m, p = battles.n_models, len(fit.extra)
    rows = gradients(battles, fit, covariates)
    squares = battles.weight * rows.difference**2
    pair = battles.first.astype(np.int64) * m + battles.second
    between = tally(pair, squares, m * m).reshape(m, m)
    between = between + between.T
    scatter = np.zeros((m + p, m + p))
    scatter[:m, :m] = np.diag(between.sum(1)) - between
    for place, column in enumerate(rows.extra.T, start=m):
        products = battles.weight * rows.difference * column
        scatter[:m, place] = tally(battles.first, products, m) - tally(battles.second, products, m)
        scatter[place, :m] = scatter[:m, place]
    scatter[m:, m:] = rows.extra.T @ (battles.weight[:, None] * rows.extra)
    return scatter
