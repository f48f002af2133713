"""The single votes of a board's people as columns of numbers."""

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Row
from sqlalchemy.orm import Session

from arena.store.boards import model_names
from arena.store.reviews import stream_votes
from arena.store.tables import BoardRow
from arena.terms import BothBad, Outcome
from ranking import Battles, split
from ranking.battles import Flags

SCORES = {Outcome.A: 1.0, Outcome.TIE: 0.5, Outcome.BOTH_BAD: 0.5, Outcome.B: 0.0}
OUTCOMES = tuple(SCORES)
CODES = {outcome.value: place for place, outcome in enumerate(OUTCOMES)}


@dataclass(frozen=True, eq=False)
class BoardBallots:
    """The votes of a board's people among the models that can be rated together, by voter and in time.

    Parameters
    ----------
    models : tuple of m str
    voters : tuple of v str
        As stored; each has at least one vote on the board, though perhaps none among these models.
    is_out : (v,) bool
        Whether the voter is in quarantine.
    voter : (n,) int64
        Places in `voters`, ascending.
    battles : Battles
        n rows of one vote each.
    """

    models: tuple[str, ...]
    voters: tuple[str, ...]
    is_out: Flags
    voter: NDArray[np.int64]
    battles: Battles


class _Columns(NamedTuple):
    """One row a vote: place of the voter, ids of the models, place in SCORES."""

    voter: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    outcome: NDArray[np.int64]


def read_ballots(session: Session, board: BoardRow, *, quarantined: Set[str]) -> BoardBallots:
    """Return all counted votes of a board's people, read once, in order, a part at a time.

    Votes on models that the votes outside of quarantine do not join into the largest group are left out: no
    reference says what to expect of them. "Both bad" is a tie, or left out, as the board has it.
    """
    voters: list[str] = []
    parts = [_columns(part, voters) for part in stream_votes(session, board.id)]
    table = np.concatenate(parts or [np.zeros((4, 0), np.int64)], axis=1)
    columns = _Columns(table[0], table[1], table[2], table[3])
    if board.both_bad == BothBad.EXCLUDE:
        counted = columns.outcome != OUTCOMES.index(Outcome.BOTH_BAD)
        columns = _Columns(*(column[counted] for column in columns))
    is_out = np.array([voter in quarantined for voter in voters], np.bool_)
    ids, seats = np.unique(np.concatenate(columns[1:3]), return_inverse=True)
    battles = _battles(seats, columns.outcome, len(ids))
    rated = split(picked(battles, ~is_out[columns.voter])).rated
    inside = np.isin(battles.first, rated) & np.isin(battles.second, rated)
    names = model_names(session, set(ids.tolist()))
    return BoardBallots(
        tuple(names[int(ids[place])] for place in rated),
        tuple(voters),
        is_out,
        columns.voter[inside],
        battles.among(rated),
    )


def _battles(seats: NDArray[np.int64], outcome: NDArray[np.int64], models: int) -> Battles:
    """Return one row a vote; `seats` holds all first models, then all second ones."""
    first, second = np.split(seats.astype(np.int32), 2)
    worth = np.array(list(SCORES.values()))
    return Battles(first, second, worth[outcome], np.ones(len(outcome)), models)


def picked(battles: Battles, rows: Flags) -> Battles:
    """Return the flagged rows, over the same models."""
    return Battles(
        battles.first[rows],
        battles.second[rows],
        battles.score[rows],
        battles.weight[rows],
        battles.n_models,
    )


def _columns(part: Iterable[Row[str, int, int, str]], voters: list[str]) -> NDArray[np.int64]:
    """Return (4, rows) the columns of a part; voters that have not come before are added."""
    numbers = []
    for name, first, second, outcome in part:
        if not voters or voters[-1] != name:
            voters.append(name)
        numbers.append((len(voters) - 1, first, second, CODES[outcome]))
    return np.array(numbers, np.int64).reshape(-1, 4).T
