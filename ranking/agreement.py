"""How far raters agree on who won, and how far people could be expected to.

Everything is a function of one table for each item: in what share of its comparisons one side said the row
and the other the column, of loss, tie and win. Tables of items add up, so an interval is a matter of drawing
items again, and items, not votes, are what a judge is tried on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Self, assert_never

import numpy as np
from numpy.typing import NDArray

from ranking.battles import SCORES, Floats

ROUNDS = 1000
N_SCORES = len(SCORES)
# Rounds at a time, so that many items need no large matrix of draws.
BLOCK_ROUNDS = 50
LEAST_ITEMS = 2

Measure = Callable[[Floats], Floats]
Numbers = NDArray[np.int64]


class Distance(StrEnum):
    """How much two verdicts differ: a tie lies between a win and a loss, or is simply another one."""

    NOMINAL = "nominal"
    LINEAR = "linear"
    SQUARED = "squared"


@dataclass(frozen=True)
class Agreement:
    """A measure of agreement with its interval over items.

    Parameters
    ----------
    value, lower, upper : float
        Of all items, and the middle of the draws.
    items : int
        How many items were compared.
    undefined : int
        How many draws left the measure undefined, as without any disagreement to be expected; they are
        left out of the interval.
    """

    value: float
    lower: float
    upper: float
    items: int
    undefined: int


@dataclass(frozen=True, eq=False)
class Ratings:
    """n verdicts of people or judges on items.

    Parameters
    ----------
    item : (n,) int64
        What was judged, 0 and up: one pair of answers, its sides in one order.
    rater : (n,) int64
        Who judged. Nobody judges an item twice.
    score : (n,) float64
        What the first side of the item scored: 1 won, 0.5 tied, 0 lost.

    Raises
    ------
    ValueError
        If a column has another length, a score is none of the three, or a rater has two verdicts on an item.
    """

    item: Numbers
    rater: Numbers
    score: Floats

    def __post_init__(self) -> None:
        lengths = {len(self.item), len(self.rater), len(self.score)}
        if len(lengths) > 1:
            raise ValueError(f"columns have the lengths {sorted(lengths)}; expected one length")
        unknown = ~np.isin(self.score, SCORES)
        if unknown.any():
            raise ValueError(
                f"rating {int(np.argmax(unknown))} has the score {self.score[np.argmax(unknown)]}; "
                "expected 0, 0.5 or 1"
            )
        _, times = np.unique(np.column_stack([self.item, self.rater]), axis=0, return_counts=True)
        if (times > 1).any():
            raise ValueError(
                f"{int((times > 1).sum())} raters have two verdicts on one item; keep one of each"
            )

    def only(self, rows: Numbers) -> Self:
        """Return these rows."""
        return type(self)(self.item[rows], self.rater[rows], self.score[rows])


def compared(one: Ratings, other: Ratings) -> Floats:
    """Return (items, 3, 3) tables of two sources on the items that both rated.

    Every rater of one is compared with every rater of the other, and each item counts once. For a judge
    and people, it is how often the judge agrees with a person drawn at random.
    """
    ours, theirs = _counts(one), _counts(other)
    ours, theirs = _same_length(ours, theirs)
    both = (ours.sum(1) > 0) & (theirs.sum(1) > 0)
    ours, theirs = ours[both], theirs[both]
    tables = ours[:, :, None] * theirs[:, None, :]
    return np.asarray(tables / tables.sum((1, 2), keepdims=True))


def among_themselves(ratings: Ratings) -> Floats:
    """Return (items, 3, 3) tables of all pairs of raters of the items that at least two rated.

    Each item counts once: how often a person agrees with another one drawn at random is the most that a judge
    can be asked for.
    """
    counts = _counts(ratings)
    counts = counts[counts.sum(1) >= 2]
    n = counts.sum(1)[:, None, None]
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(N_SCORES)
    tables: Floats = pairs / (n * (n - 1))
    return tables


def coincidences(ratings: Ratings) -> Floats:
    """Return (items, 3, 3) tables in which each rater of an item counts once, as Krippendorff's alpha has it."""
    counts = _counts(ratings)
    raters = counts.sum(1)[counts.sum(1) >= 2]
    tables: Floats = among_themselves(ratings) * raters[:, None, None]
    return tables


def left_out(ratings: Ratings) -> Floats:
    """Return (items, 3, 3) tables of each rater (row) against the majority of the item's others (column).

    Where the others are evenly split between verdicts, each of these counts in part.
    """
    counts = _counts(ratings)
    counts = counts[counts.sum(1) >= 2]
    tables = np.zeros((len(counts), N_SCORES, N_SCORES))
    for own in range(N_SCORES):
        others = counts - np.eye(N_SCORES)[own]
        tables[:, own] = counts[:, [own]] * _majority(others)
    return np.asarray(tables / counts.sum(1)[:, None, None])


def halves(ratings: Ratings, generator: np.random.Generator) -> Floats:
    """Return (items, 3, 3) tables of the majorities of two halves, into which each item's raters are dealt."""
    order = np.lexsort((generator.random(len(ratings.item)), ratings.item))
    _, start, size = np.unique(ratings.item[order], return_index=True, return_counts=True)
    place = np.arange(len(order)) - np.repeat(start, size)
    one, other = (_counts(ratings.only(order[place % 2 == side])) for side in (0, 1))
    one, other = _same_length(one, other)
    both = (one.sum(1) > 0) & (other.sum(1) > 0)
    return np.asarray(_majority(one[both])[:, :, None] * _majority(other[both])[:, None, :])


def agreement(table: Floats) -> Floats:
    """Return the share of comparisons in which both said the same. Tables are (..., 3, 3) sums over items."""
    return _share(np.trace(table, axis1=-2, axis2=-1), table.sum((-2, -1)))


def agreement_without_ties(table: Floats) -> Floats:
    """Return the same among the comparisons in which neither side said tie."""
    return agreement(table[..., ::2, ::2])


def kappa(table: Floats, distance: Distance = Distance.LINEAR) -> Floats:
    """Return Cohen's kappa: by how much disagreement falls short of what independent raters would have.

    By default a tie is half a disagreement with a win or a loss, as it is half a win in the ratings.

    Source
    ------
    Cohen (1968), "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial
    credit", Psychological Bulletin 70.
    """
    weight, whole = _weights(distance), table.sum((-2, -1))
    seen = (table * weight).sum((-2, -1)) * whole
    chance = np.einsum("...i,...j,ij->...", table.sum(-1), table.sum(-2), weight)
    return 1 - _share(seen, chance)


def alpha(table: Floats, distance: Distance = Distance.NOMINAL) -> Floats:
    """Return Krippendorff's alpha of a table of coincidences: any number of raters, any of them absent.

    Raises
    ------
    ValueError
        If the table is not symmetric, as that of two sources is not: pool their ratings, and count coincidences.

    Source
    ------
    Krippendorff (2018), "Content analysis: an introduction to its methodology", 4th edition, chapter 12.
    """
    if not np.allclose(table, np.swapaxes(table, -1, -2)):
        raise ValueError("the table is not symmetric; alpha is of `coincidences`")
    weight, whole = _weights(distance), table.sum((-2, -1))
    seen = (table * weight).sum((-2, -1)) * (whole - 1)
    marginal = table.sum(-1)
    chance = np.einsum("...i,...j,ij->...", marginal, marginal, weight)
    return 1 - _share(seen, chance)


def with_interval(
    tables: Floats,
    measure: Measure,
    generator: np.random.Generator,
    *,
    level: float = 0.95,
    rounds: int = ROUNDS,
) -> Agreement | None:
    """Return a measure with its percentile interval over items drawn again; None where it is undefined.

    It is undefined where there is nothing to compare, or no disagreement could be expected. One item has no
    interval, so there the answer is None as well.

    Parameters
    ----------
    tables : (items, 3, 3) float64
        Of each item.
    measure : function of (..., 3, 3) sums
        `agreement`, `kappa` and the like; NaN where undefined.

    Source
    ------
    Efron (1979), "Bootstrap methods: another look at the jackknife".
    """
    n = len(tables)
    value = float(measure(tables.sum(0)))
    if n < LEAST_ITEMS or np.isnan(value):
        return None
    flat, drawn = tables.reshape(n, -1), []
    for start in range(0, rounds, BLOCK_ROUNDS):
        times = generator.multinomial(n, np.full(n, 1 / n), min(BLOCK_ROUNDS, rounds - start))
        drawn.append(measure((times @ flat).reshape(-1, N_SCORES, N_SCORES)))
    values = np.concatenate(drawn)
    defined = values[~np.isnan(values)]
    if len(defined) == 0:
        return None
    lower, upper = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Agreement(value, float(lower), float(upper), n, int(np.isnan(values).sum()))


def _counts(ratings: Ratings) -> Floats:
    """Return (items, 3): how many raters said loss, tie and win of each item."""
    n_items = int(ratings.item.max(initial=-1)) + 1
    place = ratings.item * N_SCORES + np.rint(2 * ratings.score).astype(np.int64)
    counts = np.bincount(place, minlength=N_SCORES * n_items).astype(np.float64)
    return counts.reshape(n_items, N_SCORES)


def _same_length(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    n = min(len(one), len(other))
    return one[:n], other[:n]


def _majority(counts: Floats) -> Floats:
    """Return (items, 3): 1 for the verdict of most, shared where several have equally many."""
    most = counts == counts.max(1, keepdims=True)
    return np.asarray(most / most.sum(1, keepdims=True))


def _weights(distance: Distance) -> Floats:
    apart: Floats = np.abs(np.subtract.outer(np.array(SCORES), np.array(SCORES)))
    match distance:
        case Distance.NOMINAL:
            return np.asarray(apart > 0, np.float64)
        case Distance.LINEAR:
            return apart
        case Distance.SQUARED:
            return apart**2
        case _:
            assert_never(distance)


def _share(part: Floats, whole: Floats) -> Floats:
    """Return part / whole, NaN where the whole is nothing: undefined, and `with_interval` says so."""
    undefined = np.full(np.shape(whole), np.nan)
    share: Floats = np.divide(part, whole, out=undefined, where=np.asarray(whole) > 0)
    return share
