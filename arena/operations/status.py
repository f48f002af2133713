"""`arena status` and `arena down`: what runs in a home, and the end of it."""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass

from redis.exceptions import RedisError
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from arena.embedded.holding import State, is_held, read_state
from arena.errors import UnavailableError
from arena.settings import Settings
from arena.store import schema
from arena.store.tables import BoardRow, RatingRunRow
from arena.terms import RunState
from arena.wiring import Wiring, opened

DOWN_SECONDS = 30
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Status:
    """What is up. What could not be asked is None, and `problems` says why."""

    state: State | None
    queues: dict[str, int] | None
    migration: str | None
    wanted_migration: str | None
    newest_run: str | None
    problems: tuple[str, ...]


def read_status(settings: Settings) -> Status:
    """Ask every part how it is."""
    is_up = is_held(settings.home)
    if not is_up and settings.database_url is None:
        idle = f"No `arena up` holds {settings.home}. Start it with `arena up`."
        return Status(None, None, None, schema.head(), None, (idle,))
    problems: list[str] = []
    state = read_state(settings.home) if is_up else None
    with opened(settings, application="arena status") as wiring:
        queues = _ask_queues(wiring, problems)
        migration, newest = _ask_database(wiring, problems)
    return Status(state, queues, migration, schema.head(), newest, tuple(problems))


def _ask_queues(wiring: Wiring, problems: list[str]) -> dict[str, int] | None:
    try:
        return wiring.bell.depths()
    except RedisError as error:
        problems.append(f"Redis does not answer: {error}. Votes and pages go on without it.")
        return None


def _ask_database(wiring: Wiring, problems: list[str]) -> tuple[str | None, str | None]:
    try:
        migration = schema.current(wiring.engine)
        if migration != schema.head():
            problems.append(
                f"The database is at migration {migration}, the code wants {schema.head()}: "
                "run `arena db upgrade`."
            )
            return migration, None
        return migration, _newest_run(wiring)
    except OperationalError as error:
        problems.append(f"Postgres does not answer: {str(error.orig).strip()}")
        return None, None


def _newest_run(wiring: Wiring) -> str | None:
    newest = (
        select(RatingRunRow.id, RatingRunRow.published_at, BoardRow.name)
        .join(BoardRow, BoardRow.id == RatingRunRow.board_id)
        .where(RatingRunRow.state == RunState.PUBLISHED)
        .order_by(RatingRunRow.published_at.desc())
        .limit(1)
    )
    with wiring.sessions() as session:
        row = session.execute(newest).one_or_none()
    return (
        None if row is None else f"{row.id} of {row.name}, {row.published_at:%Y-%m-%d %H:%M:%S} UTC"
    )


def take_down(settings: Settings) -> str:
    """End the `arena up` of a home and return once it is gone."""
    if not is_held(settings.home):
        return f"Nothing runs in {settings.home}."
    state = read_state(settings.home)
    if state is None:
        raise UnavailableError(f"What holds {settings.home} has only just started. Try again.")
    with suppress(ProcessLookupError):
        os.kill(state.pid, signal.SIGTERM)
    end = time.monotonic() + DOWN_SECONDS
    while is_held(settings.home):
        if time.monotonic() > end:
            raise UnavailableError(
                f"Process {state.pid} has not ended within {DOWN_SECONDS} s. Look at it, then end it by hand."
            )
        time.sleep(POLL_SECONDS)
    return f"Ended process {state.pid}."
