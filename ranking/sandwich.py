"""The robust covariance of the strengths: it holds when votes vary less or more than the model says."""

import numpy as np
from scipy.special import ndtri

from ranking.battles import Battles, Floats
from ranking.bradley_terry import Fit, inverse_curvature
from ranking.covariates import Covariates
from ranking.joint import scatter


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
    covariance: Floats = bread @ scatter(battles, fit, covariates) @ bread
    return covariance


def wald_interval(strength: Floats, covariance: Floats, *, level: float) -> tuple[Floats, Floats]:
    """Return (m,) lower and (m,) upper ends of the normal interval around each strength, in logits."""
    reach = ndtri((1 + level) / 2) * np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    return strength - reach, strength + reach
