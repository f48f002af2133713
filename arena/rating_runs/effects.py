"""What ties and seats do to the ratings: fitted beside them, or with them, and put into points."""

import numpy as np
from scipy.special import ndtri

from arena.rating_runs.findings import Estimate, Findings
from arena.rating_runs.method import Method
from arena.rating_runs.solution import Solution
from ranking import POINTS_PER_LOGIT, Fit, NotIdentifiedError, TieModel, fit, sandwich
from ranking.battles import Floats
from ranking.errors import RankingError


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
