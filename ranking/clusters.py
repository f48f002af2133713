"""The covariance when votes come in clusters: those of one voter lean one way, and so do those on one prompt."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ranking.battles import Battles, Floats
from ranking.bradley_terry import Fit, inverse_curvature
from ranking.clustering.little_leverage import sums_of_little
from ranking.clustering.much_leverage import concentration, sums_of_much
from ranking.clustering.rows import Grouped, grouped, kinds_of
from ranking.clustering.some_leverage import sums_of_some
from ranking.clustering.sums import NO_FACTOR, ONE_TERM, Sums
from ranking.contrasts import Contrast, contrast
from ranking.covariates import Covariates
from ranking.labels import Labels, countable

# Up to so many places of gradients, all pairs of places cost less than a dense row of models.
FEW_PLACES = 40
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Clustered:
    """The cluster-robust covariance of a fit.

    Parameters
    ----------
    strength : (m,) float64
        The fit's, in logits.
    covariance : (m + p, m + p) float64
        In logits squared; over the strengths every row sums to zero.
    degrees : (m, m) float64
        Of freedom of Student's t: of a model's strength on the diagonal, beside it of the difference of two.
    n_clusters : tuple of int
        How many clusters each way has: voters, or voters and prompts.
    sole : int
        Directions that one cluster alone decides; there the working model's variance stands in.
    is_repaired : bool
        Whether two ways together gave some combination a negative variance (see `clustered`).
    """

    strength: Floats
    covariance: Floats
    degrees: Floats
    n_clusters: tuple[int, ...]
    sole: int
    is_repaired: bool

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Return (m,) lower and (m,) upper ends, in logits."""
        m = len(self.strength)
        deviation = np.sqrt(np.maximum(self.covariance.diagonal()[:m], 0.0))
        reach = stdtrit(self.degrees.diagonal(), (1 + level) / 2) * deviation
        return self.strength - reach, self.strength + reach

    def contrast(self, model: int, other: int) -> Contrast:
        """Return how far `model` stands above `other`."""
        return contrast(
            self.strength,
            self.covariance,
            model=model,
            other=other,
            degrees=float(self.degrees[model, other]),
        )


def clustered(
    battles: Battles,
    fit: Fit,
    clusters: Sequence[NDArray[np.integer]],
    *,
    covariates: Covariates | None = None,
) -> Clustered:
    """Return the covariance of a fit whose votes are alike within clusters, CR2 with degrees of freedom.

    V = P (sum of g_c g_c') P with P the inverse curvature and g_c = (I - H_c P)^{-1/2} s_c, where s_c is the
    gradient of all rows of a cluster and H_c their share of the curvature: unbiased where the working
    model holds. The further parameters have the factor (1 - share of the votes)^{-1/2}. Degrees of freedom
    are (sum q)^2 / sum q^2 with q the working model's variance that each cluster brings to a strength or a
    difference.

    Two ways give V_1 + V_2 - V_12, where 12 are the votes that share both. Should some combination of
    strengths come out negative, it gets its variance in V_12, as if votes met in nothing but both; the
    degrees of freedom are the smaller of the two ways'.

    Parameters
    ----------
    battles : Battles
        n rows over m models; a row of several votes is of one cluster.
    fit : Fit
        Their fit, with p further parameters.
    clusters : one or two (n,) arrays of integers, not negative
        Of each row the voter; or the voter and the prompt.
    covariates : Covariates or None
        Those of the fit.

    Raises
    ------
    ValueError
        If there are no or more than two ways, one has another length than the battles, a negative number,
        or fewer than two clusters.

    Source
    ------
    Bell and McCaffrey (2002), "Bias reduction in standard errors for linear regression with multi-stage
    samples"; Pustejovsky and Tipton (2018), "Small-sample methods for cluster-robust variance estimation
    and hypothesis testing in fixed effects models"; Cameron, Gelbach and Miller (2011), "Robust inference
    with multiway clustering"; effective numbers of clusters: Carter, Schnepel and Steigerwald (2017),
    "Asymptotic behavior of a t-test robust to cluster heterogeneity".
    """
    ways = [_checked(battles, number, way) for number, way in enumerate(clusters)]
    if not 1 <= len(ways) <= 2:
        raise ValueError(f"found {len(ways)} ways to cluster; expected one or two")
    inverse = inverse_curvature(fit.curvature, battles.n_models)
    kinds, kind_of = kinds_of(battles, fit, inverse, covariates)
    single = [_Way.of(grouped(kinds, kind_of, way), inverse, battles.n_models) for way in ways]
    covariance, is_repaired = single[0].covariance, False
    if len(ways) == 2:
        both = _Way.of(grouped(kinds, kind_of, _joint(*ways)), inverse, battles.n_models)
        covariance, is_repaired = two_way(*(way.covariance for way in (*single, both)))
    return Clustered(
        strength=fit.strength,
        covariance=covariance,
        degrees=np.minimum.reduce([way.degrees for way in single]),
        n_clusters=tuple(way.n_clusters for way in single),
        sole=sum(way.sole for way in single),
        is_repaired=is_repaired,
    )


def two_way(one: Floats, other: Floats, both: Floats) -> tuple[Floats, bool]:
    """Return one + other - both, and whether directions of negative variance had to be set to `both`'s.

    All are (d, d) covariances. A direction is found relative to `both`, so that no unit of measurement
    decides which it is.
    """
    together = one + other - both
    size, axes = np.linalg.eigh(both)
    kept = size > ROUNDING * size[-1]
    root = axes[:, kept] * np.sqrt(size[kept])
    back = axes[:, kept] / np.sqrt(size[kept])
    values, vectors = np.linalg.eigh(back.T @ together @ back)
    is_negative = values < -ROUNDING
    lifted = root @ vectors[:, is_negative]
    repaired: Floats = together + (lifted * (1 - values[is_negative])) @ lifted.T
    return repaired, bool(is_negative.any())


@dataclass(frozen=True, eq=False)
class _Way:
    """What one way to cluster gives."""

    covariance: Floats
    degrees: Floats
    n_clusters: int
    sole: int

    @classmethod
    def of(cls, votes: Grouped, inverse: Floats, n_models: int) -> "_Way":
        sums = _sums(votes, inverse, n_models)
        return cls(
            covariance=inverse @ sums.scatter @ inverse,
            degrees=_degrees(sums, inverse[:n_models, :n_models]),
            n_clusters=len(votes.leverage),
            sole=sums.sole,
        )


def _sums(votes: Grouped, inverse: Floats, n_models: int) -> Sums:
    """Return the sums over all clusters, each by the way that its leverage asks for."""
    little, much = votes.leverage <= NO_FACTOR, votes.leverage > ONE_TERM
    bound = concentration(votes, np.flatnonzero(much), inverse, n_models=n_models)
    much[much] = bound > ONE_TERM
    ways = ((sums_of_little, little), (sums_of_some, ~little & ~much), (sums_of_much, much))
    total = Sums.none(n_models, len(inverse))
    for sums_of, chosen in ways:
        total = total + sums_of(votes, np.flatnonzero(chosen), inverse, n_models=n_models)
    return total


def _degrees(sums: Sums, inverse: Floats) -> Floats:
    """Return (m, m) degrees of freedom, of models on the diagonal and of pairs beside it.

    What clusters of less leverage bring through battles of other models is not taken cluster by cluster:
    it is the rest of the whole variance, in proportion to their leverage.
    """
    own = _of_pairs(sums.own)
    rest = np.maximum(_spread(inverse) - sums.exact - own, 0.0)
    each = rest / sums.leverage if sums.leverage > 0 else np.zeros_like(rest)
    squares = sums.exact_squares + _of_pairs(sums.squares.diagonal(), 2 * sums.squares)
    squares = squares + 2 * each * _of_pairs(sums.levered) + each**2 * sums.leverage_squares
    degrees: Floats = (sums.exact + own + rest) ** 2 / squares
    return degrees


def _of_pairs(models: Floats, both: Floats | float = 0.0) -> Floats:
    """Return (m, m): those of the models on the diagonal, beside it of two added, and what `both` add."""
    table = models[:, None] + models + both
    np.fill_diagonal(table, models)
    return table


def _spread(inverse: Floats) -> Floats:
    """Return (m, m) variances: of models on the diagonal, of differences beside it."""
    return _of_pairs(inverse.diagonal(), -2 * inverse)


def _checked(battles: Battles, number: int, way: NDArray[np.integer]) -> Labels:
    """Return the labels of one way, if they are labels of these battles."""
    if way.shape != battles.first.shape or not np.issubdtype(way.dtype, np.integer):
        raise ValueError(
            f"clusters {number} are {way.dtype} of shape {way.shape}; expected integers, one for each of "
            f"{len(battles)} battles"
        )
    least, most = int(way.min()), int(way.max())
    if least < 0 or least == most:
        raise ValueError(
            f"clusters {number} are numbered {least} to {most}; expected at least two, from 0. Clusters that "
            "are all one say nothing of how they differ."
        )
    return countable(way)


def _joint(one: Labels, other: Labels) -> Labels:
    """Return the labels of the votes that share both."""
    labels: Labels = np.unique(one * (int(other.max()) + 1) + other, return_inverse=True)[1]
    return labels
