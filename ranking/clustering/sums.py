"""What is added up over clusters, and which clusters need how much work.

CR2 multiplies a cluster's gradient by (I - H_g P)^{-1/2}, with H_g its share of the curvature and P the inverse of
the whole: a cluster that pulls the fit towards itself looks better fitted than it is. The leverage, the
trace of H_g P, bounds all eigenvalues of H_g P, and so says how much work a cluster is:

    little      no factor, and its variances by their bound: no model's is more than leverage times the whole
    some        the factor's series with one term; variances from battles of the model itself
    much        both exactly, unless it is spread over so many directions that none has much
"""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from ranking.battles import Floats

# By how much a factor may be off, relative to itself. The two bounds are where the remainder of the series of
# (1 - x)^{-1/2} reaches it: x / 2 / (1 - x) without a term, 3 x^2 / 8 / (1 - x) with one.
NEGLIGIBLE = 0.005
NO_FACTOR = 2 * NEGLIGIBLE / (1 + 2 * NEGLIGIBLE)
ONE_TERM = (np.sqrt(NEGLIGIBLE**2 + 1.5 * NEGLIGIBLE) - NEGLIGIBLE) / 0.75


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over clusters of their d = m + p gradients, and of the working model's variance that each brings.

    Parameters
    ----------
    scatter : (d, d) float64
        Of the outer products of the corrected gradients.
    own, levered : (m,) float64
        Of o, what a cluster's battles of a model add to the model's variance, and of leverage times o.
    squares : (m, m) float64
        Of the outer products of o, or a bound of it.
    leverage, leverage_squares : float
        Of leverages, over the same clusters: all without much leverage.
    exact, exact_squares : (m, m) float64
        Of the variance that a cluster of much leverage brings, and of its square: to a model's strength on
        the diagonal, to the difference of two models beside it.
    sole : int
        Directions that one cluster alone decides.
    """

    scatter: Floats
    own: Floats
    levered: Floats
    squares: Floats
    leverage: float
    leverage_squares: float
    exact: Floats
    exact_squares: Floats
    sole: int

    @classmethod
    def none(cls, m: int, d: int) -> Self:
        """Return the sums over no cluster."""
        models, table = np.zeros(m), np.zeros((m, m))
        return cls(np.zeros((d, d)), models, models, table, 0.0, 0.0, table, table, 0)

    def __add__(self, other: Self) -> Self:
        names = [field.name for field in fields(self)]
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in names))
