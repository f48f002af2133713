"""The fit: which strengths, and which further parameters, make the battles most likely."""

import numpy as np

from ranking.battles import Battles, Floats
from ranking.bradley_terry import Fit, maximise
from ranking.connectivity import is_table_connected, strong_groups
from ranking.covariates import Covariates
from ranking.errors import NotConnectedError
from ranking.joint import maximise_jointly
from ranking.ties import TieModel


def fit(
    battles: Battles,
    *,
    ties: TieModel = TieModel.HALF,
    position: bool = False,
    covariates: Covariates | None = None,
) -> Fit:
    """Return the strengths that make the battles most likely, and the further parameters asked for.

    Newton's method on all of them. Near the top every step squares the error, so a step that is small leaves
    an error at the limit of float64; then the gradient must be under the tolerance as well.

    Parameters
    ----------
    battles : Battles
        n rows over m models. With `position` the seats of the rows must be those of the battles: do not
        pair them first.
    ties : TieModel
        What a tie is.
    position : bool
        Whether to fit what the first seat adds to a model's strength, in logits.
    covariates : Covariates or None
        Over the n rows.

    Raises
    ------
    ValueError
        If there are fewer than two models.
    NotConnectedError
        If the battles do not join all models into one group: no finite strengths are the best.
    NotIdentifiedError
        If a further parameter cannot be told from the strengths, or has no finite best value.
    NotConvergedError
        If the gradient is not under the tolerance after the most steps allowed.

    Source
    ------
    Zermelo (1929), "Die Berechnung der Turnier-Ergebnisse als ein Maximumproblem der
    Wahrscheinlichkeitsrechnung"; Bradley and Terry (1952), "Rank analysis of incomplete block designs";
    seats: Davidson and Beaver (1977), "On extending the Bradley-Terry model to incorporate within-pair order
    effects".
    """
    scores = connected_scores(battles)
    if ties is TieModel.HALF and not position and covariates is None:
        return maximise(scores, np.zeros(battles.n_models))
    return maximise_jointly(battles, ties=ties, position=position, covariates=covariates)


def connected_scores(battles: Battles) -> Floats:
    """Return the table of scores of battles that have a finite fit, and raise for others."""
    if battles.n_models < 2:
        raise ValueError(f"found {battles.n_models} models; a fit compares at least two")
    scores = battles.score_table()
    if not is_table_connected(scores):
        raise NotConnectedError([group.tolist() for group in strong_groups(battles)])
    return scores
