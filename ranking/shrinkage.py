"""Strengths of a small group of battles, drawn towards what all other battles say, as far as the data ask.

A category's strengths are those of the rest plus a deviation of their own. Both are estimated from battles
that the other does not have, so their errors are independent. How large deviations are is one number, tau,
found from the category itself; its uncertainty is carried into the covariance.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ranking.battles import Floats

# In logits. The prior of tau is flat in its square up to about here, 174 points, and fades beyond.
LARGEST_USUAL_SPREAD = 1.0
# A smooth curve in steps of even prior weight: enough to integrate over tau to a thousandth of a logit.
SPREADS = 200


class Measured(NamedTuple):
    """Strengths in logits with mean zero, (m,), and their covariance, (m, m)."""

    strength: Floats
    covariance: Floats


@dataclass(frozen=True, eq=False)
class Shrunk:
    """A category's strengths after the rest was heard.

    Parameters
    ----------
    strength : (m,) float64
        In logits, mean zero.
    covariance : (m, m) float64
        Of the truth around them.
    spread : float
        In logits: how far the category's strengths stand from those of the rest, a standard deviation.
    weight : float
        0 to 1: how much of a deviation that the category shows is kept, on average over the models.
    """

    strength: Floats
    covariance: Floats
    spread: float
    weight: float


def shrink(own: Measured, rest: Measured) -> Shrunk:
    """Return the strengths of a category given its own battles and all others.

    With d the difference of the two estimates and S the sum of their covariances, d is normal with
    covariance S + tau^2 P, where P takes off the mean. Given tau, the posterior of the strengths is normal
    with mean s - V W d and covariance V - V W V, W the pseudo-inverse of S + tau^2 P. Both are averaged
    over the posterior of tau. Its prior is flat in tau^2 and fades out: one that is flat in tau draws too far, and
    intervals of few models then miss too often.

    Parameters
    ----------
    own, rest : Measured
        Of the same m models in the same order, from battles of the category and from all others. Means
        are taken off.

    Raises
    ------
    ValueError
        If the two are not over the same number of models, or there are fewer than two.

    Source
    ------
    Efron and Morris (1973), "Stein's estimation rule and its competitors"; the prior: Morris (1983),
    "Parametric empirical Bayes inference: theory and applications".
    """
    if len(own.strength) != len(rest.strength) or len(own.strength) < 2:
        raise ValueError(
            f"found {len(own.strength)} models in the category and {len(rest.strength)} in the rest; "
            "expected the same models, at least two"
        )
    own, rest = _centred(own), _centred(rest)
    values, vectors = _spectrum(own.covariance + rest.covariance)
    shown = vectors.T @ (own.strength - rest.strength)
    spreads, chance = _posterior_of_spread(values, shown)
    pull = 1 / (values + spreads[:, None] ** 2)
    mean_pull = chance @ pull
    through = own.covariance @ vectors
    correction = through @ (mean_pull * shown)
    doubt = through @ ((pull - mean_pull) * shown).T
    covariance = own.covariance - (through * mean_pull) @ through.T + (doubt * chance) @ doubt.T
    return Shrunk(
        own.strength - correction,
        (covariance + covariance.T) / 2,
        spread=float(chance @ spreads),
        weight=float(1 - (through * vectors * mean_pull).sum() / len(values)),
    )


def _centred(estimate: Measured) -> Measured:
    """Return the estimate of the deviations from the mean of these models."""
    strength, covariance = estimate
    rows = covariance - covariance.mean(0)
    return Measured(strength - strength.mean(), rows - rows.mean(1, keepdims=True))


def _spectrum(covariance: Floats) -> tuple[Floats, Floats]:
    """Return the (m - 1,) eigenvalues and (m, m - 1) eigenvectors off the vector of ones.

    That vector is moved to the top of the spectrum first, so that it is the last one found.
    """
    m = len(covariance)
    top = 1 + 2 * float(covariance.trace())
    values, vectors = np.linalg.eigh(covariance + top / m)
    return np.maximum(values[:-1], np.finfo(np.float64).tiny), vectors[:, :-1]


def _posterior_of_spread(values: Floats, shown: Floats) -> tuple[Floats, Floats]:
    """Return (SPREADS,) values of tau, and how likely each is given what the category shows."""
    from_prior = (np.arange(SPREADS) + 0.5) / SPREADS
    spreads: Floats = LARGEST_USUAL_SPREAD * np.sqrt(-2 * np.log1p(-from_prior))
    variance = values + spreads[:, None] ** 2
    log_chance = -0.5 * (np.log(variance) + shown**2 / variance).sum(1)
    chance = np.exp(log_chance - log_chance.max())
    return spreads, chance / chance.sum()
