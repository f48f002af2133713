"""Queries of boards, their names and their sources."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.errors import UnknownBoardError
from arena.store.preferences import Source
from arena.store.tables import BoardRow, JudgeRow, ModelRow

PEOPLE = "people"


def find_board(session: Session, name: str) -> BoardRow:
    """Return the board of this name, or say which boards there are."""
    board = session.scalar(select(BoardRow).where(BoardRow.name == name))
    if board is None:
        names = session.scalars(select(BoardRow.name).order_by(BoardRow.name).limit(20)).all()
        known = ", ".join(names) if names else "none yet"
        raise UnknownBoardError(f"No board is called {name!r}. Boards here: {known}.", name=name)
    return board


def find_source(session: Session, board: BoardRow, name: str) -> Source:
    """Return the people of a board, or the judge of this name."""
    if name == PEOPLE:
        return Source(board.id, None)
    judge_id = session.scalar(select(JudgeRow.id).where(JudgeRow.name == name))
    if judge_id is None:
        raise UnknownBoardError(
            f"No judge is called {name!r}. Give {PEOPLE!r} or the name of a judge.", name=name
        )
    return Source(board.id, judge_id)


def source_name(session: Session, source: Source) -> str:
    """Return "people", or the judge's name."""
    if source.judge_id is None:
        return PEOPLE
    return session.scalars(select(JudgeRow.name).where(JudgeRow.id == source.judge_id)).one()


def model_names(session: Session, ids: set[int]) -> dict[int, str]:
    """Return the name of each model."""
    rows = session.execute(select(ModelRow.id, ModelRow.name).where(ModelRow.id.in_(ids)))
    return {row.id: row.name for row in rows}
