"""Files of votes, whichever of the known layouts they have: told by their columns, or named."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from arena import clock
from arena.errors import FormatError
from arena.formats.answers import answers_of
from arena.formats.llmfao import LLMFAO
from arena.formats.lmarena import CLEAN_BATTLE, CONVERSATIONS, KAGGLE
from arena.formats.opening import MOST_BYTES
from arena.formats.plain_votes import PLAIN
from arena.formats.rejection import Rejection
from arena.formats.rows import Row, Rows, open_rows
from arena.formats.vote_records import Layout, Reading, VoteRecord
from arena.hygiene import RefusedError

__all__ = ["FORMATS", "Rejection", "VoteRecord", "Votes", "open_votes", "read_votes", "sniff"]

# Richer layouts first: the first that matches is taken.
LAYOUTS = (CONVERSATIONS, KAGGLE, CLEAN_BATTLE, LLMFAO, PLAIN)
FORMATS = tuple(dict.fromkeys(layout.format for layout in LAYOUTS))
# A file without declared columns is told by the first of so many rows that matches a layout.
ROWS_SNIFFED = 100


@dataclass(frozen=True)
class Votes:
    """An open file of votes: its layout, and each of its rows, read or rejected."""

    layout: Layout
    each: Iterator[VoteRecord | Rejection]


def read_votes(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
    limit_bytes: int = MOST_BYTES,
    answers: bool = False,
) -> Iterator[VoteRecord | Rejection]:
    """Yield each vote of a file in its order, or why its row could not be read; with both answers if asked for.

    Raises
    ------
    FormatError
        On the first use, if the file is none of the known layouts; later, if it is damaged.
    """
    with open_votes(path, named=format, limit_bytes=limit_bytes, answers=answers) as votes:
        yield from votes.each


@contextmanager
def open_votes(
    path: Path, *, named: str | None = None, limit_bytes: int = MOST_BYTES, answers: bool = False
) -> Iterator[Votes]:
    """Open a file of votes and tell its layout before the first row is read."""
    with open_rows(path, limit_bytes=limit_bytes) as rows:
        layout, each = _told(path, rows, named)
        yield Votes(layout, _records(layout, each, answers=answers))


def sniff(path: Path) -> str:
    """Return the name of the format that a file of votes has."""
    with open_votes(path) as votes:
        return votes.layout.format


def find_layout(columns: Iterable[str], named: str | None, *, path: Path) -> Layout:
    """Return the layout with these columns, or say which column is missing and which were found.

    Raises
    ------
    FormatError
        If there is none, or no format of that name.
    """
    found = list(columns)
    candidates = [layout for layout in LAYOUTS if named in (None, layout.format)]
    if not candidates:
        raise FormatError(f"No format of votes is called {named!r}. Formats: {', '.join(FORMATS)}.")
    for layout in candidates:
        if layout.matches(found):
            return layout
    raise _unknown_layout(path, found, candidates)


def _unknown_layout(path: Path, found: list[str], candidates: list[Layout]) -> FormatError:
    nearest = max(
        reversed(candidates), key=lambda layout: sum(each in found for each in layout.required)
    )
    missing = [column for column in nearest.required if column not in found]
    if not missing:
        missing = [" or ".join(sorted(nearest.marks))]
    noun = "column" if len(missing) == 1 else "columns"
    return FormatError(
        f"{path}: missing {noun} {', '.join(missing)} of the format {nearest.format}; "
        f"columns found: {', '.join(found) or 'none'}. Rename them, or name another format: "
        f"{', '.join(FORMATS)}.",
        missing=missing,
        columns=found,
    )


def _told(path: Path, rows: Rows, named: str | None) -> tuple[Layout, Iterator[Row | Rejection]]:
    if rows.columns is not None:
        return find_layout(rows.columns, named, path=path), rows.each
    first = list(islice(rows.each, ROWS_SNIFFED))
    seen = [row.values for row in first if isinstance(row, Row)]
    for values in seen:
        if any(layout.matches(values) for layout in LAYOUTS if named in (None, layout.format)):
            return find_layout(values, named, path=path), chain(first, rows.each)
    return find_layout(seen[0] if seen else (), named, path=path), rows.each


def _records(
    layout: Layout, rows: Iterator[Row | Rejection], *, answers: bool
) -> Iterator[VoteRecord | Rejection]:
    reading = Reading(clock.now())
    for row in rows:
        if isinstance(row, Rejection):
            yield row
            continue
        try:
            record = layout.read(row, reading)
            if answers:
                record = record._replace(answers=answers_of(row.values, layout.answers))
            yield record
        except RefusedError as error:
            yield Rejection(row.line, error.reason, error.found)
