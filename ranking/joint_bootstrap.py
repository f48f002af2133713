"""Resamples of a joint fit: strengths with a seat effect or a model of ties, refitted to counts drawn again."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ranking.battles import Battles, Flags, Floats
from ranking.bootstrap import BLOCK_ROUNDS, Draws
from ranking.bradley_terry import Fit, inverse_curvature
from ranking.design import Design, design_of, terms_at
from ranking.errors import RankingError
from ranking.identification import Identification, Standing, identification
from ranking.joint import maximise_design

# In logits, what the last step of a chord may leave to go.
CHORD_ERROR = 1e-8
MOST_CHORD_STEPS = 60


@dataclass(frozen=True, eq=False)
class Search:
    """What all rounds share: the cells, the point fit, and the inverse of its curvature."""

    design: Design
    point: Floats
    inverse: Floats
    identification: Identification

    @property
    def n_models(self) -> int:
        """How many of the parameters are strengths."""
        return self.design.battles.n_models


class Round(NamedTuple):
    """What one round says of each model; see `Draws`."""

    strength: Floats
    absent: Flags


def bootstrap_jointly(battles: Battles, fit: Fit, *, rounds: int, seed: int) -> Draws:
    """Return the strengths of `rounds` resamples of the battles, all parameters fitted again in each.

    The cells (first, second, outcome) get Poisson weights. A round whose votes do not identify a further
    parameter, as one that drew no tie, places no model.

    Parameters
    ----------
    battles : Battles
        Over m connected models, the seats kept; weights are numbers of battles.
    fit : Fit
        Their fit, with a seat effect or a tie parameter and no covariates: counts do not hold those.

    Source
    ------
    As `bootstrap`; the chord is Newton's method with the point fit's curvature.
    """
    search = _prepare(battles.merged(), fit)
    generator = np.random.default_rng(seed)
    found: list[Round] = []
    for start in range(0, rounds, BLOCK_ROUNDS):
        size = min(BLOCK_ROUNDS, rounds - start)
        drawn = generator.poisson(search.design.battles.weight, (size, len(search.design.battles)))
        standing = search.identification.standing(drawn.T.astype(np.float32))
        found += [_round(search, weight, standing, number) for number, weight in enumerate(drawn)]
    return Draws(*(np.stack(columns) for columns in zip(*found, strict=True)))


def _prepare(cells: Battles, fit: Fit) -> Search:
    position = "position" in fit.extra_names
    design = design_of(cells, ties=fit.ties, position=position, covariates=None)
    return Search(
        design=design,
        point=np.concatenate([fit.strength, fit.extra]),
        inverse=inverse_curvature(fit.curvature, cells.n_models),
        identification=identification(cells),
    )


def _round(search: Search, weight: Floats, standing: Standing, number: int) -> Round:
    """Return what one round says, its identified models moved to their mean in the point fit."""
    identified = standing.identified[:, number]
    above, below = standing.above[:, number], standing.below[:, number]
    strength = np.where(above, np.inf, np.where(below, -np.inf, 0.0))
    models = np.flatnonzero(identified)
    fitted = _chord(search, weight.astype(np.float64)) if identified.all() else None
    if fitted is None:
        fitted = _exact(search, weight, models)
    if fitted is None:
        return Round(np.zeros(search.n_models), np.ones(search.n_models, np.bool_))
    strength[models] = fitted + (search.point[models] - fitted).mean()
    return Round(strength, ~(identified | above | below))


def _chord(search: Search, weight: Floats) -> Floats | None:
    """Return the (m,) strengths that chord steps lead to, None if they do not settle."""
    parameters = search.point.copy()
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # a run-away is not settled
        for _ in range(MOST_CHORD_STEPS):
            step = search.inverse @ _gradient(search.design, parameters, weight)
            parameters += step
            if np.abs(step).max() < CHORD_ERROR:
                return parameters[: search.n_models]
    return None


def _gradient(design: Design, parameters: Floats, weight: Floats) -> Floats:
    terms = terms_at(design, parameters)
    difference = weight * terms.difference
    parts = [design.net(difference), design.turned @ difference]
    if design.fits_tie:
        parts.append(np.array([weight @ terms.tie]))
    return np.concatenate(parts)


def _exact(search: Search, weight: Floats, models: np.ndarray) -> Floats | None:
    """Return the strengths of these models by a whole search, None if the round's votes do not give them."""
    cells, came_up = search.design.battles, weight > 0
    if len(models) == 0:
        return None
    battles = Battles(
        cells.first[came_up],
        cells.second[came_up],
        cells.score[came_up],
        weight[came_up].astype(np.float64),
        cells.n_models,
    ).among(models)
    position = "position" in search.design.names
    try:
        design = design_of(battles, ties=search.design.ties, position=position, covariates=None)
        return maximise_design(design).strength
    except RankingError:
        # This round has no fit; that is counted as a round that places no model.
        return None
