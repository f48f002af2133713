"""How far each voter moves the ratings: what would change, to first order, without the votes of one person."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ranking.battles import Battles, Floats, tally
from ranking.bradley_terry import Fit, inverse_curvature
from ranking.covariates import Covariates
from ranking.joint import gradients
from ranking.ranks import Places
from ranking.scale import POINTS_PER_LOGIT

TOP_VOTERS = 20
# Voters at a time, so that what each moves of all models need not be held for all voters.
BLOCK_VOTERS = 4096


@dataclass(frozen=True, eq=False)
class Leverage:
    """The voters who move the ratings most, k of them, the one who moves most first.

    Parameters
    ----------
    voter : (k,) int64
        As they were numbered.
    votes : (k,) float64
        How many votes each cast.
    norm : (k,) float64
        The length of the voter's effect on all ratings together, in points.
    model : (k,) int64
        The model that the voter moves most.
    displacement : (k,) float64
        By how much, in points: above 0 the votes raise the model, and it would fall without them.
    n_voters : int
        How many voters there are in all.
    """

    voter: Places
    votes: Floats
    norm: Floats
    model: Places
    displacement: Floats
    n_voters: int


def leverage(
    battles: Battles,
    fit: Fit,
    voter: NDArray[np.integer],
    *,
    top: int = TOP_VOTERS,
    covariates: Covariates | None = None,
) -> Leverage:
    """Return the voters whose votes move the ratings most.

    With g the sum of the gradients of a voter's votes and H the curvature, the votes move the strengths by
    pinv(H) g. That is to first order; a voter who cast most of a model's votes moves it further.

    Parameters
    ----------
    battles : Battles
        n rows over m models, none of two voters.
    fit : Fit
        Their fit.
    voter : (n,) integers
        Whose each row is.
    top : int
        How many voters to return; fewer if there are not so many.
    covariates : Covariates or None
        Over the n rows, if the fit has any.

    Raises
    ------
    ValueError
        If there is not one voter for each row.

    Source
    ------
    The influence function of an M-estimator: Hampel (1974), "The influence curve and its role in robust
    estimation"; of voters on arenas: Min and others (2025), "Improving your model ranking on Chatbot Arena
    by vote rigging", arXiv 2501.17858.
    """
    if voter.shape != battles.first.shape:
        raise ValueError(
            f"found {voter.shape} voters for {len(battles)} rows; expected one for each row"
        )
    names, number = np.unique(voter, return_inverse=True)
    pull = _gradients_by_voter(battles, fit, number, covariates)
    inverse = inverse_curvature(fit.curvature, battles.n_models)[:, : battles.n_models]
    effects = [
        _summary(pull[start : start + BLOCK_VOTERS] @ inverse)
        for start in range(0, len(names), BLOCK_VOTERS)
    ]
    norm, model, displacement = (np.concatenate(part) for part in zip(*effects, strict=True))
    first = np.argsort(-norm, kind="stable")[:top]
    return Leverage(
        voter=names[first].astype(np.int64),
        votes=tally(number, battles.weight, len(names))[first],
        norm=POINTS_PER_LOGIT * norm[first],
        model=model[first],
        displacement=POINTS_PER_LOGIT * displacement[first],
        n_voters=len(names),
    )


def _gradients_by_voter(
    battles: Battles, fit: Fit, number: Places, covariates: Covariates | None
) -> csr_array:
    """Return (voters, m + p): the gradients of each voter's votes, added up."""
    slope, m = gradients(battles, fit, covariates), battles.n_models
    along = battles.weight * slope.difference
    further = (battles.weight[:, None] * slope.extra).T
    places = [np.full(len(battles), m + place) for place in range(len(further))]
    columns = np.concatenate([battles.first, battles.second, *places])
    rows = np.tile(number, 2 + len(further))
    values = np.concatenate([along, -along, *further])
    return csr_array((values, (rows, columns)), (int(number.max()) + 1, m + len(further)))


def _summary(effect: Floats) -> tuple[Floats, Places, Floats]:
    """Return of (voters, m) effects the length, the model moved most, and by how much."""
    model = np.abs(effect).argmax(1)
    return np.sqrt((effect**2).sum(1)), model, effect[np.arange(len(effect)), model]
