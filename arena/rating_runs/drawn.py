"""A category of votes drawn towards all other votes: another reading of it, for categories that are small."""

from dataclasses import replace

import numpy as np

from arena.rating_runs.counts import Counts
from arena.rating_runs.fitting import battles_of
from arena.rating_runs.method import Method
from arena.rating_runs.table import ModelRating
from arena.terms import Ties
from ranking import (
    Scale,
    ShrunkCategory,
    anchored,
    competition_ranks,
    fit_categories,
    rank_intervals,
    shrink_category,
    wald_interval,
)

DRAWN = "drawn to the rest"


def drawn_to_rest(
    alone: tuple[ModelRating, ...], counts: Counts, whole: Counts, method: Method
) -> tuple[ModelRating, ...] | None:
    """Return the models of a category by its own votes and all others, in order; None where that cannot be.

    It is a fit of half ties without a seat effect or style, and needs two models that both the category and the
    rest rate.

    Parameters
    ----------
    alone : tuple of ModelRating
        The category's ratings by its own votes.
    counts, whole : Counts
        Of the category, and of all votes, those of the category among them.
    """
    if method.ties is not Ties.HALF or method.position or method.style:
        return None
    category = battles_of(_among(counts, whole.models), method)
    (found,) = fit_categories([category], np.zeros(len(whole.models)))
    drawn = None if found is None else shrink_category(category, found, battles_of(whole, method))
    if drawn is None:
        return None
    return _placed({row.model: row for row in alone}, drawn, whole.models, method)


def _among(counts: Counts, names: tuple[str, ...]) -> Counts:
    """Return the counts with models numbered as in `names`."""
    number = {name: place for place, name in enumerate(names)}
    place = np.array([number[name] for name in counts.models], np.int64)
    return replace(counts, models=names, first=place[counts.first], second=place[counts.second])


def _placed(
    alone: dict[str, ModelRating], drawn: ShrunkCategory, models: tuple[str, ...], method: Method
) -> tuple[ModelRating, ...]:
    """Return the models with their drawn numbers, the best first; the mean, or the anchor, where it stood."""
    names, strength = [models[model] for model in drawn.models], drawn.shrunk.strength
    lower, upper = wald_interval(strength, drawn.shrunk.covariance, level=method.level)
    low, high = rank_intervals(lower, upper)
    rank, scale = competition_ranks(strength), Scale()
    if method.anchor is not None and method.anchor[0] in names:
        scale = anchored(strength, names.index(method.anchor[0]), method.anchor[1])
    points = [scale.rating(each).tolist() for each in (strength, lower, upper)]
    rows = [
        replace(
            alone[name],
            strength=float(strength[place]),
            rating=points[0][place],
            lower=points[1][place],
            upper=points[2][place],
            rank=int(rank[place]),
            rank_low=int(low[place]),
            rank_high=int(high[place]),
            rank_set_low=None,
            rank_set_high=None,
            chance_best=None,
        )
        for place, name in enumerate(names)
    ]
    return tuple(sorted(rows, key=lambda row: (row.rank or 0, row.model)))
