"""Clusters of many rows without much leverage, each as one dense row over all models."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ranking.battles import Floats, tally
from ranking.clustering.rows import Grouped, Kinds, Labels
from ranking.clustering.sums import BLOCK, Sums


def sums_of_many(
    grouped: Grouped, clusters: Labels, inverse: Floats, *, n_models: int, has_factor: bool
) -> Iterator[Sums]:
    """Yield the sums over these clusters, a block at a time.

    With a factor, the gradient s becomes s + H_g P s / 2; of the further parameters, s + s / 2 times the
    cluster's share of the votes.
    """
    step = max(1, BLOCK // len(inverse))
    for start in range(0, len(clusters), step):
        block = clusters[start : start + step]
        rows = _Rows(grouped, block, (n_models, len(inverse)))
        yield rows.sums(inverse, grouped.leverage[block], has_factor=has_factor)


class _Rows:
    """The rows of a block of clusters, and sums over them as dense rows."""

    def __init__(self, grouped: Grouped, clusters: Labels, sizes: tuple[int, int]) -> None:
        self.kinds: Kinds = grouped.kinds
        self.kind = grouped.rows(clusters)
        self.cluster = np.repeat(np.arange(len(clusters)), grouped.size[clusters])
        self.n_clusters = len(clusters)
        self.sizes = sizes
        self.ends = self.kinds.ends.take(self.kind, axis=1)

    def sums(self, inverse: Floats, leverage: Floats, *, has_factor: bool) -> Sums:
        """Return the sums over the block."""
        m, d = self.sizes
        gradient = self._added(self.kinds.gradient.take(self.kind, axis=1), d)
        if has_factor:
            gradient[:, :m] += self._pulled(gradient[:, :m] @ inverse[:m, :m]) / 2
            share = tally(self.cluster, self.kinds.share.take(self.kind), self.n_clusters)
            gradient[:, m:] *= 1 + share[:, None] / 2
        own = self._added(self.kinds.variance[:2].take(self.kind, axis=1), m)
        return replace(
            Sums.none(m, d),
            scatter=gradient.T @ gradient,
            own=own.sum(0),
            levered=leverage @ own,
            squares=own.T @ own,
            leverage=float(leverage.sum()),
            leverage_squares=float((leverage**2).sum()),
        )

    def _pulled(self, change: Floats) -> Floats:
        """Return (clusters, m): each cluster's share of the curvature times its change of the strengths."""
        first, second = self.ends[0], self.ends[1]
        along = change[self.cluster, first] - change[self.cluster, second]
        along *= self.kinds.information.take(self.kind)
        return self._added(np.stack([along, -along]), self.sizes[0])

    def _added(self, values: Floats, width: int) -> Floats:
        """Return (clusters, width): values of the rows, (places, rows), added up where they belong."""
        size = self.n_clusters * width
        line = self.cluster * width
        added = sum(
            tally(line + end, value, size) for end, value in zip(self.ends, values, strict=False)
        )
        return np.reshape(added, (self.n_clusters, width))
