"""Votes one by one, for what counts do not hold: which of them go together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.errors import InputError
from arena.rating_runs.counts import Column, Counts
from arena.terms import Cluster
from ranking.battles import Flags, Floats

Numbers = NDArray[np.int64]
# A vote whose voter or prompt is not known.
UNKNOWN = -1
# The same before the known ones are numbered from 0 on.
ABSENT = -(1 << 62)


@dataclass(frozen=True, eq=False)
class SingleVotes:
    """Rated votes in the order in which they were counted.

    Parameters
    ----------
    models : tuple of str
        Each once.
    first, second : (n,) int
        Places in `models`.
    outcome : (n,) int
        Places in OUTCOMES; `a` means that the first shown won.
    voter, prompt : (n,) int64 or None
        Numbers from 0 on, or UNKNOWN; None if no vote says.
    styles : (n, 2, features) float64 or None
        The features of both answers, of the one shown first first; NaN where they are not known. None if
        nobody asked.
    """

    models: tuple[str, ...]
    first: Column
    second: Column
    outcome: Column
    voter: Numbers | None = None
    prompt: Numbers | None = None
    styles: Floats | None = None

    def some(self, kept: Flags) -> "SingleVotes":
        """Return the votes that are flagged."""
        return SingleVotes(
            models=self.models,
            first=self.first[kept],
            second=self.second[kept],
            outcome=self.outcome[kept],
            voter=None if self.voter is None else self.voter[kept],
            prompt=None if self.prompt is None else self.prompt[kept],
            styles=None if self.styles is None else self.styles[kept],
        )

    def counts(self) -> Counts:
        """Return the same votes as counts."""
        n = np.ones(len(self.first), np.int64)
        return Counts(self.models, self.first, self.second, self.outcome, n).canonical()

    def clusters(self, cluster: Cluster) -> list[Numbers]:
        """Return which votes may go together, one array for each way; an unknown one goes with no other.

        Raises
        ------
        InputError
            If the votes do not say who cast them, or on which prompt, and that is asked for.
        """
        ways = {
            Cluster.NONE: (),
            Cluster.VOTER: (("voter", self.voter),),
            Cluster.PROMPT: (("prompt", self.prompt),),
            Cluster.BOTH: (("voter", self.voter), ("prompt", self.prompt)),
        }
        return [_each_known(name, way) for name, way in ways[cluster]]


def numbered(marks: Numbers) -> Numbers | None:
    """Return the marks numbered from 0 on, ABSENT as UNKNOWN; None if all are."""
    known, number = np.unique(marks, return_inverse=True)
    if len(known) == 0 or known[-1] == ABSENT:
        return None
    return number - 1 if known[0] == ABSENT else number


def _each_known(name: str, way: Numbers | None) -> Numbers:
    if way is None or (way == UNKNOWN).all():
        raise InputError(
            f"No vote says its {name}, so intervals cannot allow for votes of one {name}. Leave "
            f"--cluster {name} out, or give votes with a column for it."
        )
    is_unknown = way == UNKNOWN
    alone = way.max() + 1 + np.arange(int(is_unknown.sum()))
    known = way.copy()
    known[is_unknown] = alone
    return known


def joined_votes(parts: list[SingleVotes]) -> SingleVotes:
    """Return the votes of all parts; a voter or prompt of one part is none of another's."""
    names = tuple(dict.fromkeys(name for part in parts for name in part.models))
    place = {name: number for number, name in enumerate(names)}
    of_part = [np.array([place[name] for name in part.models], np.int64) for part in parts]
    return SingleVotes(
        models=names,
        first=np.concatenate([of[part.first] for of, part in zip(of_part, parts, strict=True)]),
        second=np.concatenate([of[part.second] for of, part in zip(of_part, parts, strict=True)]),
        outcome=np.concatenate([part.outcome for part in parts]),
        voter=_renumbered([part.voter for part in parts], [len(part.first) for part in parts]),
        prompt=_renumbered([part.prompt for part in parts], [len(part.first) for part in parts]),
        styles=_joined_styles([part.styles for part in parts]),
    )


def _joined_styles(parts: list[Floats | None]) -> Floats | None:
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if len(known) == len(parts) and known else None


def _renumbered(ways: list[Numbers | None], sizes: list[int]) -> Numbers | None:
    if all(way is None for way in ways):
        return None
    offset, found = 0, []
    for way, size in zip(ways, sizes, strict=True):
        if way is None:
            found.append(np.full(size, UNKNOWN, np.int64))
            continue
        found.append(np.where(way == UNKNOWN, UNKNOWN, way + offset))
        offset += int(way.max(initial=UNKNOWN)) + 1
    return np.concatenate(found)
