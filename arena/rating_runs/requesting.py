"""Asking for refits. A request is a row; a bell wakes a worker; a bell that was lost is rung again."""

import time
from collections.abc import Iterator

from sqlalchemy.orm import Session

from arena.errors import NothingToRateError
from arena.queue import RATINGS, REFIT
from arena.store import rating_runs as runs
from arena.store.boards import find_board
from arena.store.preferences import Source, count_new
from arena.store.rating_runs import Wanted
from arena.store.tables import RatingRunRow
from arena.terms import RunState
from arena.wiring import Wiring

PEOPLE_NUMBER = 0
POLL_SECONDS = 0.2
AT_WORK = (RunState.REQUESTED, RunState.RUNNING)


def request(session: Session, source: Source) -> Wanted | None:
    """Ask for a refit of a source; return the request, or None if one is already waiting to begin."""
    return runs.request_run(session, source)


def request_people(session: Session, board_id: int) -> Wanted | None:
    """Ask for a refit of the people's votes on a board."""
    return request(session, Source(board_id, None))


def ring(wiring: Wiring, wanted: Wanted) -> bool:
    """Wake a worker for a request. Call it after the transaction that asked has ended."""
    ids = (wanted.source.board_id, wanted.source.judge_id or PEOPLE_NUMBER)
    seconds = wiring.settings.refit_seconds
    return wiring.bell.ring(REFIT, ids, work=wanted.run_id, queue=RATINGS, seconds=seconds)


def source_of(board_id: int, judge_number: int) -> Source:
    """Return the source that a job's two numbers stand for."""
    return Source(board_id, None if judge_number == PEOPLE_NUMBER else judge_number)


def count_all(wiring: Wiring) -> set[Source]:
    """Count every settled preference that is not counted yet, a batch a transaction."""
    touched: set[Source] = set()
    while True:
        with wiring.sessions.begin() as session:
            sources = count_new(session)
        if not sources:
            return touched
        touched |= sources


def sweep(wiring: Wiring) -> list[Wanted]:
    """Find all work that no live worker has, and ring for it; return what waits.

    Counts what is settled, puts runs of dead workers back in line, and asks for what is stale.
    """
    count_all(wiring)
    _release_dead(wiring)
    with wiring.sessions.begin() as session:
        for source in runs.stale_sources(session):
            request(session, source)
        waiting = runs.waiting_runs(session)
    for wanted in waiting:
        ring(wiring, wanted)
    return waiting


def _release_dead(wiring: Wiring) -> None:
    """Find runs whose worker is gone: where we can take the lock of the source, nobody holds it."""
    with wiring.sessions.begin() as session:
        claims = runs.running_claims(session)
    for claim in claims:
        with runs.refit_lock(wiring.engine, claim.source) as taken:
            if taken:
                with wiring.sessions.begin() as session:
                    runs.release_run(session, claim, "The worker ended without a word.")


def release(wiring: Wiring, source: Source, cause: str) -> None:
    """Put the begun runs of a source, whose worker is known to have ended, back in line."""
    with wiring.sessions.begin() as session:
        for claim in runs.running_claims(session):
            if claim.source == source:
                runs.release_run(session, claim, cause)


def ask_for_board(wiring: Wiring, board_name: str, *, wait: bool) -> Iterator[str]:
    """Ask for a refit of every source of a board; yield one line a source, when it is asked for or has ended."""
    count_all(wiring)
    with wiring.sessions.begin() as session:
        board = find_board(session, board_name)
        sources = runs.sources_of(session, board.id)
        wanted = {name: request(session, source) for source, name in sources}
    if not sources:
        raise NothingToRateError(
            f"Board {board_name!r} has no settled preference yet. Import votes or vote on it first."
        )
    for each in wanted.values():
        if each is not None:
            ring(wiring, each)
    for name, each in wanted.items():
        if each is None:
            yield f"{name}: a refit is waiting to begin already"
        else:
            yield f"{name}: {_ended(wiring, each) if wait else f'rating run {each.run_id} is asked for'}"


def _ended(wiring: Wiring, wanted: Wanted) -> str:
    """Wait until a run has ended, and say how."""
    while True:
        with wiring.sessions.begin() as session:
            run = session.get_one(RatingRunRow, wanted.run_id)
        if run.state not in AT_WORK:
            reason = f": {run.reason}" if run.reason else ""
            return f"rating run {run.id} {run.state}{reason}"
        time.sleep(POLL_SECONDS)
