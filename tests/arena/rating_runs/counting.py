"""Votes by name, as a test writes them."""

import numpy as np

from arena.rating_runs.counts import OUTCOMES, Counts
from arena.terms import Outcome

Vote = tuple[str, str, Outcome, int]


def count(*votes: Vote, models: tuple[str, ...] = ()) -> Counts:
    """Return the counts of (first shown, second shown, outcome, n), over these models and any other."""
    names = tuple(dict.fromkeys([*models, *(name for vote in votes for name in vote[:2])]))
    place = {name: number for number, name in enumerate(names)}
    return Counts(
        names,
        np.array([place[vote[0]] for vote in votes], dtype=np.int64),
        np.array([place[vote[1]] for vote in votes], dtype=np.int64),
        np.array([OUTCOMES.index(vote[2]) for vote in votes], dtype=np.int64),
        np.array([vote[3] for vote in votes], dtype=np.int64),
    )
