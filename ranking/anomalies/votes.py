"""Votes with their voters, each voter's together and in the order in which they were cast."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ranking.battles import Battles, Flags, Floats, Ints, tally

# The columns of every (n, 3) array here: what the first shown did, and what it scored by that.
FIRST_WON, TIED, SECOND_WON = range(3)
SCORES = np.array([1.0, 0.5, 0.0])


class Sides(NamedTuple):
    """The 2n sides of n votes, by voter, then model, then time.

    Parameters
    ----------
    key : (2n,) int64
        Voter times m, plus the model of the side; ascending.
    row : (2n,) int64
        Which vote it is a side of.
    outcome : (2n,) int64
        What the side's model did: FIRST_WON reads "won" and SECOND_WON "lost".
    is_second : (2n,) bool
    starts : (g,) int64
        Where each pair of a voter and a model begins.
    """

    key: NDArray[np.int64]
    row: NDArray[np.int64]
    outcome: NDArray[np.int64]
    is_second: Flags
    starts: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class VoterVotes:
    """n votes of v voters over m models. Make it with `by_voter`, which sorts and checks.

    Parameters
    ----------
    voter : (n,) int32
        0 to v - 1, ascending; among equals the earlier vote stands first. A number may have no vote.
    first, second : (n,) int32
        The model shown first and the model shown second, 0 to m - 1.
    outcome : (n,) int8
        FIRST_WON, TIED or SECOND_WON.
    n_voters, n_models : int
    """

    voter: Ints
    first: Ints
    second: Ints
    outcome: NDArray[np.int8]
    n_voters: int
    n_models: int

    def __len__(self) -> int:
        return len(self.voter)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """(v + 1,) where each voter's votes begin; the last is n."""
        return np.searchsorted(self.voter, np.arange(self.n_voters + 1)).astype(np.int64)

    @property
    def number(self) -> NDArray[np.int64]:
        """(n,) how many votes of the same voter stand before each."""
        return np.arange(len(self)) - self.starts[self.voter]

    def sums(self, of_vote: Floats) -> Floats:
        """Return (v,) the sum of each voter's (n,) numbers."""
        return tally(self.voter, of_vote, self.n_voters)

    def sides(self) -> Sides:
        """Return each vote twice, once for either model."""
        models = np.stack([self.first, self.second], axis=1)
        keys = (self.voter.astype(np.int64)[:, None] * self.n_models + models).ravel()
        order = np.argsort(keys, kind="stable")
        row, is_second = order // 2, order % 2 == 1
        seen = self.outcome[row].astype(np.int64)
        outcome = np.where(is_second, SECOND_WON - seen, seen)
        return Sides(
            keys[order], row, outcome, is_second, np.flatnonzero(np.diff(keys[order], prepend=-1))
        )

    def blocks(self, most_votes: int, most_voters: int) -> Iterator[tuple[int, Self]]:
        """Yield the votes in blocks of whole voters, renumbered from 0, each with its first voter's number.

        A block stays within both limits, except that a single voter is never split.
        """
        begin = 0
        while begin < self.n_voters:
            full = np.searchsorted(self.starts, self.starts[begin] + most_votes, side="right") - 1
            end = min(max(int(full), begin + 1), begin + most_voters, self.n_voters)
            rows = slice(self.starts[begin], self.starts[end])
            yield (
                begin,
                type(self)(
                    self.voter[rows] - np.int32(begin),
                    self.first[rows],
                    self.second[rows],
                    self.outcome[rows],
                    end - begin,
                    self.n_models,
                ),
            )
            begin = end


def by_voter(voter: NDArray[np.integer], battles: Battles, *, n_voters: int) -> VoterVotes:
    """Return the votes sorted by voter; rows come in the order in which they were cast and keep it.

    Any grouping can stand for the voter: the votes of a cohort are examined as those of one voter are.

    Raises
    ------
    ValueError
        If voters and battles differ in number, a voter is outside 0 to n_voters - 1, or a row stands for
        more than one vote.
    """
    if len(voter) != len(battles):
        raise ValueError(f"{len(voter)} voters for {len(battles)} battles; expected one for each")
    if len(voter) and not 0 <= int(voter.min()) <= int(voter.max()) < n_voters:
        raise ValueError(
            f"voters are numbered {voter.min()} to {voter.max()}; expected 0 to {n_voters - 1}"
        )
    if (battles.weight != 1).any():
        row = int(np.argmax(battles.weight != 1))
        raise ValueError(f"battle {row} stands for {battles.weight[row]:g} votes; expected 1 a row")
    order = np.argsort(voter, kind="stable")
    return VoterVotes(
        voter[order].astype(np.int32),
        battles.first[order],
        battles.second[order],
        np.rint(2 - 2 * battles.score[order]).astype(np.int8),
        n_voters,
        battles.n_models,
    )
