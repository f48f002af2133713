"""Counts of battles, drawn again: how often each cell would come up in another such set of battles."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, pdtr

from ranking.battles import Battles, Flags, Floats

Floats32 = NDArray[np.float32]
Table = NDArray[np.uint8]

# Up to this weight a cell is drawn from its Poisson distribution; above it, from the normal limit.
LARGEST_TABLE = 48
LEVELS = 1 << 16


@dataclass(frozen=True, eq=False)
class Resampler:
    """Draws Poisson weights for the cells, a table look-up each.

    A Poisson draw per cell is the multinomial resample of all battles but for the total, which a fit does
    not read. Uniform numbers have 16 bits: a table has LEVELS entries, its distribution is right to one
    in LEVELS. A cell over LARGEST_TABLE never comes up empty.

    Parameters
    ----------
    cells : Battles
        Paired rows in ascending order of weight.
    tables : tuple of (int, int, (LEVELS,) uint8)
        Of cells start to stop, which have one weight, the count at each level. Bytes: 64 kB stay in cache.
    normal : (LEVELS,) float32
        The same for the normal distribution.
    """

    cells: Battles
    tables: tuple[tuple[int, int, Table], ...]
    normal: Floats32

    @property
    def certain(self) -> Flags:
        """Which cells no round is without, (cells,)."""
        return self.cells.weight > LARGEST_TABLE

    def draw(self, source: np.random.BitGenerator, rounds: int) -> Floats32:
        """Return (cells, rounds) float32 weights, whole numbers all: float32 adds these up without error."""
        n = len(self.cells)
        words = -(-n * rounds // 4)
        levels = source.random_raw(words).view(np.uint16)[: n * rounds].reshape(n, rounds)
        first_large = self.tables[-1][1] if self.tables else 0
        drawn = np.empty((n, rounds), np.float32)
        drawn[:first_large] = self._small(levels[:first_large])
        large = drawn[first_large:]
        np.take(self.normal, levels[first_large:], out=large, mode="clip")
        weight = self.cells.weight[first_large:, None].astype(np.float32)
        large *= np.sqrt(weight)
        large += weight
        np.rint(large, out=large)
        return drawn

    def _small(self, levels: NDArray[np.uint16]) -> Table:
        """Return the counts of the small cells at these levels."""
        counts = np.empty(levels.shape, np.uint8)
        for start, stop, table in self.tables:
            np.take(table, levels[start:stop], out=counts[start:stop], mode="clip")
        return counts


def resampler(battles: Battles) -> Resampler:
    """Return what draws the cells of these battles: (pair, score) -> how often."""
    paired = battles.paired()
    order = np.argsort(paired.weight, kind="stable")
    cells = Battles(
        paired.first[order],
        paired.second[order],
        paired.score[order],
        paired.weight[order],
        paired.n_models,
    )
    small = cells.weight[cells.weight <= LARGEST_TABLE]
    weights, starts = np.unique(small, return_index=True)
    stops = np.append(starts, len(small))[1:]
    tables = tuple(
        (int(start), int(stop), poisson_table(float(weight)))
        for weight, start, stop in zip(weights, starts, stops, strict=True)
    )
    return Resampler(cells, tables, _normal_table())


def poisson_table(mean: float) -> Table:
    """Return (LEVELS,) counts: entry u is the count at the quantile (u + 1/2) / LEVELS."""
    counts = np.arange(int(mean + 12 * np.sqrt(mean) + 12))
    edges = np.rint(pdtr(counts, mean) * LEVELS).astype(np.int64)
    edges[-1] = LEVELS
    return np.repeat(counts.astype(np.uint8), np.diff(edges, prepend=0))


def _normal_table() -> Floats32:
    """Return (LEVELS,) quantiles of the normal distribution, stretched to variance 1."""
    quantiles: Floats = ndtri((np.arange(LEVELS) + 0.5) / LEVELS)
    table: Floats32 = (quantiles / quantiles.std()).astype(np.float32)
    return table
