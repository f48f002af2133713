"""Fresh databases for what is measured on Postgres."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, make_url, text

from arena.embedded.postgres import EmbeddedPostgres
from arena.store import schema
from arena.store.engine import open_engine

TEMPLATE = "benchmark_template"


@contextmanager
def server(folder: Path) -> Iterator[EmbeddedPostgres]:
    """Run a Postgres of its own in a folder, with a migrated template."""
    folder.chmod(0o755)  # as root, Postgres runs as another user
    with EmbeddedPostgres(folder / "postgres") as running:
        _administer(running, f"CREATE DATABASE {TEMPLATE}")
        engine = open_engine(_url(running, TEMPLATE))
        schema.upgrade(engine)
        engine.dispose()
        yield running


@contextmanager
def database(running: EmbeddedPostgres, name: str) -> Iterator[Engine]:
    """Open a fresh database, and drop it at the end."""
    _administer(running, f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    engine = open_engine(_url(running, name))
    yield engine
    engine.dispose()
    _administer(running, f"DROP DATABASE {name}")


def _administer(running: EmbeddedPostgres, statement: str) -> None:
    engine = open_engine(running.url).execution_options(isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()


def _url(running: EmbeddedPostgres, name: str) -> str:
    return make_url(running.url).set(database=name).render_as_string(hide_password=False)
