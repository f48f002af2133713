"""Which models of a run surely stand above which, with one error for all pairs: read from where the run keeps it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from arena.leaderboard.pair_views import Verdict
from ranking.battles import Flags


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Where each rated model stands in `above`, (m, m) bool: whether the row's model is surely above the column's."""

    place: Mapping[str, int]
    above: Flags

    def of(self, model: str, other: str) -> Verdict:
        """Return what is sure of two models, seen from the first."""
        if not {model, other} <= self.place.keys():
            return Verdict.UNKNOWN
        i, j = self.place[model], self.place[other]
        if self.above[i, j]:
            return Verdict.ABOVE
        return Verdict.BELOW if self.above[j, i] else Verdict.OPEN

    @property
    def settled(self) -> float | None:
        """The share of pairs that are in sure order; None if the run keeps no verdicts."""
        pairs = comb(len(self.above), 2)
        return float(self.above.sum()) / pairs if pairs else None


def verdicts_of(findings: Mapping[str, Any] | None, models: Sequence[str]) -> Verdicts:
    """Return the verdicts that a run stored: a row of bits, in hexadecimal, for each of its rated models."""
    stored = (findings or {}).get("surely_above") or ()
    if not models or len(stored) != len(models):
        return Verdicts({}, np.zeros((0, 0), np.bool_))
    rows = [np.frombuffer(bytes.fromhex(row), np.uint8) for row in stored]
    above = np.unpackbits(np.stack(rows), axis=1, count=len(models)).astype(np.bool_)
    return Verdicts({name: place for place, name in enumerate(models)}, above)
