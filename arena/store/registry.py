"""Queries of the registry: boards and models by name, and the events that say who changed them."""

import re
from collections.abc import Sequence

from sqlalchemy import BigInteger, Row, cast, func, select
from sqlalchemy.orm import Session

from arena.errors import InputError
from arena.hygiene import RefusedError, clean_name, clean_text
from arena.store.tables import (
    BoardRow,
    CompletionRow,
    EventRow,
    ModelAliasRow,
    ModelRow,
    PreferenceCountRow,
)
from arena.store.tables.base import Json
from arena.terms import Cluster, Interval

BOARD_LOCK = 4_208_119
BOARD_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")


def checked_name(what: str, text: str) -> str:
    """Return the name of `what`, as in "A model", cleaned.

    Raises
    ------
    InputError
        If it deceives, is empty or is too long.
    """
    try:
        return clean_name(text)
    except RefusedError as error:
        raise InputError(
            f"{what} cannot be called {error.found}: expected {error.expected}.",
            reason=error.reason,
        ) from error


def cleaned(text: str | None) -> str | None:
    """Return a text as it is stored, if there is one."""
    return None if text is None else clean_text(text)


def record(
    session: Session, action: str, subject: str, *, actor: str, detail: Json | None = None
) -> None:
    """Write down who did what to the registry."""
    session.add(EventRow(actor=actor, action=action, subject=subject, detail=detail))


def ensure_board(session: Session, name: str, *, actor: str) -> tuple[BoardRow, bool]:
    """Return the board of this name, made if it was missing, and whether it was made."""
    find = select(BoardRow).where(BoardRow.name == name)
    board = session.scalar(find)
    if board is not None:
        return board, False
    # Two imports may make one board: the second waits here for the first, and finds its board.
    lock_board_name(session, name)
    board = session.scalar(find)
    if board is not None:
        return board, False
    return add_board(session, name, title=name, actor=actor), True


def lock_board_name(session: Session, name: str) -> None:
    """Let those who make a board of one name take turns, until the transaction ends."""
    session.execute(select(func.pg_advisory_xact_lock(BOARD_LOCK, func.hashtext(name))))


def add_board(
    session: Session, name: str, *, title: str, actor: str, description: str | None = None
) -> BoardRow:
    """Make a board and write the event.

    Raises
    ------
    InputError
        If the name cannot stand in an address, or the title is none.
    """
    if not BOARD_NAME.fullmatch(name):
        raise InputError(
            f"A board cannot be called {name!r}: found other characters than expected. Use up to 63 small "
            "letters, digits and hyphens, beginning with a letter or digit.",
            name=name,
        )
    title = checked_name("A board, by its title,", title)
    board = BoardRow(
        name=name,
        title=title,
        description=cleaned(description),
        interval=Interval.AUTO,
        cluster=Cluster.VOTER,
    )
    session.add(board)
    record(session, "board.create", name, actor=actor)
    session.flush()
    return board


def find_model(session: Session, name: str) -> ModelRow | None:
    """Return the model of this exact name, or the one that a reviewed alias of this name stands for."""
    model = session.scalar(select(ModelRow).where(ModelRow.name == name))
    if model is not None:
        return model
    return session.scalar(
        select(ModelRow)
        .join(ModelAliasRow, ModelAliasRow.model_id == ModelRow.id)
        .where(ModelAliasRow.alias == name)
    )


def aliases_by_model(session: Session) -> dict[int, list[str]]:
    """Return the other names of each model that has some."""
    names: dict[int, list[str]] = {}
    for row in session.scalars(select(ModelAliasRow).order_by(ModelAliasRow.alias)):
        names.setdefault(row.model_id, []).append(row.alias)
    return names


def board_sizes(session: Session) -> Sequence[Row[str, str, bool, int, int, int]]:
    """Return name, title, whether simulated, and the numbers of votes, judgments and answers of each board."""
    counted = select(func.coalesce(func.sum(PreferenceCountRow.n), 0)).where(
        PreferenceCountRow.board_id == BoardRow.id
    )
    votes = counted.where(PreferenceCountRow.judge_id.is_(None)).scalar_subquery()
    judgments = counted.where(PreferenceCountRow.judge_id.is_not(None)).scalar_subquery()
    pool = select(func.count()).where(CompletionRow.board_id == BoardRow.id, CompletionRow.in_pool)
    return session.execute(
        select(
            BoardRow.name,
            BoardRow.title,
            BoardRow.is_simulated,
            cast(votes, BigInteger),
            cast(judgments, BigInteger),
            pool.scalar_subquery(),
        ).order_by(BoardRow.name)
    ).all()
