"""What a joint fit reads, and one pass over its rows: the log-likelihood and its derivatives.

A style fit has millions of rows and takes a handful of passes, so a pass is written for the processor's cache:
what is computed of each row is computed a block at a time, and sums over models are tallies or sparse
products.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ranking.battles import Battles, Floats, tally
from ranking.covariates import Covariates, columns_of
from ranking.ties import Terms, TieModel, outcome_terms, values_and_terms

BLOCK_ROWS = 8192

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Design:
    """What a joint fit reads.

    Parameters
    ----------
    battles : Battles
        n rows over m models.
    columns : (n, k) float64
        Differences in favour of the first shown: the seat, then the covariates.
    names : tuple of str
        Of the p further parameters: the columns, and "tie" if the tie parameter is fitted.
    ties : TieModel
    """

    battles: Battles
    columns: Floats
    names: tuple[str, ...]
    ties: TieModel

    @property
    def fits_tie(self) -> bool:
        """Whether the last parameter is that of ties."""
        return self.names[-1:] == ("tie",)

    @cached_property
    def first(self) -> Places:
        """The models shown first, (n,): as numpy counts places, so that no pass turns them into that again."""
        return self.battles.first.astype(np.int64)

    @cached_property
    def second(self) -> Places:
        """The models shown second, likewise."""
        return self.battles.second.astype(np.int64)

    @cached_property
    def pair(self) -> Places:
        """One number for both, (n,)."""
        return self.first * self.battles.n_models + self.second

    @cached_property
    def turned(self) -> Floats:
        """The columns, (k, n), each in one piece: sums along a column are read from here, rows from `columns`."""
        n, k = self.columns.shape
        turned = np.empty((k, n))
        for rows in _blocks(n):  # at once, every value would be fetched from far away
            turned[:, rows] = self.columns[rows].T
        return turned

    def difference(self, parameters: Floats) -> Floats:
        """Return (n,): the difference of every row in logits."""
        m, k = self.battles.n_models, self.columns.shape[1]
        difference: Floats = np.take(parameters, self.first)
        difference -= np.take(parameters, self.second)
        if k:
            difference += parameters[m : m + k] @ self.turned
        return difference

    def net(self, values: Floats) -> Floats:
        """Return (m,): the values added up over the rows where a model is first, less where it is second."""
        m = self.battles.n_models
        return tally(self.first, values, m) - tally(self.second, values, m)

    def tie(self, parameters: Floats) -> float:
        """Return the tie parameter; 0 for half ties, which have none."""
        return float(parameters[-1]) if self.fits_tie else 0.0

    def thinned(self, step: int) -> "Design":
        """Return the design of every `step`-th row."""
        battles = self.battles
        some = Battles(
            battles.first[::step],
            battles.second[::step],
            battles.score[::step],
            battles.weight[::step],
            battles.n_models,
        )
        columns = np.ascontiguousarray(self.columns[::step])
        return Design(some, columns, self.names, self.ties)


class Slope(NamedTuple):
    """The log-likelihood, its gradient (m + p,) and minus its second derivatives (m + p, m + p)."""

    value: float
    gradient: Floats
    curvature: Floats


class Pass(NamedTuple):
    """What one pass finds: (n,) derivatives of each row times its weight, and what is summed on the way.

    Parameters
    ----------
    difference, spread, cross : (n,) float64
        The first derivative in the difference, minus the second, and minus that in the difference and the
        tie parameter; `cross` is empty without a tie parameter.
    value, tie, tie_curvature : float
        The log-likelihood, and its derivatives in the tie parameter: the first, and minus the second.
    """

    difference: Floats
    spread: Floats
    cross: Floats
    value: float
    tie: float
    tie_curvature: float


def design_of(
    battles: Battles, *, ties: TieModel, position: bool, covariates: Covariates | None
) -> Design:
    """Return what a joint fit of these battles reads."""
    names, columns = columns_of(battles, position=position, covariates=covariates)
    if ties is not TieModel.HALF:
        names = (*names, "tie")
    return Design(battles, columns, names, ties)


def terms_at(design: Design, parameters: Floats) -> Terms:
    """Return the derivatives of one vote of each row."""
    difference = design.difference(parameters)
    return outcome_terms(design.ties, difference, design.battles.score, design.tie(parameters))


def slope_at(design: Design, parameters: Floats) -> Slope:
    """Return the log-likelihood and its derivatives at some parameters."""
    seen = _pass_over(design, parameters)
    parts = [design.net(seen.difference), design.turned @ seen.difference]
    if design.fits_tie:
        parts.append(np.array([seen.tie]))
    curvature = _products(design, seen.spread, seen.cross, seen.tie_curvature)
    return Slope(seen.value, np.concatenate(parts), curvature)


def scatter_at(design: Design, parameters: Floats) -> Floats:
    """Return the sum over votes of the outer product of each one's gradient, (m + p, m + p)."""
    terms, weight = terms_at(design, parameters), design.battles.weight
    pull = weight * terms.difference
    of_ties = float(weight @ terms.tie**2) if design.fits_tie else 0.0
    return _products(design, pull * terms.difference, pull * terms.tie, of_ties)


def _products(design: Design, between: Floats, across: Floats, of_ties: float) -> Floats:
    """Return a symmetric (m + p, m + p) sum over rows of products of what they hang on.

    Parameters
    ----------
    between, across : (n,) float64
        What a row adds for two of its strengths and columns, and for one of them and the tie parameter.
    of_ties : float
        What all rows add for the tie parameter twice.
    """
    m, p, k = design.battles.n_models, len(design.names), design.columns.shape[1]
    products = np.zeros((m + p, m + p))
    products[:m, :m] = _laplacian(design, between)
    if k:
        products[:m, m : m + k] = _net_columns(design, between)
        products[m : m + k, m : m + k] = _between_columns(design, between)
    if design.fits_tie:
        products[:m, -1] = design.net(across)
        products[m : m + k, -1] = products[-1, m : m + k] = design.turned @ across
        products[-1, -1] = of_ties
    products[m:, :m] = products[:m, m:].T
    return products


def _pass_over(design: Design, parameters: Floats) -> Pass:
    battles, n = design.battles, len(design.battles)
    ahead, tie = design.difference(parameters), design.tie(parameters)
    difference, spread, cross = np.empty(n), np.empty(n), np.empty(n if design.fits_tie else 0)
    sums = np.zeros(3)
    for rows in _blocks(n):
        weight = battles.weight[rows]
        values, terms = values_and_terms(design.ties, ahead[rows], battles.score[rows], tie)
        np.multiply(weight, terms.difference, out=difference[rows])
        np.multiply(weight, terms.curvature, out=spread[rows])
        sums[0] += weight @ values
        if design.fits_tie:
            np.multiply(weight, terms.cross, out=cross[rows])
            sums[1:] += weight @ terms.tie, weight @ terms.tie_curvature
    value, by_tie, tie_curvature = sums.tolist()
    return Pass(difference, spread, cross, value, by_tie, tie_curvature)


def _blocks(n: int) -> Iterator[slice]:
    for start in range(0, n, BLOCK_ROWS):
        yield slice(start, min(start + BLOCK_ROWS, n))


def _net_columns(design: Design, values: Floats) -> Floats:
    """Return (m, k): each column times the values, added up as by `Design.net`."""
    battles, n = design.battles, len(design.battles)
    one_each = np.arange(n + 1, dtype=np.int32)
    sums = np.zeros((battles.n_models, design.columns.shape[1]))
    for models, seat in ((battles.first, 1.0), (battles.second, -1.0)):
        of_rows = csr_array((seat * values, models, one_each), (n, battles.n_models))
        sums += np.asarray(of_rows.T @ design.columns)
    return sums


def _between_columns(design: Design, values: Floats) -> Floats:
    """Return (k, k): the products of two columns times the values, added up."""
    k = design.columns.shape[1]
    products = np.zeros((k, k))
    for rows in _blocks(len(values)):
        columns = design.turned[:, rows]
        products += (columns * values[rows]) @ columns.T
    return products


def _laplacian(design: Design, spread: Floats) -> Floats:
    """Return (m, m): minus the second derivatives in the strengths."""
    m = design.battles.n_models
    between = tally(design.pair, spread, m * m).reshape(m, m)
    between = between + between.T
    laplacian: Floats = np.diag(between.sum(1)) - between
    return laplacian
