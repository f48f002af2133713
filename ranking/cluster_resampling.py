"""Clusters of votes, drawn again: all votes of one voter come up equally often."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from ranking.battles import DENSE_KEYS_PER_ROW, Battles, Flags, Floats, tally
from ranking.labels import Labels, countable
from ranking.resampling import (
    LARGEST_TABLE,
    Floats32,
    Resampler,
    Table,
    poisson_table,
    resampler,
)


@dataclass(frozen=True, eq=False)
class ClusterResampler:
    """Draws a Poisson weight of mean 1 for each cluster, and adds up what that gives each cell.

    Clusters of a single vote are alike but for their cell: a cell draws all of its own at once, as if none of
    its votes had a cluster.

    Parameters
    ----------
    cells : Battles
        Paired rows in ascending order of weight.
    shared : (cells, c) sparse float32
        How many votes each of the other clusters has in each cell.
    alone : Resampler
        Of the single votes.
    place : (k,) int64
        Where the cells of `alone` stand among `cells`.
    table : (LEVELS,) uint8
        The Poisson count at each level.
    certain : (cells,) bool
        Cells of so many clusters that no round is without all of them.
    """

    cells: Battles
    shared: csr_array
    alone: Resampler
    place: Labels
    table: Table
    certain: Flags

    def draw(self, source: np.random.BitGenerator, rounds: int) -> Floats32:
        """Return (cells, rounds) float32 weights."""
        clusters = self.shared.shape[1]
        words = -(-clusters * rounds // 4)
        levels = source.random_raw(words).view(np.uint16)[: clusters * rounds]
        counts = self.table.take(levels).astype(np.float32).reshape(clusters, rounds)
        drawn: Floats32 = self.shared @ counts
        drawn[self.place] += self.alone.draw(source, rounds)
        return drawn


def cluster_resampler(battles: Battles, clusters: NDArray[np.integer]) -> ClusterResampler:
    """Return what draws these clusters.

    Parameters
    ----------
    battles : Battles
        n rows; a row of several votes is of one cluster.
    clusters : (n,) integers
        Of each row.

    Raises
    ------
    ValueError
        If there is not one cluster for each row.
    """
    if clusters.shape != battles.first.shape:
        raise ValueError(
            f"clusters have the shape {clusters.shape}; expected one for each of {len(battles)} battles"
        )
    label = countable(clusters)
    votes = np.bincount(label)
    is_alone = (votes.take(label) == 1) & (battles.weight == 1)
    cells = resampler(battles).cells
    cell, alone = _cell_of(battles, cells), resampler(_chosen(battles, is_alone))
    shared = _shared(battles.weight[~is_alone], cell[~is_alone], label[~is_alone], len(cells))
    single: Floats = tally(cell[is_alone], battles.weight[is_alone], len(cells))
    return ClusterResampler(
        cells=cells,
        shared=shared,
        alone=alone,
        place=_cell_of(alone.cells, cells),
        table=poisson_table(1.0),
        certain=single + np.diff(shared.indptr) > LARGEST_TABLE,
    )


def _shared(weight: Floats, cell: Labels, label: Labels, n_cells: int) -> csr_array:
    """Return (cells, c): the weights of rows added up by cell and cluster, clusters without any left out."""
    there = np.bincount(label) > 0
    cluster = (np.cumsum(there) - 1).take(label)
    shape = (n_cells, int(there.sum()))
    return coo_array((weight.astype(np.float32), (cell, cluster)), shape).tocsr()


def _chosen(battles: Battles, rows: Flags) -> Battles:
    return Battles(
        battles.first[rows],
        battles.second[rows],
        battles.score[rows],
        battles.weight[rows],
        battles.n_models,
    )


def _cell_of(battles: Battles, cells: Battles) -> Labels:
    """Return (n,) in which of the paired cells each battle is; every one is in some."""
    keys, m = _keys(cells), battles.n_models
    if 3 * m * m <= DENSE_KEYS_PER_ROW * len(battles):
        place = np.empty(3 * m * m, np.int64)
        place[keys] = np.arange(len(keys))
        return place.take(_keys(battles))
    order = np.argsort(keys)
    found: Labels = order[np.searchsorted(keys[order], _keys(battles))]
    return found


def _keys(battles: Battles) -> Labels:
    """Return (n,) numbers of pair and outcome that do not depend on the seats."""
    low = np.minimum(battles.first, battles.second).astype(np.int64)
    high = np.maximum(battles.first, battles.second)
    of_low = np.where(battles.first < battles.second, battles.score, 1 - battles.score)
    keys: Labels = (low * battles.n_models + high) * 3 + (2 * of_low).astype(np.int64)
    return keys
