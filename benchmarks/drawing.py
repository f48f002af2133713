"""What drawing a battle costs on a board with many answers.

Each draw is of a voter who has not voted yet, in a transaction of its own, on the wall: it waits for the server. The first draw
after the pool changed is listed apart.
"""

import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
from rich.console import Console
from rich.table import Table
from sqlalchemy import text
from sqlalchemy.orm import Session, sessionmaker

from arena.settings import Settings
from arena.store.engine import open_sessions
from arena.voting import draw_battle
from benchmarks.databases import database, server
from benchmarks.timing import machine

SHAPES = ((20, 500), (20, 5000), (100, 1000))
DRAWS = 60
FILL = """
INSERT INTO board (name, title, ties, both_bad, interval, rounds, level, seed, anchor_points, is_simulated)
    VALUES ('people', 'People', 'half', 'tie', 'bootstrap', 1000, 0.95, 0, 1000, false);
INSERT INTO model (name) SELECT 'model-' || n FROM generate_series(1, {models}) AS n;
INSERT INTO prompt (digest, text) SELECT 'prompt-' || n, 'Question ' || n FROM generate_series(1, {prompts}) AS n;
INSERT INTO completion (board_id, prompt_id, model_id, digest, text, in_pool)
    SELECT board.id, prompt.id, model.id, 'digest', repeat('An answer. ', 50), true FROM board, prompt, model;
"""


def run(console: Console) -> None:
    """Measure and print the table."""
    console.print(machine("psycopg", "sqlalchemy", "numpy"), highlight=False, soft_wrap=True)
    table = Table("models x prompts", "answers", "first draw, ms", "then, ms", title="A draw")
    with TemporaryDirectory(dir="/tmp") as folder, server(Path(folder)) as postgres:
        for models, prompts in SHAPES:
            with database(postgres, f"drawn_{models}_{prompts}") as engine:
                sessions = open_sessions(engine)
                _fill(sessions, models, prompts)
                first, then = _draws(sessions)
            answers = models * prompts
            table.add_row(f"{models} x {prompts:,}", f"{answers:,}", f"{first:.1f}", f"{then:.1f}")
    console.print(table)


def _fill(sessions: sessionmaker[Session], models: int, prompts: int) -> None:
    with sessions.begin() as session:
        for statement in FILL.format(models=models, prompts=prompts).split(";\n"):
            if statement.strip():
                session.execute(text(statement))
    with sessions.begin() as session:
        session.execute(text("ANALYZE"))


def _draws(sessions: sessionmaker[Session]) -> tuple[float, float]:
    """Return the milliseconds of the first draw, and the median of the others."""
    generator, settings, spent = np.random.default_rng(0), Settings(), []
    for voter in range(DRAWS):
        started = time.monotonic()
        with sessions.begin() as session:
            draw_battle(session, "people", f"voter-{voter}", generator=generator, settings=settings)
        spent.append(1000 * (time.monotonic() - started))
    return spent[0], median(spent[1:])
