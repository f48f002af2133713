"""What every import does on the way in: rows are written to their staging table or to the log of the rejected."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self, TypeVar

from arena.formats.opening import MOST_BYTES
from arena.formats.rejection import Rejection
from arena.importing.report import RejectionLog, Watch

ACTOR = "import"
ROWS_BETWEEN_WORDS = 5_000

Record = TypeVar("Record")
Staged = TypeVar("Staged")


@dataclass(frozen=True)
class ImportFile:
    """A file, the board that it goes to, and what the person who gives it knows of it.

    `judge` names the language model that cast all of its votes; without it they are people's, but for those
    whose row names a judge.
    """

    path: Path
    board: str
    format: str | None = None
    judge: str | None = None
    limit_bytes: int = MOST_BYTES

    def within(self, limit_bytes: int) -> Self:
        """Return the same file under another limit."""
        return replace(self, limit_bytes=limit_bytes)


def stage_rows(
    records: Iterator[Record | Rejection],
    write: Callable[[Staged], None],
    *,
    row: Callable[[Record], Staged | Rejection],
    log: RejectionLog,
    watch: Watch,
) -> int:
    """Write the row of each record, log what is rejected, and return how many rows were read."""
    rows = 0
    for record in records:
        rows += 1
        if rows % ROWS_BETWEEN_WORDS == 0:
            watch(rows)
        staged = record if isinstance(record, Rejection) else row(record)
        if isinstance(staged, Rejection):
            log.add(staged)
        else:
            write(staged)
    watch(rows)
    return rows
