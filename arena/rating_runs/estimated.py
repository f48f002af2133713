"""The rows of a table by other strengths of the same models than those that it was made with."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from arena.rating_runs.intervals import NO_WIDTH
from arena.rating_runs.table import ModelRating, RatingTable
from arena.terms import RatingStatus
from ranking import (
    Estimate,
    Scale,
    Verdicts,
    anchored,
    competition_ranks,
    rank_intervals,
    wald_interval,
)
from ranking.battles import Floats, tally


def rated_by(
    estimate: Estimate, table: RatingTable, *, battles: Mapping[str, int]
) -> tuple[ModelRating, ...]:
    """Return all models of a table, the rated ones with the numbers of an estimate.

    An unrated model keeps its place and its reason. Wins, losses and ties stay those of the table.

    Parameters
    ----------
    estimate : Estimate
        Over the rated models of the table, in its order.
    battles : mapping
        How many battles each rated model has in it.
    """
    unrated = [row for row in table.models if row.status is not RatingStatus.RATED]
    rows = [*_rated(estimate, table, battles=battles), *unrated]
    return tuple(sorted(rows, key=lambda row: (row.rank or len(rows) + 1, row.model)))


def battles_of_each(verdicts: Verdicts) -> Floats:
    """Return (m,): how many battles each model has among the verdicts."""
    m = verdicts.n_models
    return tally(verdicts.first, verdicts.weight, m) + tally(verdicts.second, verdicts.weight, m)


def _rated(
    estimate: Estimate, table: RatingTable, *, battles: Mapping[str, int]
) -> list[ModelRating]:
    strength, level = estimate.strength, table.method.level
    lower, upper = wald_interval(strength, estimate.covariance, level=level)
    has_width = upper - lower >= NO_WIDTH
    scale = _scale(strength, table)
    points, low_end, high_end = (scale.rating(ends) for ends in (strength, lower, upper))
    of_name = {row.model: row for row in table.models}
    rows = [of_name[name] for name in table.covariance_models]
    rank = _first_rank(rows) - 1 + competition_ranks(strength)
    # What votes do not bound may stand anywhere, so it narrows no range.
    open_end = np.full(_unbounded(table), np.inf)
    low, high = rank_intervals(np.append(lower, -open_end), np.append(upper, open_end))
    return [
        replace(
            row,
            strength=float(strength[place]),
            rating=float(points[place]),
            lower=float(low_end[place]) if has_width[place] else None,
            upper=float(high_end[place]) if has_width[place] else None,
            rank=int(rank[place]),
            rank_low=int(low[place]),
            rank_high=int(high[place]),
            rank_set_low=None,
            rank_set_high=None,
            chance_best=None,
            battles=battles[row.model],
        )
        for place, row in enumerate(rows)
    ]


def _first_rank(rated: list[ModelRating]) -> int:
    """Return the rank of the best rated model: over it stand those that never lost to one."""
    return min(row.rank for row in rated if row.rank is not None)


def _unbounded(table: RatingTable) -> int:
    """Return how many models have a rank and no rating."""
    unrated = (row for row in table.models if row.status is not RatingStatus.RATED)
    return sum(row.rank is not None for row in unrated)


def _scale(strength: Floats, table: RatingTable) -> Scale:
    """Return the scale of the table: the anchor at its points if it is rated, else the pool's mean at 1000."""
    names, anchor = table.covariance_models, table.method.anchor
    if anchor is None or anchor[0] not in names:
        return Scale()
    return anchored(strength, names.index(anchor[0]), anchor[1])
