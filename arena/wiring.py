"""What a process opens once and hands down: settings, sessions, the bell, the secret."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from redis.exceptions import RedisError
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session, sessionmaker

from arena.embedded.postgres import EmbeddedPostgres
from arena.embedded.valkey import EmbeddedValkey
from arena.keys import installation_key
from arena.queue import Bell, open_redis
from arena.settings import Settings
from arena.store.engine import libpq_url, open_engine, open_sessions

# What it looks like when a server we stand on is away or has no connection left: it passes, so try again.
OUTAGES = (OperationalError, PoolTimeoutError, RedisError)


@dataclass(frozen=True)
class Wiring:
    """The parts of one process."""

    settings: Settings
    engine: Engine
    sessions: sessionmaker[Session]
    bell: Bell
    key: bytes

    @property
    def libpq_url(self) -> str:
        """The database as psycopg reads it, for the one writer that does without the engine."""
        return libpq_url(self.engine.url.render_as_string(hide_password=False))

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()
        self.bell.redis.close()


def database_url(settings: Settings) -> str:
    """Return where Postgres is: the operator's own, or the embedded one of this home."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    return EmbeddedPostgres(settings.home).url


def redis_url(settings: Settings) -> str:
    """Return where Redis is: the operator's own, or the embedded Valkey of this home."""
    if settings.redis_url is not None:
        return settings.redis_url.get_secret_value()
    return EmbeddedValkey(settings.home).url


def open_wiring(settings: Settings, *, application: str = "arena") -> Wiring:
    """Return the parts; nothing is connected before it is used."""
    engine = open_engine(database_url(settings), application=application)
    return Wiring(
        settings=settings,
        engine=engine,
        sessions=open_sessions(engine),
        bell=Bell(open_redis(redis_url(settings))),
        key=installation_key(settings),
    )


@contextmanager
def opened(settings: Settings, *, application: str = "arena") -> Iterator[Wiring]:
    """Open the parts for the length of a `with` block."""
    wiring = open_wiring(settings, application=application)
    try:
        yield wiring
    finally:
        wiring.close()
