"""Rows of battles by cluster: what each adds to the gradient, to the curvature and to the variance."""

from dataclasses import dataclass

import numpy as np

from ranking.battles import Battles, Floats
from ranking.bradley_terry import Fit
from ranking.covariates import Covariates
from ranking.joint import gradients
from ranking.labels import Labels


@dataclass(frozen=True, eq=False)
class Kinds:
    """What rows of each of k kinds add; rows of one kind are alike in all that a covariance reads.

    Parameters
    ----------
    ends : (2 + p, k) int64
        The model shown first, the one shown second, and m, m + 1, ...: the places of further parameters.
    pull : (k,) float64
        The gradient of all votes of the row: + at the first model, - at the second.
    extra : (p, k) float64
        The same in further parameters.
    variance : (2, k) float64
        What the row adds to the working model's variance of its first and of its second model.
    information : (k,) float64
        What the row adds to the curvature along the difference of its two models.
    leverage : (k,) float64
        What share of what is known of that difference the row is; if p > 0, its share of the votes added.
    share : (k,) float64
        Of the votes.
    """

    ends: Labels
    pull: Floats
    extra: Floats
    variance: Floats
    information: Floats
    leverage: Floats
    share: Floats

    def gradients(self, kind: Labels) -> list[Floats]:
        """Return the gradients of rows of these kinds, an array of that shape for each of 2 + p places."""
        pull = self.pull.take(kind)
        return [pull, -pull, *(column.take(kind) for column in self.extra)]

    def places(self, kind: Labels) -> list[Labels]:
        """Return the places of these gradients, likewise."""
        return [column.take(kind) for column in self.ends]


@dataclass(frozen=True, eq=False)
class Grouped:
    """Rows in the order of their clusters.

    Parameters
    ----------
    kinds : Kinds
    kind : (n,) int64
        Of each row.
    start, size : (c,) int64
        Where the rows of each cluster begin, and how many they are; none is empty.
    leverage : (c,) float64
        Of all rows of the cluster: the trace of its share of the curvature times the inverse.
    """

    kinds: Kinds
    kind: Labels
    start: Labels
    size: Labels
    leverage: Floats

    def rows(self, clusters: Labels) -> Labels:
        """Return the kinds of the rows of these clusters, one cluster after the other."""
        size = self.size[clusters]
        offset = self.start[clusters] - np.cumsum(size) + size
        places = np.repeat(offset, size)
        places += np.arange(len(places))
        return self.kind.take(places)


def kinds_of(
    battles: Battles, fit: Fit, inverse: Floats, covariates: Covariates | None
) -> tuple[Kinds, Labels]:
    """Return the kinds, and (n,) which kind each row is.

    Single votes that say the same of the same models are of one kind, so that a vote among millions costs a
    look-up. With covariates, or rows of several votes, every row is a kind of its own.
    """
    n, m = len(battles), battles.n_models
    single = covariates is None and bool((battles.weight == 1).all())
    if not single or 3 * m * m > n:
        return _kinds(battles, fit, inverse, covariates, votes=battles.weight.sum()), np.arange(n)
    keys = np.multiply(battles.first, 3 * m, dtype=np.int64)
    keys += 3 * battles.second
    keys += (2 * battles.score).astype(np.int8)
    first, second, doubled = np.indices((m, m, 3), np.int32).reshape(3, -1)
    # No vote is of a model against itself; the table has a place for it, and anybody stands in there.
    second = np.where(first == second, (first + 1) % m, second)
    cells = Battles(first, second, doubled / 2, np.ones(3 * m * m), m)
    return _kinds(cells, fit, inverse, None, votes=n), keys


def _kinds(
    battles: Battles,
    fit: Fit,
    inverse: Floats,
    covariates: Covariates | None,
    *,
    votes: float,
) -> Kinds:
    m, p = battles.n_models, len(fit.extra)
    row, weight = gradients(battles, fit, covariates), battles.weight
    first, second = battles.first.astype(np.int64), battles.second.astype(np.int64)
    information = weight * row.curvature
    share = weight / votes
    at_first = inverse[first, first] - inverse[first, second]
    at_second = inverse[second, second] - inverse[first, second]
    further = np.repeat(np.arange(m, m + p)[:, None], len(battles), axis=1)
    return Kinds(
        ends=np.vstack([first, second, further]),
        pull=weight * row.difference,
        extra=weight * row.extra.T,
        variance=information * np.stack([at_first, at_second]) ** 2,
        information=information,
        leverage=information * (at_first + at_second) + (share if p else 0.0),
        share=share,
    )


def grouped(kinds: Kinds, kind_of: Labels, cluster: Labels) -> Grouped:
    """Return the rows in the order of their clusters, and within one in that of their kinds.

    Parameters
    ----------
    kind_of : (n,) int64
    cluster : (n,) int64, not negative
        Some numbers may have no row; cluster and kind together fit 63 bits.
    """
    bits = len(kinds.share).bit_length()
    # Numbers sort much faster than places do.
    keys = np.left_shift(cluster, bits)
    keys |= kind_of
    keys.sort()
    label, kind = keys >> bits, keys & ((1 << bits) - 1)
    start = np.flatnonzero(np.diff(label, prepend=-1))
    size = np.diff(start, append=len(label))
    return Grouped(kinds, kind, start, size, np.add.reduceat(kinds.leverage.take(kind), start))
