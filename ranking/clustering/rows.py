"""Rows of battles by cluster: what each adds to the gradient, to the curvature and to the variance."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from ranking.battles import DENSE_KEYS_PER_ROW, Battles, Floats
from ranking.bradley_terry import Fit
from ranking.covariates import Covariates
from ranking.joint import gradients

Labels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Kinds:
    """What rows of each of k kinds add; rows of one kind are alike in all that a covariance reads.

    Parameters
    ----------
    ends : (2 + p, k) int64
        The model shown first, the one shown second, and m, m + 1, ...: the places of further parameters.
    gradient : (2 + p, k) float64
        At those places, of all votes of the row.
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
    gradient: Floats
    variance: Floats
    information: Floats
    leverage: Floats
    share: Floats


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
    if not single or 3 * m * m > DENSE_KEYS_PER_ROW * n:
        return _kinds(battles, fit, inverse, covariates), np.arange(n)
    keys = np.multiply(battles.first, 3 * m, dtype=np.int64)
    keys += 3 * battles.second
    keys += (2 * battles.score).astype(np.int8)
    distinct = np.flatnonzero(np.bincount(keys, minlength=3 * m * m))
    place = np.empty(3 * m * m, np.int64)
    place[distinct] = np.arange(len(distinct))
    pair, doubled = np.divmod(distinct, 3)
    first, second = np.divmod(pair.astype(np.int32), np.int32(m))
    cells = Battles(first, second, doubled / 2, np.ones(len(distinct)), m)
    return _kinds(cells, fit, inverse, None, votes=n), place.take(keys)


def _kinds(
    battles: Battles,
    fit: Fit,
    inverse: Floats,
    covariates: Covariates | None,
    *,
    votes: float | None = None,
) -> Kinds:
    m, p = battles.n_models, len(fit.extra)
    row, weight = gradients(battles, fit, covariates), battles.weight
    first, second = battles.first.astype(np.int64), battles.second.astype(np.int64)
    information, pull = weight * row.curvature, weight * row.difference
    share = weight / (weight.sum() if votes is None else votes)
    at_first = inverse[first, first] - inverse[first, second]
    at_second = inverse[second, second] - inverse[first, second]
    further = np.repeat(np.arange(m, m + p)[:, None], len(battles), axis=1)
    return Kinds(
        ends=np.vstack([first, second, further]),
        gradient=np.vstack([pull, -pull, weight * row.extra.T]),
        variance=information * np.stack([at_first, at_second]) ** 2,
        information=information,
        leverage=information * (at_first + at_second) + (share if p else 0.0),
        share=share,
    )


def grouped(kinds: Kinds, kind_of: Labels, cluster: NDArray[np.integer]) -> Grouped:
    """Return the rows in the order of their clusters, by a counting sort.

    Parameters
    ----------
    kind_of : (n,) int64
    cluster : (n,) integers, not negative
        Some numbers may have no row.
    """
    n = len(cluster)
    places = (cluster, np.arange(n, dtype=np.int32))
    table = coo_array((kind_of, places), (int(cluster.max()) + 1, n)).tocsr()
    size = np.diff(table.indptr)
    there = size > 0
    start = table.indptr[:-1][there].astype(np.int64)
    leverage = np.add.reduceat(kinds.leverage.take(table.data), start)
    return Grouped(kinds, table.data, start, size[there].astype(np.int64), leverage)
