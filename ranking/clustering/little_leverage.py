"""Clusters of little leverage: there may be millions, so each costs by its rows alone."""

from dataclasses import replace

import numpy as np

from ranking.battles import Floats, tally
from ranking.clustering.dense import blocks
from ranking.clustering.rows import Grouped, Labels
from ranking.clustering.sums import Sums

# Up to so many places of gradients in all, pairs of places cost less than a dense row of models.
FEW_PLACES = 40
BLOCK_PLACES = 1 << 19


def sums_of_little(grouped: Grouped, clusters: Labels, inverse: Floats, *, n_models: int) -> Sums:
    """Return the sums over these clusters: gradients without a factor, variances by their bound."""
    m, d = n_models, len(inverse)
    kinds, leverage = grouped.kinds, grouped.leverage[clusters]
    kind = grouped.rows(clusters)
    each = np.repeat(leverage, grouped.size[clusters])
    count, levers = (np.bincount(kind, weight, len(kinds.share)) for weight in (None, each))
    ends = kinds.ends[:2].ravel()
    own, levered = (tally(ends, (kinds.variance * by).ravel(), m) for by in (count, levers))
    bound = np.sqrt(inverse.diagonal()[:m] * levered)
    return replace(
        Sums.none(m, d),
        scatter=_scatter(grouped, clusters, d),
        own=own,
        levered=levered,
        squares=np.outer(bound, bound),
        leverage=float(leverage.sum()),
        leverage_squares=float((leverage**2).sum()),
    )


def _scatter(grouped: Grouped, clusters: Labels, d: int) -> Floats:
    """Return (d, d): the outer products of the gradients, added up."""
    width = len(grouped.kinds.ends)
    rows_of = grouped.size[clusters]
    most = FEW_PLACES // width
    scatter = np.zeros((d, d))
    for rows in range(1, most + 1):
        alike = clusters[rows_of == rows]
        kind = grouped.rows(alike).reshape(len(alike), rows).T
        scatter += _of_pairs(grouped, np.ascontiguousarray(kind), d)
    for block in blocks(grouped, clusters[rows_of > most], d):
        gradient = block.added(block.of_rows(grouped.kinds.gradient), d)
        scatter += gradient.T @ gradient
    return scatter


def _of_pairs(grouped: Grouped, kind: Labels, d: int) -> Floats:
    """Return the same of clusters of equally many rows, whose (rows, clusters) kinds these are.

    All pairs of places: one place beside all later ones, of a block of clusters at a time.
    """
    kinds = grouped.kinds
    step = max(1, BLOCK_PLACES // (len(kind) * len(kinds.ends)))
    table, diagonal = np.zeros(d * d), np.zeros(d)
    for start in range(0, kind.shape[1], step):
        part = kind[:, start : start + step]
        place = np.concatenate([ends.take(part) for ends in kinds.ends])
        pull = np.concatenate([gradient.take(part) for gradient in kinds.gradient])
        line = place * d
        for one in range(len(place) - 1):
            pairs, products = line[one] + place[one + 1 :], pull[one] * pull[one + 1 :]
            table += tally(pairs.ravel(), products.ravel(), d * d)
        diagonal += tally(place.ravel(), (pull**2).ravel(), d)
    one_way = table.reshape(d, d)
    return one_way + one_way.T + np.diag(diagonal)
