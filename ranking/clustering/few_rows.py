"""Clusters of few rows and little leverage: there may be millions, so all pairs of places at once."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ranking.battles import Floats, tally
from ranking.clustering.rows import Grouped, Labels
from ranking.clustering.sums import BLOCK, Sums


def sums_of_few(grouped: Grouped, clusters: Labels, *, sizes: tuple[int, int]) -> Iterator[Sums]:
    """Yield the sums over these clusters, one number of rows after the other; `sizes` are m and m + p."""
    rows_of = grouped.size[clusters]
    width = len(grouped.kinds.ends)
    for rows in np.unique(rows_of).tolist():
        alike = clusters[rows_of == rows]
        step = max(1, BLOCK // (rows * width) ** 2)
        for start in range(0, len(alike), step):
            yield _sums(grouped, alike[start : start + step], sizes)


def _sums(grouped: Grouped, clusters: Labels, sizes: tuple[int, int]) -> Sums:
    """Return the sums over clusters of equally many rows. Arrays are (places, clusters)."""
    m, d = sizes
    kinds, leverage = grouped.kinds, grouped.leverage[clusters]
    kind = grouped.rows(clusters).reshape(len(clusters), -1).T
    place, pull, own = (
        np.concatenate([column.take(kind) for column in columns])
        for columns in (kinds.ends, kinds.gradient, kinds.variance)
    )
    left, right = np.triu_indices(len(place), 1)
    pairs = (place[left] * d + place[right]).ravel()
    return replace(
        Sums.none(m, d),
        scatter=_products(pairs, pull[left] * pull[right], d)
        + np.diag(tally(place.ravel(), (pull**2).ravel(), d)),
        own=tally(place.ravel(), own.ravel(), d)[:m],
        levered=tally(place.ravel(), (own * leverage).ravel(), d)[:m],
        squares=_products(pairs, own[left] * own[right], d)[:m, :m]
        + np.diag(tally(place.ravel(), (own**2).ravel(), d)[:m]),
        leverage=float(leverage.sum()),
        leverage_squares=float((leverage**2).sum()),
    )


def _products(pairs: Labels, products: Floats, d: int) -> Floats:
    """Return (d, d): products of two places added up, each both ways."""
    table = tally(pairs, products.ravel(), d * d).reshape(d, d)
    both: Floats = table + table.T
    return both
