"""A published run as the read side has it: its facts, and what it says of each model."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.leaderboard.views import BoardHead, RunFacts
from arena.store import leaderboard as rows
from arena.store.leaderboard import CountedSource
from arena.store.preferences import Source
from arena.store.tables import BoardRow, ModelRow, RatingRow, RatingRunRow
from arena.terms import RunState


@dataclass(frozen=True)
class Published:
    """A published run of a source with its ratings, by rank."""

    source: CountedSource
    run: RatingRunRow
    ratings: tuple[tuple[RatingRow, ModelRow], ...]


def read_published(session: Session, source: CountedSource) -> Published | None:
    """Return the newest published run of a source with its ratings."""
    run = rows.newest_run(session, source.source)
    if run is None:
        return None
    ratings = tuple((row[0], row[1]) for row in rows.read_ratings(session, run.id))
    return Published(source, run, ratings)


def read_trouble(session: Session, source: CountedSource) -> str | None:
    """Return why the last run that was asked for failed, if it did."""
    run = rows.last_request(session, source.source)
    return run.reason if run is not None and run.state == RunState.FAILED else None


def head_of(board: BoardRow) -> BoardHead:
    """Return a board's words."""
    return BoardHead(board.name, board.title, board.description, board.is_simulated)


def facts_of(session: Session, run: RatingRunRow) -> RunFacts:
    """Return the facts of a published run, and what is newer. Its table's constraint says that they are there."""
    assert run.published_at is not None
    assert run.watermark is not None
    assert run.counts_digest is not None
    said = run.warnings or {}
    source = Source(run.board_id, run.judge_id)
    return RunFacts(
        id=run.id,
        published_at=run.published_at,
        preferences=run.preferences or 0,
        voters=run.voters,
        watermark=run.watermark,
        waiting=rows.count_waiting(session, source, run.watermark),
        counts_digest=run.counts_digest,
        method=run.method or {},
        versions=run.versions or {},
        warnings=tuple(said.get("warnings", ())),
        excluded=said.get("excluded", {}),
        gradient_norm=run.gradient_norm,
        iterations=run.iterations,
        rounds_degenerate=run.rounds_degenerate,
    )
