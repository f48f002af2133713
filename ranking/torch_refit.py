"""The joint fit with its passes over the rows in torch, on a processor or a graphics card, in float64.

Worth it for many rows with many columns. The small Newton steps stay where they are; only value and derivatives
come from torch, which differentiates the likelihood of a row by itself: nothing of `ranking.ties` is used, so
each of the two checks the other.
"""

from dataclasses import dataclass
from functools import partial
from typing import assert_never

import numpy as np
import torch
from torch.nn.functional import logsigmoid

from ranking.battles import Battles, Floats
from ranking.bradley_terry import Fit
from ranking.covariates import Covariates
from ranking.design import Design, Slope, design_of
from ranking.fitting import connected_scores
from ranking.joint import maximise_design
from ranking.ties import TieModel


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a design on a device; first, second and pair are int64, the rest float64.

    Parameters
    ----------
    pair : (n,) tensor
        m * first + second.
    columns : (n, k) tensor
    """

    first: torch.Tensor
    second: torch.Tensor
    pair: torch.Tensor
    score: torch.Tensor
    weight: torch.Tensor
    columns: torch.Tensor


def refit(
    battles: Battles,
    *,
    ties: TieModel = TieModel.HALF,
    position: bool = False,
    covariates: Covariates | None = None,
    device: str = "cpu",
) -> Fit:
    """Return what `ranking.fit` returns, to 1e-8, with the passes over the rows on a device.

    Parameters
    ----------
    device : str
        What torch calls it: "cpu", "cuda" or "cuda:1".

    Raises
    ------
    ValueError, RankingError
        As `ranking.fit`.
    """
    connected_scores(battles)
    design = design_of(battles, ties=ties, position=position, covariates=covariates)
    rows = _rows_on(torch.device(device), design)
    return maximise_design(design, partial(_slope_at, rows))


def _rows_on(device: torch.device, design: Design) -> Rows:
    battles = design.battles
    first = torch.tensor(battles.first, dtype=torch.int64, device=device)
    second = torch.tensor(battles.second, dtype=torch.int64, device=device)
    score, weight, columns = (
        torch.tensor(values, dtype=torch.float64, device=device)
        for values in (battles.score, battles.weight, design.columns)
    )
    return Rows(first, second, battles.n_models * first + second, score, weight, columns)


def _slope_at(rows: Rows, design: Design, parameters: Floats) -> Slope:
    """Return the log-likelihood and its derivatives at some parameters, summed on the device."""
    m, k = design.battles.n_models, design.columns.shape[1]
    at = torch.tensor(parameters, device=rows.score.device)
    lead = (at[rows.first] - at[rows.second] + rows.columns @ at[m : m + k]).requires_grad_()
    tie = at[-1].expand_as(lead).clone().requires_grad_()
    value = rows.weight * _log_chance(design.ties, rows.score, lead, tie)
    by_lead, by_tie = _derivatives(value, lead, tie)
    spread, cross = (-each for each in _derivatives(by_lead, lead, tie))
    parts = [_net(rows, by_lead, m), by_lead @ rows.columns]
    curvature = at.new_zeros((m + k, m + k))
    curvature[:m, :m] = _laplacian(rows, spread, m)
    for place, column in enumerate(rows.columns.T, start=m):
        curvature[:m, place] = curvature[place, :m] = _net(rows, spread * column, m)
    curvature[m:, m:] = rows.columns.T @ (spread[:, None] * rows.columns)
    if design.fits_tie:
        parts.append(by_tie.sum()[None])
        edge = torch.cat([_net(rows, cross, m), cross @ rows.columns])
        corner = -_derivatives(by_tie, lead, tie)[1].sum()
        curvature = _bordered(curvature, edge, corner)
    gradient = torch.cat(parts)
    return Slope(float(value.detach().sum()), _to_numpy(gradient), _to_numpy(curvature))


def _log_chance(
    ties: TieModel, score: torch.Tensor, lead: torch.Tensor, tie: torch.Tensor
) -> torch.Tensor:
    """Return (n,): the logarithm of how likely the outcome of each row is."""
    match ties:
        case TieModel.HALF:
            return score * logsigmoid(lead) + (1 - score) * logsigmoid(-lead)
        case TieModel.DAVIDSON:
            outcomes = torch.stack([-lead / 2, tie, lead / 2])
            chosen = outcomes.gather(0, (2 * score).round().long()[None])[0]
            return chosen - outcomes.logsumexp(0)
        case TieModel.RAO_KUPPER:
            is_tie = score == 0.5
            both = torch.where(is_tie, torch.log(torch.expm1(2 * tie)), torch.zeros_like(tie))
            first = torch.where(score > 0, logsigmoid(lead - tie), torch.zeros_like(tie))
            second = torch.where(score < 1, logsigmoid(-lead - tie), torch.zeros_like(tie))
            return both + first + second
        case _:
            assert_never(ties)


def _derivatives(
    values: torch.Tensor, lead: torch.Tensor, tie: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (n,) derivatives of each row's value in its lead and in its tie parameter."""
    if not values.requires_grad:
        return torch.zeros_like(lead), torch.zeros_like(tie)
    by_lead, by_tie = torch.autograd.grad(
        values.sum(), (lead, tie), create_graph=True, materialize_grads=True
    )
    return by_lead, by_tie


def _net(rows: Rows, values: torch.Tensor, n_models: int) -> torch.Tensor:
    """Return (m,): the values added up where a model is first, less where it is second."""
    first = torch.bincount(rows.first, values, minlength=n_models)
    return first - torch.bincount(rows.second, values, minlength=n_models)


def _laplacian(rows: Rows, spread: torch.Tensor, n_models: int) -> torch.Tensor:
    size = (n_models, n_models)
    between = torch.bincount(rows.pair, spread, minlength=n_models**2).reshape(size)
    between = between + between.T
    return torch.diag(between.sum(1)) - between


def _bordered(table: torch.Tensor, edge: torch.Tensor, corner: torch.Tensor) -> torch.Tensor:
    """Return the symmetric table with one row and column more."""
    beside = torch.cat([table, edge[:, None]], 1)
    return torch.cat([beside, torch.cat([edge, corner[None]])[None]], 0)


def _to_numpy(values: torch.Tensor) -> Floats:
    found: Floats = values.detach().cpu().numpy().astype(np.float64, copy=False)
    return found
