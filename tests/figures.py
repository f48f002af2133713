"""Figures of long simulations, kept in the documents: `make test-slow` writes them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from arena.clock import now

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"


@contextmanager
def written_to(
    page: str, heading: str, columns: tuple[str, ...]
) -> Iterator[list[tuple[str, ...]]]:
    """Collect rows for a `with` block, then write them as a page of the reference."""
    rows: list[tuple[str, ...]] = []
    yield rows
    if not rows:
        return
    table = "\n".join(f"| {' | '.join(row)} |" for row in (columns, ("---",) * len(columns), *rows))
    made = f"Written by `make test-slow` on {now():%Y-%m-%d} with numpy {np.__version__}."
    (REFERENCE / page).write_text(f"{heading.strip()}\n\n{made}\n\n{table}\n")
