"""Sums of rows as one dense row of all models for each cluster, a block of clusters at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ranking.battles import Floats, tally
from ranking.clustering.rows import Grouped, Kinds
from ranking.labels import Labels

# So many numbers, as the dense rows of a block, stay in the cache of one core.
BLOCK_NUMBERS = 1 << 19


@dataclass(frozen=True, eq=False)
class Block:
    """The n rows of some clusters.

    Parameters
    ----------
    clusters : (c,) int64
    kinds : Kinds
    kind, cluster : (n,) int64
        Of each row; the latter 0 to c - 1.
    ends : list of 2 + p (n,) int64
        The places of each row's gradient.
    """

    clusters: Labels
    kinds: Kinds
    kind: Labels
    cluster: Labels
    ends: list[Labels]

    def gradient(self, width: int) -> Floats:
        """Return (c, width): the gradients of the clusters."""
        return self.added(self.kinds.gradients(self.kind), width)

    def added(self, values: Sequence[Floats], width: int) -> Floats:
        """Return (c, width): values of the rows, one column for each place, added up where they belong."""
        size, line = len(self.clusters) * width, self.cluster * width
        total = np.zeros(size)
        for end, value in zip(self.ends, values, strict=False):
            total += tally(line + end, value, size)
        return total.reshape(len(self.clusters), width)


def blocks(grouped: Grouped, clusters: Labels, width: int) -> Iterator[Block]:
    """Yield these clusters in blocks whose dense rows of this width fit a cache."""
    step = max(1, BLOCK_NUMBERS // width)
    for start in range(0, len(clusters), step):
        part = clusters[start : start + step]
        kind = grouped.rows(part)
        yield Block(
            clusters=part,
            kinds=grouped.kinds,
            kind=kind,
            cluster=np.repeat(np.arange(len(part)), grouped.size[part]),
            ends=grouped.kinds.places(kind),
        )
