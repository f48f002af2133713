"""Backups: everything in one file of pg_dump's custom format, and back from it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from psycopg.errors import ObjectInUse
from sqlalchemy import Engine, create_engine, make_url, select, text
from sqlalchemy.exc import OperationalError

from arena.errors import ConflictError, InputError, UnavailableError
from arena.operations import tools
from arena.settings import Settings
from arena.store import schema
from arena.store.engine import driver_url, open_engine
from arena.store.tables import Base
from arena.wiring import database_url

# A dump from Postgres begins so, whatever its version.
SIGNATURE = b"PGDMP"
SWAP_TRIES = 5
VERSIONS = "public.alembic_version"
OURS = {f"public.{name}": table for name, table in Base.metadata.tables.items()}
TABLES = """
    SELECT schemaname || '.' || tablename FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
"""
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY(:names) AND pid <> pg_backend_pid()"


def back_up(settings: Settings, file: Path) -> int:
    """Write everything to a file for our eyes only, whole or not at all; return its size in bytes."""
    file = file.absolute()
    if not file.parent.is_dir():
        raise InputError(f"There is no folder {file.parent} to write {file.name} to.")
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.unfinished")
    try:
        unfinished.touch(mode=0o600)
        words = ["--format=custom", f"--file={unfinished}"]
        tools.run(settings, "pg_dump", words, url=database_url(settings))
        unfinished.rename(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return file.stat().st_size


def restore(settings: Settings, file: Path, *, force: bool) -> str:
    """Put a backup in the place of the database; return the name the old one was kept under, if it held anything.

    The backup is read into a database of its own first. Only when all of it is there do the two change names, in one
    transaction: a bad file, or a kill half-way, leaves everything as it was.

    Raises
    ------
    InputError
        If the file is no backup.
    ConflictError
        If the database holds something and `force` is not given.
    """
    _check_file(file)
    url = database_url(settings)
    is_full = _holds_something(url)
    if is_full and not force:
        raise ConflictError(
            "The database is not empty. `arena restore --force` keeps it under another name and puts the "
            "backup in its place."
        )
    name = make_url(url).database or ""
    fresh, kept = f"{name}_restored_{uuid4().hex[:8]}", f"{name}_before_{uuid4().hex[:8]}"
    with _server(url) as engine:
        _run(engine, f"CREATE DATABASE \"{fresh}\" TEMPLATE template0 ENCODING 'UTF8'")
        try:
            _fill(settings, file, _named(url, fresh))
            _swap(engine, name, fresh, kept)
        finally:
            # Once swapped it has the other name, and there is nothing left to drop.
            _run(engine, f'DROP DATABASE IF EXISTS "{fresh}" WITH (FORCE)')
        if not is_full:
            _run(engine, f'DROP DATABASE "{kept}" WITH (FORCE)')
    return kept if is_full else ""


def _check_file(file: Path) -> None:
    if not file.is_file():
        raise InputError(f"There is no file {file}.")
    with file.open("rb") as start:
        found = start.read(len(SIGNATURE))
    if found != SIGNATURE:
        raise InputError(f"{file} is not a backup: expected a file written by `arena backup`.")


def _holds_something(url: str) -> bool:
    """Return whether a database holds a row of ours, or any table that is not ours."""
    engine = open_engine(url)
    try:
        with engine.connect() as connection:
            found = set(connection.scalars(text(TABLES)))
            if found - {VERSIONS, *OURS}:
                return True
            ours = (table for name, table in OURS.items() if name in found)
            return any(connection.scalar(select(select(table).exists())) for table in ours)
    finally:
        engine.dispose()


def _fill(settings: Settings, file: Path, url: str) -> None:
    """Read the backup into an empty database and bring it up to our migrations."""
    words = ["--exit-on-error", "--no-owner", "--no-privileges", str(file.absolute())]
    tools.run(settings, "pg_restore", words, url=url)
    engine = open_engine(url)
    try:
        schema.upgrade(engine)
    finally:
        engine.dispose()


def _swap(engine: Engine, name: str, fresh: str, kept: str) -> None:
    """Change the names, cutting off whoever is connected to the old database; they come back to the new one.

    Postgres refuses while somebody is connected, and somebody may come back just before: then we try again.
    """
    renames = (
        f'ALTER DATABASE "{name}" RENAME TO "{kept}"',
        f'ALTER DATABASE "{fresh}" RENAME TO "{name}"',
    )
    for tries_left in reversed(range(SWAP_TRIES)):
        with engine.connect() as connection:
            connection.execute(text(CUT), {"names": [name, fresh]})
        try:
            with engine.execution_options(isolation_level="READ COMMITTED").begin() as connection:
                for rename in renames:
                    connection.execute(text(rename))
        except OperationalError as error:
            if not isinstance(error.orig, ObjectInUse):
                raise
            if not tries_left:
                raise UnavailableError(
                    f"The database {name} is in use and could not be exchanged; nothing was changed. "
                    "End what uses it, or try again."
                ) from error
        else:
            return


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
