"""Many categories of battles fitted in one call, each by itself or drawn towards all other battles.

Counts merge by addition: a category is some of the rows of the whole, and the rest is what remains when they are
taken away.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ranking.battles import Battles, Floats, Ints, tally
from ranking.bradley_terry import Fit, inverse_curvature, maximise
from ranking.connectivity import is_table_connected, split
from ranking.shrinkage import Measured, Shrunk, shrink

# Counts are whole, so what is left of one after subtraction is 0 or 1; weights may carry rounding.
LEFT_OVER = 1e-6


@dataclass(frozen=True, eq=False)
class CategoryFit:
    """The half-tie fit of a category by its own battles.

    Parameters
    ----------
    models : (k,) int32
        The models that it rates, in ascending order: those that its battles join to one group.
    fit : Fit
        Of these, in this order.
    covariance : (k, k) float64
    """

    models: Ints
    fit: Fit
    covariance: Floats


@dataclass(frozen=True, eq=False)
class ShrunkCategory:
    """A category drawn towards the rest: (k,) models that both rate, and their strengths."""

    models: Ints
    shrunk: Shrunk


def fit_categories(categories: Iterable[Battles], near: Floats) -> tuple[CategoryFit | None, ...]:
    """Return the fit of each category; None where its battles do not join any two models.

    Parameters
    ----------
    categories : iterable of Battles
        Each over the same m models.
    near : (m,) float64
        Strengths that the searches start from, such as those of all battles. They change no answer.
    """
    return tuple(_fit_category(battles, near) for battles in categories)


def shrink_category(category: Battles, found: CategoryFit, whole: Battles) -> ShrunkCategory | None:
    """Return the category drawn towards the battles of the whole that are not in it.

    None where the rest rates no two models of the category: then there is nothing to draw towards.

    Parameters
    ----------
    category : Battles
        Rows of `whole`, over the same models.
    found : CategoryFit
        The fit of the category.
    whole : Battles
        All battles, the category's among them.
    """
    rest = _fit_category(without(whole, category), np.zeros(whole.n_models))
    if rest is None:
        return None
    models = np.intersect1d(found.models, rest.models)
    if len(models) < 2:
        return None
    return ShrunkCategory(models, shrink(_measured(found, models), _measured(rest, models)))


def without(whole: Battles, part: Battles) -> Battles:
    """Return the whole's battles without those of a part, merged.

    Raises
    ------
    ValueError
        If the part has battles that the whole lacks.
    """
    merged, removed = whole.merged(), part.merged()
    keys, taken = _keys(merged), _keys(removed)
    place = np.searchsorted(keys, taken)
    is_known = place < len(keys)
    is_known[is_known] = keys[place[is_known]] == taken[is_known]
    left = merged.weight.copy()
    left[place[is_known]] -= removed.weight[is_known]
    if not is_known.all() or left.min(initial=0.0) < -LEFT_OVER:
        raise ValueError(
            "the part has battles that the whole lacks; expected it to be some of its rows"
        )
    stays = left > LEFT_OVER
    return Battles(
        merged.first[stays], merged.second[stays], merged.score[stays], left[stays], whole.n_models
    )


def _keys(merged: Battles) -> NDArray[np.int64]:
    """Return a number for each (first, second, score), ascending as merged rows are."""
    pair = merged.first.astype(np.int64) * merged.n_models + merged.second
    return 3 * pair + np.rint(2 * merged.score).astype(np.int64)


class Sums(NamedTuple):
    """Over the battles of each (first, second), (m, m): how many, what the first scored, and its square."""

    meetings: Floats
    points: Floats
    squares: Floats

    @property
    def scores(self) -> Floats:
        """What the row's model scored against the column's, in either seat."""
        return self.points + (self.meetings - self.points).T

    def among(self, models: Ints) -> "Sums":
        """Return the sums of these models."""
        return Sums(*(table[np.ix_(models, models)] for table in self))

    def covariance(self, found: Fit) -> Floats:
        """Return the robust covariance, `ranking.sandwich` of the same battles, without looking at their rows."""
        odds = np.exp(found.strength)
        chance = odds[:, None] / (odds[:, None] + odds)
        between = self.squares - 2 * chance * self.points + chance**2 * self.meetings
        between = between + between.T
        bread = inverse_curvature(found.curvature)
        covariance: Floats = bread @ (np.diag(between.sum(1)) - between) @ bread
        return covariance


def _sums(battles: Battles) -> Sums:
    m, score = battles.n_models, battles.score
    pair = battles.first.astype(np.int64) * m + battles.second
    scored = battles.weight * score
    parts = (battles.weight, scored, scored * score)
    return Sums(*(tally(pair, part, m * m).reshape(m, m) for part in parts))


def _fit_category(battles: Battles, near: Floats) -> CategoryFit | None:
    models, sums = np.arange(battles.n_models, dtype=np.int32), _sums(battles)
    scores = sums.scores
    if not is_table_connected(scores):
        models = split(battles).rated
        if len(models) < 2:
            return None
        sums = sums.among(models)
        scores = sums.scores
    found = maximise(scores, near[models])
    return CategoryFit(models, found, sums.covariance(found))


def _measured(found: CategoryFit, models: Ints) -> Measured:
    place = np.searchsorted(found.models, models)
    return Measured(found.fit.strength[place], found.covariance[np.ix_(place, place)])
