"""How far apart two models are, and how well that is known: from the covariance, never from two bars."""

import math
from dataclasses import dataclass

from scipy.special import ndtri, stdtrit

from ranking.battles import Floats


@dataclass(frozen=True)
class Contrast:
    """The strength of one model less that of another.

    Parameters
    ----------
    estimate, standard_error : float
        In logits.
    degrees : float
        Of freedom of Student's t; inf is the normal distribution.
    """

    estimate: float
    standard_error: float
    degrees: float = math.inf

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the lower and the upper end, in logits.

        Without any spread there is nothing to go by, and both ends are infinite: zero width would be a lie.
        """
        reach = quantile(level, self.degrees) * self.standard_error
        if reach == 0:
            return -math.inf, math.inf
        return self.estimate - reach, self.estimate + reach


def contrast(
    strength: Floats, covariance: Floats, *, model: int, other: int, degrees: float = math.inf
) -> Contrast:
    """Return how far `model` stands above `other`.

    Parameters
    ----------
    strength : (m,) float64
        In logits.
    covariance : (m + p, m + p) float64
        Of the strengths and of further parameters, which are not read.
    model, other : int
        Two models, 0 to m - 1.
    degrees : float
        Of freedom.

    Raises
    ------
    ValueError
        If the two are one, or not among the models.
    """
    m = len(strength)
    if model == other or not (0 <= model < m and 0 <= other < m):
        raise ValueError(f"found models {model} and {other}; expected two of 0 to {m - 1}")
    variance = covariance[model, model] + covariance[other, other] - 2 * covariance[model, other]
    return Contrast(
        estimate=float(strength[model] - strength[other]),
        standard_error=math.sqrt(max(float(variance), 0.0)),
        degrees=degrees,
    )


def quantile(level: float, degrees: float) -> float:
    """Return how many standard errors an interval of this level reaches to either side."""
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected a share between 0 and 1")
    chance = (1 + level) / 2
    return float(ndtri(chance) if math.isinf(degrees) else stdtrit(degrees, chance))
