"""Choose a board to vote on, and the randomness that draws on it."""

from numpy.random import Generator, default_rng
from sqlalchemy.orm import Session

from arena.store import battles
from arena.store.boards import find_board
from arena.voting.views import BoardRef


def open_generator() -> Generator:
    """Return randomness from the operating system: nobody may foretell who stands on which side."""
    return default_rng()


def boards_to_vote_on(session: Session) -> list[BoardRef]:
    """Return the boards that can draw a battle, by title."""
    return [
        BoardRef(board.name, board.title, board.is_simulated)
        for board in battles.boards_with_pairs(session)
    ]


def board_to_vote_on(session: Session, name: str) -> BoardRef:
    """Return the board of this name, whether or not it can draw a battle now."""
    board = find_board(session, name)
    return BoardRef(board.name, board.title, board.is_simulated)
