"""Strengths drawn around a fit by its covariance: what resamples give, in the limit of many votes, at no cost."""

import numpy as np
from scipy.linalg import eigh

from ranking.battles import Floats
from ranking.bootstrap import Draws


def gaussian_draws(
    strength: Floats, covariance: Floats, *, rounds: int = 1000, seed: int = 0
) -> Draws:
    """Return normal draws of the strengths around their fit.

    Fit for boards on which every model has some tens of wins and of losses; elsewhere the bootstrap. The
    factor is the symmetric root of the covariance, which no choice of eigenvectors changes, so that a seed
    means the same draws on every machine.

    Parameters
    ----------
    strength : (m,) float64
        In logits.
    covariance : (m + p, m + p) float64
        Of the strengths and of further parameters, which are not drawn. In logits squared.
    rounds : int
        How many draws.

    Returns
    -------
    Draws
        (rounds, m); nothing is infinite or absent.
    """
    m = len(strength)
    normal = np.random.default_rng(seed).standard_normal((rounds, m))
    drawn: Floats = strength + normal @ symmetric_root(covariance[:m, :m])
    return Draws(drawn, np.zeros(drawn.shape, np.bool_))


def symmetric_root(covariance: Floats) -> Floats:
    """Return the symmetric (m, m) matrix whose square is the covariance; directions without variance keep none."""
    values, vectors = eigh(covariance)
    root: Floats = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return root
