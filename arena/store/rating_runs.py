"""Queries of rating runs: asked for, claimed, published, and found again when their worker died."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Engine, and_, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from arena.store.preferences import Source
from arena.store.tables import JudgeRow, PreferenceCountRow, RatingRow, RatingRunRow, RatingViewRow
from arena.terms import RunState

# Session locks taken while a source is refitted: (this, source) is free again the moment a worker dies.
REFIT_LOCK = 4_208_117
TAKE_LOCK = "SELECT pg_try_advisory_lock(:space, hashtext(:source))"
FREE_LOCK = "SELECT pg_advisory_unlock(:space, hashtext(:source))"
MOST_ATTEMPTS = 3


@dataclass(frozen=True)
class Wanted:
    """A run that somebody asked for and nobody has begun."""

    run_id: int
    source: Source


@dataclass(frozen=True)
class Claim:
    """A run that this worker may publish, as long as nobody claimed it after."""

    run_id: int
    attempt: int
    source: Source


def request_run(session: Session, source: Source) -> Wanted | None:
    """Ask for a refit; return the request, or None if one is there and not yet begun."""
    statement = (
        upsert(RatingRunRow)
        .values(board_id=source.board_id, judge_id=source.judge_id, state=RunState.REQUESTED)
        .on_conflict_do_nothing(
            index_elements=["board_id", "judge_id"],
            index_where=text("state = 'requested'"),
        )
        .returning(RatingRunRow.id)
    )
    run_id = session.scalar(statement)
    return None if run_id is None else Wanted(run_id, source)


def claim_run(session: Session, source: Source) -> Claim | None:
    """Take the requested run of a source, if there is one."""
    requested = (
        select(RatingRunRow.id)
        .where(_is_of(source), RatingRunRow.state == RunState.REQUESTED)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    statement = (
        update(RatingRunRow)
        .where(RatingRunRow.id == requested)
        .values(
            state=RunState.RUNNING,
            attempt=RatingRunRow.attempt + 1,
            started_at=func.clock_timestamp(),
        )
        .returning(RatingRunRow.id, RatingRunRow.attempt)
    )
    row = session.execute(statement).one_or_none()
    return None if row is None else Claim(row.id, row.attempt, source)


def note_watermark(session: Session, claim: Claim, watermark: int) -> None:
    """Write down which preferences the run reads, before it reads them."""
    session.execute(update(RatingRunRow).where(_is_held(claim)).values(watermark=watermark))


def publish_run(
    session: Session,
    claim: Claim,
    facts: dict[str, object],
    ratings: list[dict[str, object]],
    *,
    views: Sequence[dict[str, object]] = (),
) -> bool:
    """Publish a run with all its ratings; return False, having changed nothing, if another claimed it."""
    statement = (
        update(RatingRunRow)
        .where(_is_held(claim))
        .values(
            state=RunState.PUBLISHED,
            published_at=func.clock_timestamp(),
            ended_at=func.clock_timestamp(),
            **facts,
        )
        .returning(RatingRunRow.id)
    )
    if session.scalar(statement) is None:
        return False
    for table, rows in ((RatingRow, ratings), (RatingViewRow, views)):
        if rows:
            session.execute(insert(table), [{**row, "rating_run_id": claim.run_id} for row in rows])
    return True


def fail_run(session: Session, claim: Claim, reason: str) -> bool:
    """Keep why a run failed; return False if another worker claimed it."""
    statement = (
        update(RatingRunRow)
        .where(_is_held(claim))
        .values(state=RunState.FAILED, reason=reason, ended_at=func.clock_timestamp())
        .returning(RatingRunRow.id)
    )
    return session.scalar(statement) is not None


def running_claims(session: Session) -> list[Claim]:
    """Return the runs that a worker began and has not ended."""
    rows = session.execute(
        select(
            RatingRunRow.id, RatingRunRow.attempt, RatingRunRow.board_id, RatingRunRow.judge_id
        ).where(RatingRunRow.state == RunState.RUNNING)
    )
    return [Claim(row.id, row.attempt, Source(row.board_id, row.judge_id)) for row in rows]


def release_run(session: Session, claim: Claim, cause: str) -> None:
    """Put a run whose worker died back in line, or fail it for good after its last attempt."""
    waiting = select(RatingRunRow.id).where(
        _is_of(claim.source), RatingRunRow.state == RunState.REQUESTED
    )
    if claim.attempt >= MOST_ATTEMPTS:
        fail_run(session, claim, f"Given up after {claim.attempt} attempts. {cause}")
    elif session.scalar(waiting) is not None:
        fail_run(session, claim, f"A newer request takes the place of this run. {cause}")
    else:
        session.execute(
            update(RatingRunRow).where(_is_held(claim)).values(state=RunState.REQUESTED)
        )


def waiting_runs(session: Session) -> list[Wanted]:
    """Return the runs that wait for a worker."""
    rows = session.execute(
        select(RatingRunRow.id, RatingRunRow.board_id, RatingRunRow.judge_id).where(
            RatingRunRow.state == RunState.REQUESTED
        )
    )
    return [Wanted(row.id, Source(row.board_id, row.judge_id)) for row in rows]


def stale_sources(session: Session) -> list[Source]:
    """Return the sources with counted preferences newer than any run that was asked for or published.

    A source whose newest run failed waits for its next preference, or for somebody to ask.
    """
    counted = (
        select(
            PreferenceCountRow.board_id,
            PreferenceCountRow.judge_id,
            func.max(PreferenceCountRow.last_sequence).label("newest"),
        )
        .group_by(PreferenceCountRow.board_id, PreferenceCountRow.judge_id)
        .subquery()
    )
    known = (
        select(RatingRunRow.id)
        .where(
            RatingRunRow.board_id == counted.c.board_id,
            RatingRunRow.judge_id.is_not_distinct_from(counted.c.judge_id),
            (RatingRunRow.state.in_([RunState.REQUESTED, RunState.RUNNING]))
            | (RatingRunRow.watermark >= counted.c.newest),
        )
        .exists()
    )
    rows = session.execute(select(counted.c.board_id, counted.c.judge_id).where(~known))
    return [Source(row.board_id, row.judge_id) for row in rows]


def sources_of(session: Session, board_id: int) -> list[tuple[Source, str]]:
    """Return the sources that a board has preferences of, people first, each with its name."""
    rows = session.execute(
        select(PreferenceCountRow.judge_id, JudgeRow.name)
        .outerjoin(JudgeRow, JudgeRow.id == PreferenceCountRow.judge_id)
        .where(PreferenceCountRow.board_id == board_id)
        .distinct()
        .order_by(JudgeRow.name.nulls_first())
    )
    return [(Source(board_id, row.judge_id), row.name or "people") for row in rows]


@contextmanager
def refit_lock(engine: Engine, source: Source) -> Iterator[bool]:
    """Hold the lock of a source for a `with` block; yields False if a live worker has it.

    The lock belongs to a connection of its own and is free again the moment that the process dies.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        taken = bool(connection.scalar(text(TAKE_LOCK), _lock_key(source)))
        try:
            yield taken
        finally:
            if taken:
                connection.execute(text(FREE_LOCK), _lock_key(source))


def _lock_key(source: Source) -> dict[str, object]:
    return {"space": REFIT_LOCK, "source": f"{source.board_id}/{source.judge_id}"}


def _is_of(source: Source) -> ColumnElement[bool]:
    return and_(
        RatingRunRow.board_id == source.board_id,
        RatingRunRow.judge_id.is_not_distinct_from(source.judge_id),
    )


def _is_held(claim: Claim) -> ColumnElement[bool]:
    return and_(
        RatingRunRow.id == claim.run_id,
        RatingRunRow.attempt == claim.attempt,
        RatingRunRow.state == RunState.RUNNING,
    )
