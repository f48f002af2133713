"""Which models a resample still ties together, and which it leaves without a bound or without a battle."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ranking.battles import Battles, Flags, tally
from ranking.connectivity import strong_groups
from ranking.resampling import LARGEST_TABLE, Floats32

Labels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Standing:
    """What each of B rounds says of each of m models. All three are (m, B); no two are true at once.

    `identified` has a finite strength; `above` and `below` none, for it only beat, or only lost to, the
    identified ones. Where none is true the round does not place the model at all.
    """

    identified: Flags
    above: Flags
    below: Flags


@dataclass(frozen=True, eq=False)
class Identification:
    """Reads the standing of a round from which cells came up in it.

    Models that large cells alone hold together are so in every round: they are one node. Only the cells
    between nodes are looked at, so a board without rare models costs nothing.

    Parameters
    ----------
    node_of : (m,) int64
        The node of each model.
    root : int
        The node with most battles: a round's strengths are those of the group that holds it.
    tail, head, cell : (a,) int64
        Arrows between nodes, from who scored, and the cell that must come up for the arrow to be there.
    """

    node_of: Labels
    root: int
    tail: Labels
    head: Labels
    cell: Labels

    def standing(self, drawn: Floats32) -> Standing:
        """Return the standing of the models in the (cells, B) rounds that were drawn."""
        if len(self.cell) == 0:
            everywhere = np.ones((len(self.node_of), drawn.shape[1]), np.bool_)
            return Standing(everywhere, ~everywhere, ~everywhere)
        present = drawn[self.cell] > 0
        under = self._reached(self.tail, self.head, present)
        over = self._reached(self.head, self.tail, present)
        identified = under & over
        alone = self._root_is_alone(identified)
        identified[:, alone] = False
        above, below = over & ~under, under & ~over
        above[self.root] = alone & below.any(0) & ~above.any(0)
        below[self.root] = alone & ~below.any(0) & above.any(0)
        of = self.node_of
        return Standing(identified[of], above[of], below[of])

    def _root_is_alone(self, identified: Flags) -> Flags:
        """Return (B,): whether the group of the root is a single model, which a round cannot rate."""
        models = np.bincount(self.node_of)
        alone: Flags = models @ identified == 1
        return alone

    def _reached(self, tail: Labels, head: Labels, present: Flags) -> Flags:
        """Return (nodes, B): which nodes the root leads to along arrows that are present."""
        nodes = int(self.node_of.max()) + 1
        into = csr_array(
            (np.ones(len(head), np.float32), (head, np.arange(len(head)))), (nodes, len(head))
        )
        reached = np.zeros((nodes, present.shape[1]), np.bool_)
        reached[self.root] = True
        while True:
            further = reached | (into @ (reached[tail] & present).astype(np.float32) > 0)
            if (further == reached).all():
                return reached
            reached = further


def identification(cells: Battles, certain: Flags | None = None) -> Identification:
    """Return how to read the rounds that are drawn of these cells.

    `certain` flags the cells that no round is without: by default those too large for a table.
    """
    large = cells.weight > LARGEST_TABLE if certain is None else certain
    always = Battles(
        cells.first[large],
        cells.second[large],
        cells.score[large],
        cells.weight[large],
        cells.n_models,
    )
    node_of = np.empty(cells.n_models, np.int64)
    for node, models in enumerate(strong_groups(always)):
        node_of[models] = node
    fought = tally(node_of[cells.first], cells.weight, cells.n_models)
    fought += tally(node_of[cells.second], cells.weight, cells.n_models)
    cell, tail, head = _arrows(cells, node_of)
    return Identification(node_of, int(np.argmax(fought)), tail, head, cell)


def _arrows(cells: Battles, node_of: Labels) -> tuple[Labels, Labels, Labels]:
    """Return (cell, tail, head) of the arrows between nodes; a tie is an arrow each way."""
    first, second = node_of[cells.first], node_of[cells.second]
    scored = np.flatnonzero((cells.score > 0) & (first != second))
    gave = np.flatnonzero((cells.score < 1) & (first != second))
    cell = np.concatenate([scored, gave])
    tail = np.concatenate([first[scored], second[gave]])
    head = np.concatenate([second[scored], first[gave]])
    return cell, tail, head
