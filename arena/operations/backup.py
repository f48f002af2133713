"""Backups: everything in one file of pg_dump's custom format, and back from it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Engine, create_engine, inspect, make_url, text

from arena.errors import ConflictError, InputError
from arena.operations import tools
from arena.settings import Settings
from arena.store import schema
from arena.store.engine import driver_url, open_engine
from arena.wiring import database_url

# A dump from Postgres begins so, whatever its version.
SIGNATURE = b"PGDMP"


def back_up(settings: Settings, file: Path) -> int:
    """Write everything to a file, whole or not at all; return its size in bytes."""
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.unfinished")
    try:
        words = ["--format=custom", f"--file={unfinished}"]
        tools.run(settings, "pg_dump", words, url=database_url(settings))
        unfinished.rename(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return file.stat().st_size


def restore(settings: Settings, file: Path, *, force: bool) -> str:
    """Put a backup in the place of the database; return the name the old one was kept under, if it held anything.

    The backup is read into a database of its own first. Only when all of it is there do the two change names, so a
    bad file or a kill half-way leaves everything as it was.

    Raises
    ------
    InputError
        If the file is no backup.
    ConflictError
        If the database has rows of ours and `force` is not given.
    """
    _check_file(file)
    url = database_url(settings)
    has_rows = _has_boards(url)
    if has_rows and not force:
        raise ConflictError(
            "The database holds boards. `arena restore --force` keeps it under another name and puts the "
            "backup in its place."
        )
    name = make_url(url).database or ""
    fresh, kept = f"{name}_restored_{uuid4().hex[:8]}", f"{name}_before_{uuid4().hex[:8]}"
    with _server(url) as engine:
        _run(engine, f'CREATE DATABASE "{fresh}"')
        try:
            _fill(settings, file, _named(url, fresh))
            _swap(engine, name, fresh, kept)
        except BaseException:
            _run(engine, f'DROP DATABASE IF EXISTS "{fresh}" WITH (FORCE)')
            raise
        if not has_rows:
            _run(engine, f'DROP DATABASE "{kept}" WITH (FORCE)')
    return kept if has_rows else ""


def _check_file(file: Path) -> None:
    if not file.is_file():
        raise InputError(f"There is no file {file}.")
    with file.open("rb") as start:
        found = start.read(len(SIGNATURE))
    if found != SIGNATURE:
        raise InputError(f"{file} is not a backup: expected a file written by `arena backup`.")


def _has_boards(url: str) -> bool:
    engine = open_engine(url)
    try:
        if "board" not in inspect(engine).get_table_names():
            return False
        with engine.connect() as connection:
            return connection.scalar(text("SELECT 1 FROM board LIMIT 1")) is not None
    finally:
        engine.dispose()


def _fill(settings: Settings, file: Path, url: str) -> None:
    """Read the backup into an empty database and bring it up to our migrations."""
    tools.run(settings, "pg_restore", ["--exit-on-error", "--no-owner", str(file)], url=url)
    engine = open_engine(url)
    try:
        schema.upgrade(engine)
    finally:
        engine.dispose()


def _swap(engine: Engine, name: str, fresh: str, kept: str) -> None:
    """Change the names. Whoever is connected to the old database is cut off and comes back to the new one."""
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name AND pid <> pg_backend_pid()"
    with engine.connect() as connection:
        connection.execute(text(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false'))
        connection.execute(text(cut), {"name": name})
        connection.execute(text(f'ALTER DATABASE "{name}" RENAME TO "{kept}"'))
        connection.execute(text(f'ALTER DATABASE "{fresh}" RENAME TO "{name}"'))
        connection.execute(text(f'ALTER DATABASE "{kept}" ALLOW_CONNECTIONS true'))


@contextmanager
def _server(url: str) -> Iterator[Engine]:
    """An engine on the server's own database, outside any transaction."""
    engine = create_engine(_named(url, "postgres"), isolation_level="AUTOCOMMIT")
    try:
        yield engine
    finally:
        engine.dispose()


def _named(url: str, database: str) -> str:
    return make_url(driver_url(url)).set(database=database).render_as_string(hide_password=False)


def _run(engine: Engine, statement: str) -> None:
    with engine.connect() as connection:
        connection.execute(text(statement))
