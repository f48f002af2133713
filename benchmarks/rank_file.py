"""From a Parquet file of votes as strings to a rated board in memory, step by step."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
from pyarrow import parquet
from rich.console import Console
from rich.table import Table

from arena.rating_runs.files import count_file
from arena.rating_runs.fitting import Method, rate
from arena.terms import Interval
from benchmarks.made_votes import make_votes
from benchmarks.timing import cpu_seconds, machine

MODELS, VOTES = 129, 1_670_000
TRIES = 3


def run(console: Console) -> None:
    """Measure and print the table."""
    console.print(machine("numpy", "pyarrow"), highlight=False, soft_wrap=True)
    shown = Table("step", "s of processor time", title=f"{VOTES:,} votes of {MODELS} models")
    with TemporaryDirectory() as folder:
        path = _write(Path(folder) / "votes.parquet")
        counted = count_file(path).counts
        steps: dict[str, Callable[[], object]] = {
            "file to counts": partial(count_file, path),
            "counts to table, sandwich": partial(rate, counted, Method(interval=Interval.SANDWICH)),
            "counts to table, 1000 rounds": partial(rate, counted, Method()),
        }
        for step, call in steps.items():
            seconds, _ = cpu_seconds(call, tries=TRIES)
            shown.add_row(step, f"{seconds:.2f}")
    console.print(shown)


def _write(path: Path) -> Path:
    """Write the votes as the three columns of strings that public files have."""
    votes = make_votes(MODELS, VOTES, seed=20260801)
    names = np.array([f"model-{number:03d}" for number in range(MODELS)])
    winners = np.array(["model_a", "model_b", "tie"])
    columns = {
        "model_a": names[votes.first],
        "model_b": names[votes.second],
        "winner": winners[votes.outcome],
    }
    parquet.write_table(pa.table(columns), path)
    return path
