"""Strengths fitted together with a tie parameter, a seat effect and covariates.

The difference of a battle is d = s_first - s_second + x b, with the columns x of the seat and the covariates; what
d means for its outcome is the model of ties.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ranking.battles import Battles, Floats, tally
from ranking.bradley_terry import GRADIENT_TOLERANCE, MOST_STEPS, Fit, maximise
from ranking.connectivity import is_table_connected
from ranking.covariates import Covariates
from ranking.design import Design, Slope, design_of, scatter_at, slope_at, terms_at
from ranking.errors import NotConvergedError, NotIdentifiedError, RankingError
from ranking.ties import TieModel, first_tie_parameter

# Where the likelihood is flat to rounding a step may seem to lower it.
ROUNDING = 1e-12
MOST_HALVINGS = 60
# A share of a column's information that the strengths and the other columns leave; below it there is none.
LEAST_INFORMATION = 1e-9
# A gradient per battle from which one step, squaring the error, leads to the limit of float64.
NEAR = 2e-6
# Where columns decide battles outright the gradient vanishes too, but steps stay as long as they were.
SMALL_STEP = 1e-5
# In logits; a battle beyond it is decided. A fit that goes there has no finite maximum.
LARGEST_DIFFERENCE = 30.0
# From so many rows on, a few steps over every so manieth row come first: they cost little and save whole ones.
MANY_ROWS = 100_000
THINNED_BY = 16
ROUGH_STEPS = 3

SlopeAt = Callable[[Design, Floats], Slope]


class RowGradients(NamedTuple):
    """Derivatives of the log-likelihood of one vote of each of n rows.

    Parameters
    ----------
    difference : (n,) float64
        In the difference: the gradient is +difference at the first model and -difference at the second.
    extra : (n, p) float64
        In the further parameters.
    curvature : (n,) float64
        Minus the second derivative in the difference.
    """

    difference: Floats
    extra: Floats
    curvature: Floats


def maximise_jointly(
    battles: Battles, *, ties: TieModel, position: bool, covariates: Covariates | None
) -> Fit:
    """Return the joint fit of connected battles, by Newton's method on all parameters.

    All three likelihoods are concave; a step that would lower the likelihood is halved until it does not.

    Raises
    ------
    NotIdentifiedError
        If no battle, or every battle, is a tie and the model of ties has a parameter; if the strengths and
        the other columns already say all that a column says; or if columns decide battles outright.
    NotConvergedError
        If the gradient is not under GRADIENT_TOLERANCE per battle after MOST_STEPS.
    """
    return maximise_design(design_of(battles, ties=ties, position=position, covariates=covariates))


def maximise_design(design: Design, slope_at: SlopeAt = slope_at) -> Fit:
    """Return the joint fit of a design; `slope_at` makes the passes over its rows, here or elsewhere."""
    parameters = _start(design)
    slope = slope_at(design, parameters)
    _refuse_unidentified(design, slope.curvature)
    per_battle = _battles_of(design.battles, len(design.names))
    for iteration in range(1, MOST_STEPS + 1):
        before, near = parameters, _norm(slope, per_battle) < NEAR
        parameters, slope = _climb(design, parameters, slope, slope_at=slope_at)
        if near:
            _refuse_decided(design, parameters)
        norm = _norm(slope, per_battle)
        if near and norm < GRADIENT_TOLERANCE and np.abs(parameters - before).max() < SMALL_STEP:
            return _fit(design, parameters, slope, (iteration, norm))
    norm = _norm(slope, per_battle)
    raise NotConvergedError(
        f"the gradient is {norm:.1e} per battle after {MOST_STEPS} steps, expected below "
        f"{GRADIENT_TOLERANCE:.0e}. Leave out a column, or rate with half ties.",
        norm,
    )


def gradients(battles: Battles, fit: Fit, covariates: Covariates | None = None) -> RowGradients:
    """Return the derivatives of one vote of each row at a fit.

    Parameters
    ----------
    battles : Battles
        n rows over the models of the fit; they need not be the rows that were fitted.
    fit : Fit
    covariates : Covariates or None
        Over these rows; the same columns as the fit had.
    """
    design, parameters = _as_fitted(battles, fit, covariates)
    terms = terms_at(design, parameters)
    extra = terms.difference[:, None] * design.columns
    if design.fits_tie:
        extra = np.column_stack([extra, terms.tie])
    return RowGradients(terms.difference, extra, terms.curvature)


def scatter(battles: Battles, fit: Fit, covariates: Covariates | None = None) -> Floats:
    """Return the sum over votes of the outer product of each one's gradient at a fit, (m + p, m + p).

    Battles and covariates are those of `gradients`.
    """
    return scatter_at(*_as_fitted(battles, fit, covariates))


def _as_fitted(battles: Battles, fit: Fit, covariates: Covariates | None) -> tuple[Design, Floats]:
    """Return what a fit would read of these battles, and the parameters that it found."""
    position = "position" in fit.extra_names
    design = design_of(battles, ties=fit.ties, position=position, covariates=covariates)
    if design.names != fit.extra_names:
        raise ValueError(
            f"the fit has the parameters {list(fit.extra_names)} and these rows give "
            f"{list(design.names)}; hand over the covariates that were fitted"
        )
    return design, np.concatenate([fit.strength, fit.extra])


def _start(design: Design) -> Floats:
    """Return where the search begins: for many rows, near the fit of some of them."""
    if len(design.battles) >= MANY_ROWS:
        some = design.thinned(THINNED_BY)
        if is_table_connected(some.battles.score_table()):
            try:
                return _roughly(some)
            except RankingError:
                # What is wrong with some rows need not be with all; those are looked at next.
                return _start_without_columns(design)
    return _start_without_columns(design)


def _roughly(design: Design) -> Floats:
    """Return the parameters after a few steps."""
    parameters = _start_without_columns(design)
    slope = slope_at(design, parameters)
    for _ in range(ROUGH_STEPS):
        parameters, slope = _climb(design, parameters, slope, slope_at=slope_at)
    return parameters


def _start_without_columns(design: Design) -> Floats:
    """Return the half-tie strengths, stretched by what half ties shrink them, and the share of ties as if all were equal."""
    battles = design.battles
    parameters = np.zeros(battles.n_models + len(design.names))
    strength = maximise(battles.score_table(), np.zeros(battles.n_models)).strength
    stretch = 1.0
    if design.fits_tie:
        share = _share_of_ties(battles)
        parameters[-1] = first_tie_parameter(design.ties, share)
        stretch = 1 / (1 - share)
    parameters[: battles.n_models] = strength * stretch
    return parameters


def _share_of_ties(battles: Battles) -> float:
    share = float(battles.weight[battles.score == 0.5].sum() / battles.weight.sum())
    if share in (0.0, 1.0):
        raise NotIdentifiedError(
            f"found {'no tie' if share == 0 else 'nothing but ties'} among the battles; a tie parameter "
            "needs both ties and decided battles. Rate with half ties.",
            ("tie",),
        )
    return share


def _refuse_unidentified(design: Design, curvature: Floats) -> None:
    """Raise if some combination of the further parameters adds nothing to what the strengths say."""
    m, p = design.battles.n_models, len(design.names)
    own = curvature[m:, m:].diagonal()
    _refuse_columns(design, own <= 0)
    cross = curvature[:m, m:] / np.sqrt(own)
    table = curvature[:m, :m] + 1.0 * curvature[:m, :m].trace() / m**2
    explained = cross.T @ cho_solve(cho_factor(table), cross)
    left = curvature[m:, m:] / np.sqrt(np.outer(own, own)) - explained
    size, direction = np.linalg.eigh(left)
    if p and size[0] < LEAST_INFORMATION:
        _refuse_columns(design, np.abs(direction[:, 0]) > 1 / (2 * np.sqrt(p)))


def _refuse_columns(design: Design, blamed: np.ndarray) -> None:
    names = tuple(name for name, is_blamed in zip(design.names, blamed, strict=True) if is_blamed)
    if names:
        raise NotIdentifiedError(
            f"found that {', '.join(names)} cannot be told apart from the strengths: over these battles it "
            "varies only with the models (or not at all). Show pairs in both orders, or leave it out.",
            names,
        )


def _climb(
    design: Design, parameters: Floats, slope: Slope, *, slope_at: SlopeAt
) -> tuple[Floats, Slope]:
    """Return the next parameters and the slope there: a Newton step, halved while it goes down."""
    m = design.battles.n_models
    step = _newton_step(slope, m)
    for _ in range(MOST_HALVINGS):
        found = parameters + step
        if _is_allowed(design, found):
            there = slope_at(design, found)
            if there.value >= slope.value - ROUNDING * abs(slope.value):
                found[:m] -= found[:m].mean()
                return found, there
        step = step / 2
    raise NotConvergedError(
        "no step from here raises the likelihood, although its gradient has not vanished.",
        float(np.abs(slope.gradient).max()),
    )


def _newton_step(slope: Slope, n_models: int) -> Floats:
    m = n_models
    lifted = slope.curvature.copy()
    lifted[:m, :m] += lifted[:m, :m].trace() / m**2
    try:
        step: Floats = cho_solve(cho_factor(lifted), slope.gradient)
    except LinAlgError as error:
        raise NotConvergedError(
            "the curvature is singular in float64: some models or columns are all but separated.",
            float(np.abs(slope.gradient).max()),
        ) from error
    return step


def _is_allowed(design: Design, parameters: Floats) -> bool:
    """Return whether the tie parameter is in its range: for Rao and Kupper above 0."""
    return design.ties is not TieModel.RAO_KUPPER or bool(parameters[-1] > 0)


def _refuse_decided(design: Design, parameters: Floats) -> None:
    difference = design.difference(parameters)
    row = int(np.argmax(np.abs(difference)))
    if abs(difference[row]) > LARGEST_DIFFERENCE:
        columns = tuple(name for name in design.names if name != "tie")
        raise NotIdentifiedError(
            f"found that {', '.join(columns) or 'the strengths'} decide battle {row} outright "
            f"({difference[row]:+.0f} logits): no finite value is the best. Leave a column out, or collect "
            "battles that go against it.",
            columns,
        )


def _battles_of(battles: Battles, n_extra: int) -> Floats:
    """Return (m + p,): of how many battles the gradient in each parameter is the sum."""
    own = tally(battles.first, battles.weight, battles.n_models)
    own += tally(battles.second, battles.weight, battles.n_models)
    return np.append(own, np.full(n_extra, battles.weight.sum()))


def _norm(slope: Slope, per_battle: Floats) -> float:
    return float(np.max(np.abs(slope.gradient) / per_battle))


def _fit(design: Design, parameters: Floats, slope: Slope, ended: tuple[int, float]) -> Fit:
    m = design.battles.n_models
    iterations, norm = ended
    return Fit(
        strength=parameters[:m],
        curvature=slope.curvature,
        iterations=iterations,
        gradient_norm=norm,
        ties=design.ties,
        extra_names=design.names,
        extra=parameters[m:],
    )
