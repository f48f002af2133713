"""Boards: made by name, and listed with what they hold."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.errors import ConflictError
from arena.store import registry as rows
from arena.store.tables import BoardRow


@dataclass(frozen=True)
class BoardEntry:
    """A board in a list: its words, and how much it holds."""

    name: str
    title: str
    is_simulated: bool
    votes: int
    judgments: int
    completions: int


def create_board(
    session: Session,
    name: str,
    *,
    actor: str,
    title: str | None = None,
    description: str | None = None,
) -> None:
    """Make a board.

    Raises
    ------
    ConflictError
        If there is one of this name.
    InputError
        If the name cannot stand in an address.
    """
    rows.lock_board_name(session, name)
    if session.scalar(select(BoardRow.id).where(BoardRow.name == name)) is not None:
        raise ConflictError(f"A board is called {name!r} already. Choose another name.", name=name)
    rows.add_board(session, name, title=title or name, description=description, actor=actor)


def list_boards(session: Session) -> list[BoardEntry]:
    """Return all boards by name."""
    return [
        BoardEntry(
            name, title, simulated, votes=votes, judgments=judgments, completions=completions
        )
        for name, title, simulated, votes, judgments, completions in rows.board_sizes(session)
    ]
