"""Clusters of little leverage: there may be millions, so each costs by its rows alone."""

from dataclasses import replace

import numpy as np

from ranking.battles import Floats, tally
from ranking.clustering.dense import blocks
from ranking.clustering.rows import Grouped
from ranking.clustering.sums import Sums
from ranking.labels import Labels

# Up to so many places of gradients in all, pairs of places cost less than a dense row of models.
FEW_PLACES = 40
BLOCK_PLACES = 1 << 19


def sums_of_little(grouped: Grouped, clusters: Labels, inverse: Floats, *, n_models: int) -> Sums:
    """Return the sums over these clusters: gradients without a factor, variances by their bound."""
    m, d = n_models, len(inverse)
    width, rows_of = len(grouped.kinds.ends), grouped.size[clusters]
    most = FEW_PLACES // width
    total = _Totals(grouped, d)
    for rows in range(1, most + 1):
        total.add_alike(clusters[rows_of == rows], rows)
    total.add_large(clusters[rows_of > most])
    leverage, ends = grouped.leverage[clusters], grouped.kinds.ends[:2].ravel()
    own, levered = (
        tally(ends, (grouped.kinds.variance * by).ravel(), m) for by in (total.rows, total.leverage)
    )
    bound = np.sqrt(inverse.diagonal()[:m] * levered)
    return replace(
        Sums.none(m, d),
        scatter=total.scatter,
        own=own,
        levered=levered,
        squares=np.outer(bound, bound),
        leverage=float(leverage.sum()),
        leverage_squares=float((leverage**2).sum()),
    )


class _Totals:
    """What is added up: (d, d) products of gradients, and of each kind (k,) rows and leverages of their clusters."""

    def __init__(self, grouped: Grouped, d: int) -> None:
        self.grouped, self.kinds, self.d = grouped, grouped.kinds, d
        self.scatter = np.zeros((d, d))
        self.rows, self.leverage = np.zeros((2, len(self.kinds.share)))

    def add_alike(self, clusters: Labels, rows: int) -> None:
        """Add clusters of equally many rows: all pairs of places, a block of clusters at a time."""
        step = max(1, BLOCK_PLACES // (rows * len(self.kinds.ends)))
        for start in range(0, len(clusters), step):
            part = clusters[start : start + step]
            kind = self.grouped.rows(part).reshape(len(part), rows)
            self._count(kind.ravel(), np.repeat(self.grouped.leverage[part], rows))
            self.scatter += self._products(np.ascontiguousarray(kind.T))

    def add_large(self, clusters: Labels) -> None:
        """Add clusters of many rows: a dense row of all models each."""
        for block in blocks(self.grouped, clusters, self.d):
            self._count(block.kind, self.grouped.leverage[block.clusters].take(block.cluster))
            gradient = block.gradient(self.d)
            self.scatter += gradient.T @ gradient

    def _count(self, kind: Labels, leverage: Floats) -> None:
        self.rows += np.bincount(kind, minlength=len(self.rows))
        self.leverage += np.bincount(kind, leverage, len(self.leverage))

    def _products(self, kind: Labels) -> Floats:
        """Return (d, d) of (rows, clusters) kinds: each place beside all later ones."""
        d, table = self.d, np.zeros(self.d**2)
        place = np.concatenate(self.kinds.places(kind))
        pull = np.concatenate(self.kinds.gradients(kind))
        line = place * d
        for one in range(len(place) - 1):
            pairs, products = line[one] + place[one + 1 :], pull[one] * pull[one + 1 :]
            table += tally(pairs.ravel(), products.ravel(), d * d)
        one_way = table.reshape(d, d)
        both: Floats = one_way + one_way.T
        both += np.diag(tally(place.ravel(), (pull**2).ravel(), d))
        return both
