"""Whether the pairs did what the ratings say, beyond chance: one number for the board, one for each pair.

Half ties vary less than chi-square allows for, so boards are drawn from the fit, ties included, and each is
fitted and judged in the same way.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from ranking.battles import Battles, Floats
from ranking.bradley_terry import Fit
from ranking.chance import Statistic, beside_chance, share_at_least
from ranking.pairs import Expected, Outcomes, Pairs, pairs, refitted, simulated, surplus
from ranking.ranks import Places
from ranking.ties import TieModel

ROUNDS = 499
# A pair whose surplus keeps less than this share of its variance is one that the fit can always meet.
LEAST_FREE = 1e-9


@dataclass(frozen=True, eq=False)
class Goodness:
    """How well a fit describes its p pairs.

    Parameters
    ----------
    pearson, deviance : Statistic
        The sum of squared surpluses over what one would be by the equations, and twice the
        log-likelihood that a rating for each pair by itself would gain.
    free : int
        Pairs less fitted parameters: the degrees of freedom.
    departure : float
        How far the pairs' true scores in one battle lie from the expected ones, root mean square over
        battles, chance taken off; 0 where there is no more than chance. 0.01 is one point in a hundred.
    first, second : (p,) int64
        The models of each pair.
    meetings : (p,) float64
    observed, expected : (p,) float64
        Mean score of the first, half for a tie.
    residual : (p,) float64
        Surplus of the first in standard errors; 0 where the fit can always meet the pair.
    adjusted : (p,) float64
        The share of boards with a pair somewhere at least as far out: a p-value that holds for all pairs at
        once.
    rounds : int
        Boards simulated.
    """

    pearson: Statistic
    deviance: Statistic
    free: int
    departure: float
    first: Places
    second: Places
    meetings: Floats
    observed: Floats
    expected: Floats
    residual: Floats
    adjusted: Floats
    rounds: int

    def worst(self, *, level: float) -> Places:
        """Return the pairs that stand out with an error of at most 1 - level over all, farthest first."""
        order = np.argsort(-np.abs(self.residual), kind="stable")
        return order[self.adjusted[order] <= 1 - level]


def goodness(
    battles: Battles, fit: Fit, generator: np.random.Generator, *, rounds: int = ROUNDS
) -> Goodness:
    """Return how well a fit describes its pairs, with p-values by parametric bootstrap.

    Parameters
    ----------
    battles : Battles
        Over m models; weights are numbers of battles.
    fit : Fit
        Their fit, by any model of ties, without position or covariates. Boards are drawn from its own
        chances; half ties have no chance of a tie, so there each pair ties about as often as it did.

    Raises
    ------
    ValueError
        If the fit has a position or covariates.

    Source
    ------
    Pearson residuals and deviance: McCullagh and Nelder (1989), "Generalized linear models"; p-values by
    simulation: Davison and Hinkley (1997), "Bootstrap methods and their application", section 4.2; one
    maximum over all pairs: Westfall and Young (1993), "Resampling-based multiple testing".
    """
    of = pairs(battles, fit)
    error = np.sqrt(np.maximum(_residual_variance(of), 0.0))
    observed = _statistics(of, of.counts, of.expected, error)
    drawn = np.array([_drawn(of, generator, error) for _ in range(rounds)])
    residual = _in_errors(of.surplus, error)
    return Goodness(
        pearson=beside_chance(observed[0], drawn[:, 0]),
        deviance=beside_chance(observed[1], drawn[:, 1]),
        free=len(of.first) - len(of.inverse) + 1,
        departure=_departure(of, error),
        first=of.first,
        second=of.second,
        meetings=of.counts.meetings,
        observed=of.counts.scored / of.counts.meetings,
        expected=of.expected.chances.scored,
        residual=residual,
        adjusted=share_at_least(np.abs(residual), drawn[:, 2]),
        rounds=rounds,
    )


def _drawn(of: Pairs, generator: np.random.Generator, error: Floats) -> tuple[float, float, float]:
    counts = simulated(of, generator)
    return _statistics(of, counts, refitted(of, counts), error)


def _statistics(
    of: Pairs, counts: Outcomes, expected: Expected, error: Floats
) -> tuple[float, float, float]:
    """Return Pearson's statistic, the deviance and the largest residual of a board."""
    over = surplus(of, counts, expected)
    pearson = float((over**2 / (of.counts.meetings * of.information)).sum())
    largest = float(np.abs(_in_errors(over, error)).max())
    return pearson, _deviance(of.ties, counts, expected.chances), largest


def _in_errors(over: Floats, error: Floats) -> Floats:
    return np.divide(over, error, out=np.zeros_like(over), where=error > 0)


def _deviance(ties: TieModel, counts: Outcomes, chances: Outcomes) -> float:
    """Return twice the log-likelihood that each pair's own shares gain over the fit's chances.

    With half ties the likelihood is that of scores; else of the three outcomes.
    """
    n = counts.meetings
    if ties is TieModel.HALF:
        counts = Outcomes(counts.scored, np.zeros_like(n), n - counts.scored)
    return 2 * sum(
        float((xlogy(count, count) - xlogy(count, n * chance)).sum())
        for count, chance in zip(counts, chances, strict=True)
        if count.any()
    )


def _residual_variance(of: Pairs) -> Floats:
    """Return (p,): the variance of each surplus after the fit has balanced all of them, to first order.

    The fit takes off what it can explain: with W the information, V the variance and P the inverse
    curvature, (I - W B P B') V (I - W B P B')' on its diagonal, B the signs of each pair's two models.
    """
    m, n = of.n_models, of.counts.meetings
    inverse = of.inverse[:m, :m]
    variance, information = n * of.variance, n * of.information
    scatter = np.zeros((m, m))
    scatter[of.first, of.second] = scatter[of.second, of.first] = -variance
    np.fill_diagonal(scatter, -scatter.sum(1))
    reach = _between(of, inverse)
    spread = _between(of, inverse @ scatter @ inverse)
    left = variance - 2 * information * variance * reach + information**2 * spread
    return np.where(left > LEAST_FREE * variance, left, 0.0)


def _between(of: Pairs, matrix: Floats) -> Floats:
    """Return (p,): the quadratic form of a matrix in the difference of each pair."""
    diagonal = matrix.diagonal()
    return diagonal[of.first] + diagonal[of.second] - 2 * matrix[of.first, of.second]


def _departure(of: Pairs, error: Floats) -> float:
    """Return the root mean square of true less expected scores: what chance does not explain, after the fit."""
    n, score = of.counts.meetings, of.chances.scored
    squares = (of.counts.scored - n * of.expected.chances.scored) ** 2
    by_chance = n * (of.chances.win + of.chances.tie / 4 - score**2)
    left = np.divide(error**2, n * of.variance, out=np.zeros_like(n), where=of.variance > 0)
    beyond = float(((squares - left * by_chance) / n).sum())
    return float(np.sqrt(max(beyond, 0.0) / n.sum()))
