"""Whether a model stayed what it was: an endpoint that is changed silently keeps its name and not its strength.

Each model in turn gets a strength for every period while all others keep one; the test asks whether its
strengths are the same. A model that is found to have drifted would make its opponents look as if they had,
the other way; so it is set aside, and the rest are tested again without its battles.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import pinvh
from scipy.special import chdtrc

from ranking.battles import Battles, Flags, Floats, tally
from ranking.bradley_terry import inverse_curvature
from ranking.connectivity import is_connected
from ranking.fitting import fit
from ranking.joint import gradients
from ranking.ranks import Places
from ranking.sandwich import sandwich


@dataclass(frozen=True, eq=False)
class Constancy:
    """Whether each of m models stayed the same.

    Parameters
    ----------
    statistic : (m,) float64
        How far apart a model's strengths over the periods are, in squared standard errors.
    degrees : (m,) int64
        Periods with battles of the model, less 1: the degrees of freedom. 0 where there is nothing to compare.
    p_value : (m,) float64
        By chi-square; 1 where there is nothing to compare.
    adjusted : (m,) float64
        The same by Holm over all models.
    drifted : (k,) int64
        The models that changed, in the order in which they were found and set aside.
    is_complete : bool
        False where the models left are no longer joined by battles; they were then not tested again.
    """

    statistic: Floats
    degrees: Places
    p_value: Floats
    adjusted: Floats
    drifted: Places
    is_complete: bool


@dataclass(frozen=True, eq=False)
class Course:
    """The strengths of one model over T periods, all others kept constant.

    Parameters
    ----------
    strength : (T,) float64
        In logits over the mean of the other models.
    error : (T,) float64
        Standard errors.
    votes : (T,) float64
        Battles of the model.
    absent : (T,) bool
        True where the model had no battle, won all or lost all; there strength and error are 0 and say nothing.
    """

    strength: Floats
    error: Floats
    votes: Floats
    absent: Flags


class Tables(NamedTuple):
    """Sums over the battles of each period at the fit of all: (T, m) and twice (T, m, m), symmetric.

    Gradients of the strengths, information between models, squares of gradients between models.
    """

    gradient: Floats
    information: Floats
    squares: Floats


class Findings(NamedTuple):
    """Statistic, degrees of freedom and p-value of each model."""

    statistic: Floats
    degrees: Places
    p_value: Floats


def constancy(battles: Battles, period: NDArray[np.integer], *, level: float = 0.95) -> Constancy:
    """Return which models changed over the periods.

    The generalised score test: one Newton step from the fit in which all are constant, with the robust
    covariance there. It needs no fit of a single period, so a period in which a model won all its few
    battles is no obstacle.

    Parameters
    ----------
    battles : Battles
        n rows over m models that are connected.
    period : (n,) integers
        The period of each row, 0 to T - 1.
    level : float
        One less the chance that any model is named where none changed.

    Raises
    ------
    ValueError
        If there is not one period for each row, or one is negative.
    NotConnectedError
        If the battles of all periods together do not join all models.

    Source
    ------
    Boos (1992), "On generalized score tests", The American Statistician 46; Holm (1979), "A simple
    sequentially rejective multiple test procedure".
    """
    _check(battles, period)
    m = battles.n_models
    found = Findings(np.zeros(m), np.zeros(m, np.int64), np.ones(m))
    adjusted, left, floor = np.ones(m), np.arange(m), 0.0
    drifted: list[int] = []
    while True:
        rows = np.isin(battles.first, left) & np.isin(battles.second, left)
        rest = _chosen(battles, rows).among(left)
        if drifted and (len(left) < 2 or not is_connected(rest)):
            return Constancy(*found, adjusted, np.array(drifted, np.int64), is_complete=False)
        tested = _tested(rest, period[rows])
        for column, part in zip(found, tested, strict=True):
            column[left] = part
        adjusted[left] = np.maximum(holm(tested.p_value), floor)
        first = int(np.argmin(tested.p_value))
        floor = float(adjusted[left[first]])
        if floor > 1 - level:
            return Constancy(*found, adjusted, np.array(drifted, np.int64), is_complete=True)
        drifted.append(int(left[first]))
        left = np.delete(left, first)


def course(battles: Battles, period: NDArray[np.integer], model: int) -> Course:
    """Return how one model's strength went over the periods, by the fit in which only it may change.

    Raises
    ------
    ValueError
        If there is not one period for each row, one is negative, or no period of the model can be rated.
    NotConnectedError
        If the battles do not join the other models without this one's one-sided periods.
    """
    _check(battles, period)
    n_periods, m = int(period.max()) + 1, battles.n_models
    own = (battles.first == model) | (battles.second == model)
    score = np.where(battles.first == model, battles.score, 1 - battles.score)
    votes = tally(period[own], battles.weight[own], n_periods)
    scored = tally(period[own], (battles.weight * score)[own], n_periods)
    absent = (scored <= 0) | (scored >= votes)
    # The model keeps its number in the first period that can be rated; each later one is a model of its own.
    rated = np.flatnonzero(~absent)
    if len(rated) == 0:
        raise ValueError(
            f"model {model} has no period in which it neither won all nor lost all; take longer periods"
        )
    number = np.full(n_periods, model, np.int32)
    number[rated[1:]] = m + np.arange(len(rated) - 1)
    kept = ~own | ~absent[period]
    expanded = Battles(
        np.where(battles.first == model, number[period], battles.first)[kept],
        np.where(battles.second == model, number[period], battles.second)[kept],
        battles.score[kept],
        battles.weight[kept],
        m + len(rated) - 1,
    )
    found = fit(expanded)
    others = np.delete(np.arange(m), model)
    contrast = np.zeros((n_periods, expanded.n_models))
    contrast[rated, number[rated]] = 1
    contrast[np.ix_(rated, others)] = -1 / len(others)
    variance = np.einsum("ti,ij,tj->t", contrast, sandwich(expanded, found), contrast)
    return Course(contrast @ found.strength, np.sqrt(np.maximum(variance, 0)), votes, absent)


def holm(p_value: Floats) -> Floats:
    """Return the p-values adjusted for being many, by Holm's step-down."""
    order = np.argsort(p_value, kind="stable")
    stepped = np.maximum.accumulate(p_value[order] * np.arange(len(order), 0, -1))
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def _check(battles: Battles, period: NDArray[np.integer]) -> None:
    if period.shape != battles.first.shape:
        raise ValueError(
            f"found {period.shape} periods for {len(battles)} rows; expected one for each row"
        )
    if period.min(initial=0) < 0:
        raise ValueError(f"found period {period.min()}; expected 0 and up")


def _chosen(battles: Battles, rows: Flags) -> Battles:
    return Battles(
        battles.first[rows],
        battles.second[rows],
        battles.score[rows],
        battles.weight[rows],
        battles.n_models,
    )


def _tested(battles: Battles, period: NDArray[np.integer]) -> Findings:
    tables = _tables(battles, period)
    each = [_test(tables, model) for model in range(battles.n_models)]
    statistic = np.array([value for value, _ in each])
    degrees = np.array([df for _, df in each], np.int64)
    p_value = np.where(degrees > 0, chdtrc(np.maximum(degrees, 1), statistic), 1.0)
    return Findings(statistic, degrees, p_value)


def _tables(battles: Battles, period: NDArray[np.integer]) -> Tables:
    slope, m = gradients(battles, fit(battles)), battles.n_models
    n_periods = int(period.max()) + 1
    start = period.astype(np.int64) * m
    along = battles.weight * slope.difference
    gradient = tally(start + battles.first, along, n_periods * m)
    gradient -= tally(start + battles.second, along, n_periods * m)
    place = (start + battles.first) * m + battles.second
    between = [
        tally(place, battles.weight * values, n_periods * m * m).reshape(n_periods, m, m)
        for values in (slope.curvature, slope.difference**2)
    ]
    information, squares = (table + table.transpose(0, 2, 1) for table in between)
    return Tables(gradient.reshape(n_periods, m), information, squares)


def _test(tables: Tables, model: int) -> tuple[float, int]:
    """Return the statistic of one model and its degrees of freedom."""
    met = np.flatnonzero(tables.information[:, model].sum(1) > 0)
    if len(met) < 2:
        return 0.0, 0
    periods = len(met)
    # Rows and columns: the periods of the model, then all others.
    inverse = inverse_curvature(_expanded(tables.information, model, met))[:periods]
    shift = inverse[:, :periods] @ tables.gradient[met, model]
    covariance = inverse @ _expanded(tables.squares, model, met) @ inverse.T
    shift = shift[1:] - shift[0]
    apart = covariance[1:, 1:] - covariance[1:, :1] - covariance[:1, 1:] + covariance[0, 0]
    return float(shift @ pinvh(apart) @ shift), periods - 1


def _expanded(table: Floats, model: int, met: Places) -> Floats:
    """Return the Laplacian of a table in which the model is another one in each period."""
    total = np.delete(np.delete(table.sum(0), model, 0), model, 1)
    own = np.delete(table[met, model], model, 1)
    between = np.block([[np.zeros((len(met), len(met))), own], [own.T, total]])
    laplacian: Floats = np.diag(between.sum(1)) - between
    return laplacian
