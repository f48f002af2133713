"""Whose preferences a page shows, and by what name they are asked for."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.errors import InputError
from arena.leaderboard.views import SourceRef
from arena.store.boards import PEOPLE
from arena.store.leaderboard import CountedSource, counted_sources
from arena.store.preferences import Source
from arena.store.tables import BoardRow


def board_sources(session: Session, board: BoardRow) -> list[CountedSource]:
    """Return the sources of a board, people first; a board without any has people with nothing yet."""
    found = counted_sources(session, board.id)
    return found or [CountedSource(Source(board.id, None), PEOPLE, 0)]


def choose_source(sources: Sequence[CountedSource], name: str | None) -> CountedSource:
    """Return the source of this name; without a name people, or the first judge where no person voted.

    Raises
    ------
    InputError
        If the board has no preferences of that source.
    """
    if not name:
        return sources[0]
    for source in sources:
        if source.name == name:
            return source
    known = ", ".join(source.name for source in sources)
    raise InputError(f"No preferences of {name!r} are on this board. It has those of: {known}.")


def refs_of(sources: Sequence[CountedSource]) -> tuple[SourceRef, ...]:
    """Return the sources as pages show them."""
    return tuple(
        SourceRef(
            source.name,
            is_judge=source.source.judge_id is not None,
            preferences=source.preferences,
        )
        for source in sources
    )
