"""Votes into Postgres: our import beside a bare COPY of the rows that it stored.

The bare COPY writes the finished `battle` and `vote` rows into the same tables, with the same indexes and foreign
keys, and leaves out everything else: reading the file, names, keys, numbering, counts. Both are measured
on the wall, in turns and each in a fresh database, since both wait for the server; the least of the tries counts.
"""

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
from pyarrow import parquet
from rich.console import Console
from rich.table import Table
from sqlalchemy import Engine

from arena.embedded.postgres import EmbeddedPostgres
from arena.importing import ImportFile, import_votes
from arena.store.engine import open_sessions
from benchmarks.databases import database, server
from benchmarks.made_votes import make_votes
from benchmarks.timing import machine

MODELS, VOTES, VOTERS = 129, 200_000, 20_000
TRIES = 3
FIRST_SECOND, SECONDS = 1_714_000_000, 30 * 86_400
# What the timed rows refer to is there before the clock starts.
PARENTS, TIMED = ("model", "board", "import_batch"), ("battle", "vote")


def run(console: Console) -> None:
    """Measure and print the table."""
    console.print(machine("psycopg", "sqlalchemy", "pyarrow"), highlight=False, soft_wrap=True)
    with TemporaryDirectory(dir="/tmp") as folder, server(Path(folder)) as postgres:
        path = _write(Path(folder) / "votes.parquet")
        tries = [_try(postgres, path, number) for number in range(TRIES)]
    imported, copied = (min(each) for each in zip(*tries, strict=True))
    table = Table(
        "way", "s", "votes a second", "of the bare COPY", title=f"{VOTES:,} votes into Postgres"
    )
    for way, seconds in (
        ("bare COPY of battle and vote", copied),
        ("arena import votes", imported),
    ):
        table.add_row(way, f"{seconds:.1f}", f"{VOTES / seconds:,.0f}", f"{copied / seconds:.2f}")
    console.print(table)


def _try(postgres: EmbeddedPostgres, path: Path, number: int) -> tuple[float, float]:
    """Return the seconds of one import, and of a bare COPY of what it stored."""
    with database(postgres, f"imported_{number}") as engine:
        imported = _seconds(lambda: _import(engine, path))
        rows = {table: _copy_out(engine, table) for table in (*PARENTS, *TIMED)}
    with database(postgres, f"copied_{number}") as engine:
        _copy_in(engine, {table: rows[table] for table in PARENTS})
        return imported, _seconds(lambda: _copy_in(engine, {table: rows[table] for table in TIMED}))


def _seconds(call: Callable[[], object]) -> float:
    started = time.monotonic()
    call()
    return time.monotonic() - started


def _import(engine: Engine, path: Path) -> None:
    with open_sessions(engine).begin() as session:
        report = import_votes(session, ImportFile(path, "people"), rejections=path.parent)
    assert report.counts.stored == VOTES


def _copy_out(engine: Engine, table: str) -> bytes:
    with engine.connect() as connection:
        cursor = connection.connection.cursor()
        with cursor.copy(f"COPY {table} TO STDOUT") as copy:
            return b"".join(bytes(piece) for piece in copy)


def _copy_in(engine: Engine, rows: dict[str, bytes]) -> None:
    with engine.begin() as connection:
        cursor = connection.connection.cursor()
        for table, content in rows.items():
            with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                copy.write(content)


def _write(path: Path) -> Path:
    """Write votes with the columns of clean_battle: models, winner, voter, language and time."""
    votes = make_votes(MODELS, VOTES, seed=20260801)
    generator = np.random.default_rng(20260801)
    names = np.array([f"model-{number:03d}" for number in range(MODELS)])
    seconds = np.sort(generator.integers(0, SECONDS, VOTES)) + float(FIRST_SECOND)
    columns = {
        "model_a": names[votes.first],
        "model_b": names[votes.second],
        "winner": np.array(["model_a", "model_b", "tie"])[votes.outcome],
        "judge": [f"arena_user_{voter}" for voter in generator.integers(0, VOTERS, VOTES)],
        "anony": np.ones(VOTES, np.bool_),
        "language": ["English"] * VOTES,
        "tstamp": seconds,
    }
    parquet.write_table(pa.table(columns), path)
    return path
