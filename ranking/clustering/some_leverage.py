"""Clusters of some leverage: the factor's series with one term, on a dense row of all models each."""

from dataclasses import replace

from ranking.battles import Floats, tally
from ranking.clustering.dense import Block, blocks
from ranking.clustering.rows import Grouped
from ranking.clustering.sums import Sums
from ranking.labels import Labels


def sums_of_some(grouped: Grouped, clusters: Labels, inverse: Floats, *, n_models: int) -> Sums:
    """Return the sums over these clusters.

    The gradient s becomes s + H_g P s / 2; of the further parameters, s + s / 2 times the cluster's share of
    the votes.
    """
    m, d = n_models, len(inverse)
    total = Sums.none(m, d)
    for block in blocks(grouped, clusters, d):
        gradient = _corrected(block, inverse, m)
        own = block.added([column.take(block.kind) for column in block.kinds.variance], m)
        leverage = grouped.leverage[block.clusters]
        total = total + replace(
            Sums.none(m, d),
            scatter=gradient.T @ gradient,
            own=own.sum(0),
            levered=leverage @ own,
            squares=own.T @ own,
            leverage=float(leverage.sum()),
            leverage_squares=float((leverage**2).sum()),
        )
    return total


def _corrected(block: Block, inverse: Floats, m: int) -> Floats:
    """Return (clusters, m + p) gradients with their factor."""
    gradient = block.gradient(len(inverse))
    change = gradient[:, :m] @ inverse[:m, :m]
    first, second, *_ = block.ends
    along = change[block.cluster, first] - change[block.cluster, second]
    along *= block.kinds.information.take(block.kind)
    gradient[:, :m] += block.added([along, -along], m) / 2
    share = tally(block.cluster, block.kinds.share.take(block.kind), len(block.clusters))
    gradient[:, m:] *= 1 + share[:, None] / 2
    return gradient
