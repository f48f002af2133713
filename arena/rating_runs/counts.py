"""How often each pair of models met, and how it ended: all that a rating reads of the votes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from arena.terms import Outcome

Column = NDArray[np.integer]

OUTCOMES = (Outcome.A, Outcome.B, Outcome.TIE, Outcome.BOTH_BAD)


@dataclass(frozen=True, eq=False)
class Counts:
    """Rows of (first shown, second shown, outcome) -> n over named models.

    Parameters
    ----------
    models : tuple of str
        All models that are to appear, with or without battles, each once.
    first, second : (rows,) int
        Places in `models`.
    outcome : (rows,) int
        Places in OUTCOMES; `a` means that the first shown won.
    n : (rows,) int64
        How many battles, above 0.
    excluded : mapping
        What was read and is not in the rows: reason -> how many.

    Raises
    ------
    ValueError
        If a name comes twice or a row makes no sense.
    """

    models: tuple[str, ...]
    first: Column
    second: Column
    outcome: Column
    n: Column
    excluded: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(set(self.models)) != len(self.models):
            raise ValueError("a model is named twice; expected each name once")
        if len({len(column) for column in (self.first, self.second, self.outcome, self.n)}) > 1:
            raise ValueError("the columns first, second, outcome and n differ in length")
        pair = np.concatenate([self.first, self.second])
        if ((pair < 0) | (pair >= len(self.models))).any():
            raise ValueError(f"a row names a model outside 0 to {len(self.models) - 1}")
        if (self.first == self.second).any():
            raise ValueError("a row is a self-battle: a model cannot meet itself")
        if ((self.outcome < 0) | (self.outcome >= len(OUTCOMES))).any():
            raise ValueError(f"an outcome is outside 0 to {len(OUTCOMES) - 1}")
        if (self.n <= 0).any():
            raise ValueError("a row stands for no battle; expected n above 0")

    def canonical(self) -> "Counts":
        """Return the same counts with models by name and one row for each kind, in order.

        What is computed from it depends on the votes alone, not on how they came.
        """
        order = np.argsort(np.array(self.models, dtype=object), kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        shape = (len(order), len(order), len(OUTCOMES))
        pair = (place[self.first.astype(np.int64)], place[self.second.astype(np.int64)])
        if len(self.n) == 0:
            return Counts(tuple(sorted(self.models)), *pair, self.outcome, self.n, self.excluded)
        keys = np.ravel_multi_index((*pair, self.outcome.astype(np.int64)), shape)
        by_key = np.argsort(keys, kind="stable")
        distinct, starts = np.unique(keys[by_key], return_index=True)
        n = np.add.reduceat(self.n[by_key].astype(np.int64), starts)
        first, second, outcome = np.unravel_index(distinct, shape)
        return Counts(tuple(sorted(self.models)), first, second, outcome, n, self.excluded)

    def digest(self) -> str:
        """Return the SHA-256 of the votes, which does not depend on the order of rows or models.

        It is taken over one line of JSON for each row of the canonical counts, `["ash","birch","a",12]` and
        a line feed, in UTF-8: first shown, second shown, outcome, n.
        """
        canonical = self.canonical()
        names = [json.dumps(name, ensure_ascii=False) for name in canonical.models]
        columns = (canonical.first, canonical.second, canonical.outcome, canonical.n)
        lines = [
            f'[{names[first]},{names[second]},"{OUTCOMES[outcome]}",{n}]\n'
            for first, second, outcome, n in zip(*(each.tolist() for each in columns), strict=True)
        ]
        return f"sha256:{sha256(''.join(lines).encode()).hexdigest()}"
