"""What ties and seats do to the ratings: fitted beside them, or with them, and put into points."""

import numpy as np
from scipy.special import ndtri

from arena.rating_runs.findings import Estimate, Findings, VotesToFlip
from arena.rating_runs.method import Method
from arena.rating_runs.solution import Solution
from ranking import (
    POINTS_PER_LOGIT,
    Fit,
    Flip,
    FlipEnding,
    NotIdentifiedError,
    TieModel,
    adjacent_flips,
    fit,
    sandwich,
)
from ranking.battles import Floats
from ranking.errors import RankingError

# How likely a model is among so many of the best is kept.
TOP_PLACES = (1, 3, 5, 10)
# The leads at the top are those that people ask about; a search takes milliseconds each.
MOST_FLIPS = 20


def find_findings(names: list[str], solution: Solution | None, method: Method) -> Findings:
    """Return what the votes of the rated models say beside their ratings."""
    if solution is None:
        return Findings(position_applied=method.position)
    position, absent = position_effect(solution, method)
    return Findings(
        tie_parameter=tie_parameter(solution, method),
        half_tie_slope=half_tie_slope(solution),
        position=position,
        position_absent=absent,
        position_applied=method.position,
        interval=solution.intervals.used,
        interval_rule=solution.intervals.rule,
        clusters=() if solution.clusters is None else solution.clusters.n_clusters,
        style=style_effects(solution, method),
        quasi_worst=quasi_worst(solution),
        top_chances=chances_of_places(names, solution),
        votes_to_flip=neighbours(names, solution),
        indistinguishable=classes_of(names, solution),
        surely_above=surely_above(solution),
    )


def tie_parameter(solution: Solution, method: Method) -> Estimate | None:
    """Return Davidson's v or Rao and Kupper's r; its interval is that of its logarithm."""
    if "tie" not in solution.fit.extra_names:
        return None
    ends = np.exp(_ends(solution.fit, solution.covariance, "tie", method))
    return Estimate(*ends.tolist())


def position_effect(solution: Solution, method: Method) -> tuple[Estimate | None, str | None]:
    """Return what the first seat adds, in points, or why that is not known."""
    found, covariance = solution.fit, solution.covariance
    if "position" not in found.extra_names:
        try:
            found = fit(
                solution.battles, ties=found.ties, position=True, covariates=solution.covariates
            )
        except NotIdentifiedError as error:
            return None, str(error)
        covariance = sandwich(solution.battles, found, solution.covariates)
    ends = POINTS_PER_LOGIT * _ends(found, covariance, "position", method)
    return Estimate(*ends.tolist()), None


def style_effects(solution: Solution, method: Method) -> dict[str, Estimate] | None:
    """Return what one typical difference of each feature adds, in points."""
    covariates = solution.covariates
    if covariates is None:
        return None
    found = {
        name: POINTS_PER_LOGIT * _ends(solution.fit, solution.covariance, name, method)
        for name in covariates.names
    }
    return {name: Estimate(*ends.tolist()) for name, ends in found.items()}


def half_tie_slope(solution: Solution) -> float | None:
    """Return the slope of the half-tie strengths over Davidson's; None where there is nothing to compare.

    Over strengths of mean zero the least-squares slope is the sum of products over the sum of squares.
    """
    if solution.fit.ties is not TieModel.HALF or not (solution.battles.score == 0.5).any():
        return None
    position = "position" in solution.fit.extra_names
    try:
        other = fit(
            solution.battles,
            ties=TieModel.DAVIDSON,
            position=position,
            covariates=solution.covariates,
        ).strength
    except RankingError:
        # Nothing but ties, or Davidson's model has no finite fit: then there is no slope to show.
        return None
    size = float(other @ other)
    return float(other @ solution.fit.strength) / size if size > 0 else None


def quasi_worst(solution: Solution) -> float | None:
    """Return the largest relative error of a pair's standard error by quasi-variances."""
    quasi = solution.certainty.quasi
    return None if quasi is None else max(abs(quasi.of_pairs.low), abs(quasi.of_pairs.high))


def chances_of_places(names: list[str], solution: Solution) -> dict[str, dict[str, float]]:
    """Return how likely each model is among the best k, for a few k below the number of models."""
    chances = solution.certainty.chances
    return {
        str(k): {
            name: float(chance)
            for name, chance in zip(names, chances[:, k - 1], strict=True)
            if np.isfinite(chance)
        }
        for k in TOP_PLACES
        if k < len(names)
    }


def neighbours(names: list[str], solution: Solution) -> tuple[VotesToFlip, ...]:
    """Return how few votes hold up each lead, from the top."""
    found = solution.fit
    if "position" in found.extra_names or solution.covariates is not None:
        return ()
    flips = adjacent_flips(solution.battles.paired(), found, most=MOST_FLIPS)
    return tuple(_held_by(names, flip) for flip in flips)


def _held_by(names: list[str], flip: Flip) -> VotesToFlip:
    is_flipped = flip.ending is FlipEnding.FLIPPED
    votes = flip.votes if is_flipped else None
    return VotesToFlip(names[flip.leader], names[flip.follower], votes, is_flipped)


def classes_of(names: list[str], solution: Solution) -> tuple[tuple[str, ...], ...]:
    """Return the models of each class, the best first."""
    order = np.argsort(-solution.fit.strength, kind="stable")
    classes: dict[int, list[str]] = {}
    for model in order:
        classes.setdefault(int(solution.certainty.classes[model]), []).append(names[model])
    return tuple(tuple(members) for members in classes.values())


def surely_above(solution: Solution) -> tuple[str, ...]:
    """Return whom each model surely stands above, as bits in hexadecimal."""
    return tuple(row.tobytes().hex() for row in np.packbits(solution.certainty.above, axis=1))


def _ends(found: Fit, covariance: Floats, name: str, method: Method) -> Floats:
    """Return a further parameter with the ends of its normal interval."""
    place = found.place(name)
    estimate = found.extra[place - len(found.strength)]
    reach = ndtri((1 + method.level) / 2) * np.sqrt(covariance[place, place])
    return np.array([estimate, estimate - reach, estimate + reach])
