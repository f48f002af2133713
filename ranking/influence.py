"""Votes in the order of what they add to a lead, and how many of them it takes to first order."""

from dataclasses import dataclass

import numpy as np

from ranking.battles import Floats
from ranking.ranks import Places


@dataclass(frozen=True, eq=False)
class Order:
    """The cells whose removal lowers the lead, strongest first, and running sums over them.

    Parameters
    ----------
    cells : (k,) int64
        Rows of the battles.
    effect : (k,) float64
        What one vote of the cell adds to the lead, to first order, in logits; descending.
    votes, relief : (k + 1,) float64
        How many votes come before each cell, what they add to the lead; the last are of all.
    """

    cells: Places
    effect: Floats
    votes: Floats
    relief: Floats

    @property
    def total(self) -> int:
        """How many votes there are to drop."""
        return int(self.votes[-1])

    def votes_over(self, relief: float) -> int | None:
        """Return how many votes, in order, add more than `relief` to the lead, to first order."""
        if relief >= self.relief[-1]:
            return None
        cell = int(np.searchsorted(self.relief, relief, side="right")) - 1
        return int(self.votes[cell] + (relief - self.relief[cell]) // self.effect[cell]) + 1

    def relief_of(self, votes: int) -> float:
        """Return what the first so many votes add to the lead, to first order."""
        return float(np.interp(votes, self.votes, self.relief))

    def counts(self, votes: int) -> Floats:
        """Return (k,): how many of each cell are among the first so many votes."""
        return np.clip(votes - self.votes[:-1], 0.0, np.diff(self.votes))


def ordered(effect: Floats, weight: Floats) -> Order:
    """Return the order of cells by what one vote of each adds to the lead.

    Parameters
    ----------
    effect : (c,) float64
        In logits; cells that add nothing or take away are left out.
    weight : (c,) float64
        Votes in each cell.
    """
    helpful = np.flatnonzero(effect > 0)
    cells = helpful[np.argsort(-effect[helpful], kind="stable")]
    return Order(
        cells=cells,
        effect=effect[cells],
        votes=np.r_[0.0, np.cumsum(weight[cells])],
        relief=np.r_[0.0, np.cumsum(weight[cells] * effect[cells])],
    )
