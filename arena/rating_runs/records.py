"""Who won, lost and tied how often, whatever a rating makes of it."""

from dataclasses import dataclass

import numpy as np

from arena.rating_runs.counts import OUTCOMES, Counts
from arena.terms import Outcome


@dataclass(frozen=True)
class Record:
    """What one model has behind it. "Both bad" counts whether it is rated or not."""

    wins: int
    losses: int
    ties: int
    both_bad: int
    opponents: int

    @property
    def battles(self) -> int:
        """How many battles it had."""
        return self.wins + self.losses + self.ties + self.both_bad


def count_records(counts: Counts) -> tuple[Record, ...]:
    """Return the record of every model of canonical counts."""
    m = len(counts.models)
    table = np.zeros((len(OUTCOMES), m, m), np.int64)
    table[counts.outcome, counts.first, counts.second] = counts.n
    won = table[OUTCOMES.index(Outcome.A)] + table[OUTCOMES.index(Outcome.B)].T
    tied, both_bad = (table[OUTCOMES.index(each)] for each in (Outcome.TIE, Outcome.BOTH_BAD))
    met = table.sum(0)
    columns = (
        won.sum(1),
        won.sum(0),
        tied.sum(1) + tied.sum(0),
        both_bad.sum(1) + both_bad.sum(0),
        (met + met.T > 0).sum(1),
    )
    return tuple(Record(*row) for row in zip(*(column.tolist() for column in columns), strict=True))
