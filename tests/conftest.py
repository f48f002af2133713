"""Real servers for every test: one embedded Postgres and Valkey a test process, one fresh database a test."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from pydantic import SecretStr
from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.orm import Session

from arena.embedded.postgres import EmbeddedPostgres
from arena.embedded.valkey import EmbeddedValkey
from arena.settings import Settings
from arena.store import schema
from arena.store.engine import open_engine
from arena.wiring import Wiring, opened

TEMPLATE = "arena_template"
# Nothing here has to survive a power cut.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@pytest.fixture(scope="session", autouse=True)
def _clean_environment() -> None:
    """Settings of the operator's shell must not reach a test."""
    kept = {"ARENA_SHARED", "ARENA_CASES", "ARENA_CHROMIUM", "ARENA_SHARED_REQUIRED"}
    for name in [name for name in os.environ if name.startswith("ARENA_")]:
        if name not in kept:
            del os.environ[name]


@pytest.fixture(scope="session")
def short_folder() -> Iterator[Path]:
    """A folder with a path short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="arena-", dir="/tmp"))
    folder.chmod(0o711)  # as root the server is another user
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres(short_folder: Path) -> Iterator[EmbeddedPostgres]:
    """A running Postgres with a migrated template database."""
    with EmbeddedPostgres(short_folder / "pg", options=FAST) as server:
        with _admin(server) as engine:
            _run(engine, f"CREATE DATABASE {TEMPLATE}")
        migrated = open_engine(_url_of(server, TEMPLATE))
        schema.upgrade(migrated)
        migrated.dispose()
        yield server


@pytest.fixture(scope="session")
def valkey(short_folder: Path) -> Iterator[EmbeddedValkey]:
    """A running Valkey."""
    with EmbeddedValkey(short_folder / "valkey") as server:
        yield server


@pytest.fixture
def database_url(postgres: EmbeddedPostgres) -> Iterator[str]:
    """A migrated database of its own for one test."""
    name = f"test_{uuid4().hex[:12]}"
    with _admin(postgres) as engine:
        _run(engine, f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
    yield _url_of(postgres, name)
    with _admin(postgres) as engine:
        _run(engine, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def settings(database_url: str, valkey: EmbeddedValkey, tmp_path: Path) -> Settings:
    """Settings of a test's own installation."""
    return Settings(
        home=tmp_path / "home",
        database_url=SecretStr(database_url),
        redis_url=SecretStr(valkey.url),
        secret_key=SecretStr("a secret that only tests have"),
    )


@pytest.fixture
def wiring(settings: Settings) -> Iterator[Wiring]:
    """The parts of a process, over a fresh database and an emptied Valkey."""
    with opened(settings, application="arena test") as parts:
        parts.bell.redis.flushdb()
        yield parts


@pytest.fixture
def session(wiring: Wiring) -> Iterator[Session]:
    """A session whose transaction is rolled back at the end."""
    with wiring.sessions() as session:
        yield session
        session.rollback()


@contextmanager
def _admin(server: EmbeddedPostgres) -> Iterator[Engine]:
    """An engine on the server's own database, outside any transaction."""
    engine = create_engine(_url_of(server, "postgres"), isolation_level="AUTOCOMMIT")
    yield engine
    engine.dispose()


def _url_of(server: EmbeddedPostgres, database: str) -> str:
    return make_url(server.url).set(database=database).render_as_string(hide_password=False)


def _run(engine: Engine, statement: str) -> None:
    with engine.connect() as connection:
        connection.execute(text(statement))
