"""Battles as columns: who met whom, who scored, and how often."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]

SCORES = (0.0, 0.5, 1.0)
# Up to here an array over all keys is cheaper than sorting the rows.
DENSE_KEYS_PER_ROW = 16


@dataclass(frozen=True, eq=False)
class Battles:
    """n rows over m models. Immutable; a row that makes no sense is refused by its number.

    Parameters
    ----------
    first, second : (n,) int32
        The model shown first and the model shown second, 0 to n_models - 1.
    score : (n,) float64
        What the first scored: 1 won, 0 lost, 0.5 tied.
    weight : (n,) float64
        How many battles the row stands for, above 0.
    n_models : int
        How many models there are, with or without battles.

    Raises
    ------
    ValueError
        If a column has another length, or a row is a self-battle, is out of range, has a score that is
        none of the three, or a weight that is not finite and positive.
    """

    first: Ints
    second: Ints
    score: Floats
    weight: Floats
    n_models: int

    def __post_init__(self) -> None:
        columns = {"first": np.int32, "second": np.int32, "score": np.float64, "weight": np.float64}
        for name, dtype in columns.items():
            column = np.array(getattr(self, name), dtype=dtype)
            column.setflags(write=False)
            object.__setattr__(self, name, column)
        self._check_shapes()
        self._check_rows()

    def __len__(self) -> int:
        return len(self.first)

    def _check_shapes(self) -> None:
        shapes = {column.shape for column in (self.first, self.second, self.score, self.weight)}
        if len(shapes) > 1 or self.first.ndim != 1:
            raise ValueError(f"columns have the shapes {sorted(shapes)}; expected one length")

    def _check_rows(self) -> None:
        outside = (np.minimum(self.first, self.second) < 0) | (
            np.maximum(self.first, self.second) >= self.n_models
        )
        _refuse(outside, f"names a model outside 0 to {self.n_models - 1}")
        _refuse(self.first == self.second, "is a self-battle: a model cannot meet itself")
        _refuse(~np.isin(self.score, SCORES), "has a score that is none of 0, 0.5 and 1")
        _refuse(
            ~np.isfinite(self.weight) | (self.weight <= 0),
            "has a weight that is not finite and above 0",
        )

    def mirrored(self) -> Self:
        """Return the same battles with the seats exchanged."""
        return type(self)(self.second, self.first, 1 - self.score, self.weight, self.n_models)

    def merged(self) -> Self:
        """Return one row for each (first, second, score) in that order, weights added."""
        doubled = np.rint(2 * self.score).astype(np.int64)
        keys = (self.first.astype(np.int64) * self.n_models + self.second) * 3 + doubled
        distinct, weight = _added_up(keys, self.weight, 3 * self.n_models**2)
        pair, doubled = np.divmod(distinct, 3)
        first, second = np.divmod(pair, self.n_models)
        return type(self)(
            first.astype(np.int32), second.astype(np.int32), doubled / 2, weight, self.n_models
        )

    def paired(self) -> Self:
        """Return the merged battles with every row turned so that first < second: seats forgotten."""
        turn = self.first > self.second
        return type(self)(
            np.where(turn, self.second, self.first),
            np.where(turn, self.first, self.second),
            np.where(turn, 1 - self.score, self.score),
            self.weight,
            self.n_models,
        ).merged()

    def among(self, models: NDArray[np.integer]) -> Self:
        """Return the battles in which both sides are among `models`, renumbered in that order."""
        place = np.full(self.n_models, -1, np.int32)
        place[models] = np.arange(len(models), dtype=np.int32)
        first, second = place[self.first], place[self.second]
        kept = (first >= 0) & (second >= 0)
        return type(self)(
            first[kept], second[kept], self.score[kept], self.weight[kept], len(models)
        )

    def score_table(self) -> Floats:
        """Return (m, m) float64: what the row's model scored against the column's, half for a tie."""
        m = self.n_models
        first, second = self.first.astype(np.int64), self.second.astype(np.int64)
        table = tally(first * m + second, self.weight * self.score, m * m)
        table += tally(second * m + first, self.weight * (1 - self.score), m * m)
        return table.reshape(m, m)


def tally(places: NDArray[np.integer], weights: Floats, size: int) -> Floats:
    """Return (size,) float64: at each place the sum of the weights that name it."""
    return np.bincount(places, weights, size).astype(np.float64, copy=False)


def _added_up(
    keys: NDArray[np.int64], weights: Floats, most: int
) -> tuple[NDArray[np.int64], Floats]:
    """Return the distinct keys, ascending and all below `most`, and the weights of each added up."""
    if most <= DENSE_KEYS_PER_ROW * len(keys):
        sums = tally(keys, weights, most)
        distinct = np.flatnonzero(sums)
        return distinct, sums[distinct]
    distinct, row = np.unique(keys, return_inverse=True)
    return distinct, tally(row, weights, len(distinct))


def _refuse(rows: Flags, complaint: str) -> None:
    """Raise for the first row that is flagged."""
    if rows.any():
        raise ValueError(f"battle {int(np.argmax(rows))} {complaint} ({int(rows.sum())} such rows)")
