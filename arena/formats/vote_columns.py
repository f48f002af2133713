"""Votes as columns of numbers: what a rating needs of a file, without a Python object a vote."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow
import pyarrow.parquet

from arena import clock
from arena.formats.opening import CHUNK, MOST_BYTES, PARQUET, open_plain
from arena.formats.rejection import Rejection
from arena.formats.rows import Row, Values, open_parquet
from arena.formats.vote_records import Layout, Reading, VoteRecord
from arena.formats.votes import find_layout, read_votes
from arena.hygiene import RefusedError, clean_name
from arena.terms import Outcome

# A code of the outcome column is a place in this tuple.
OUTCOMES = tuple(Outcome)
BATCH_ROWS = 1 << 17
RECORDS_AT_ONCE = 1 << 15
UNKNOWN = -1
SHOWN = 20

Models = npt.NDArray[np.int32]
Codes = npt.NDArray[np.int8]


@dataclass(frozen=True)
class VoteColumns:
    """All readable votes of a file.

    `first` and `second` are places in `models`, `outcome` places in `OUTCOMES`; `first` stood in slot A.
    `reasons` counts the rows left out; `rejections` holds the first 20 of them.
    """

    models: tuple[str, ...]
    first: Models
    second: Models
    outcome: Codes
    reasons: Mapping[str, int]
    rejections: tuple[Rejection, ...]


def read_vote_columns(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
    limit_bytes: int = MOST_BYTES,
) -> VoteColumns:
    """Return the models and outcome of each vote of a file; Parquet is never turned into rows.

    Raises
    ------
    FormatError
        If the file is none of the known layouts, or damaged.
    """
    gathered = _Gathered()
    with open_plain(path, limit_bytes=limit_bytes) as stream:
        if stream.peek(CHUNK).startswith(PARQUET):
            with open_parquet(stream, path) as file:
                layout = find_layout(file.schema_arrow.names, format, path=path)
                if _is_columnar(file.schema_arrow, layout):
                    _gather_parquet(gathered, file, layout)
                    return gathered.columns()
    for records in _chunks(read_votes(path, format=format, limit_bytes=limit_bytes)):
        _gather_records(gathered, records)
    return gathered.columns()


class _Gathered:
    """What has been read of a file so far."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.reasons: Counter[str] = Counter()
        self.rejections: list[Rejection] = []
        self._pieces: list[tuple[Models, Models, Codes]] = []

    def place(self, name: str) -> int:
        return self.places.setdefault(name, len(self.places))

    def model_code(self, name: str) -> int:
        """Return the place of a model, or that the name is none."""
        try:
            return self.place(clean_name(name))
        except RefusedError:
            return UNKNOWN

    def add(self, first: Models, second: Models, outcome: Codes) -> None:
        self._pieces.append((first, second, outcome))

    def reject(self, rejection: Rejection) -> None:
        self.reasons[rejection.reason] += 1
        if len(self.rejections) < SHOWN:
            self.rejections.append(rejection)

    def columns(self) -> VoteColumns:
        empty = (np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int8))
        firsts, seconds, outcomes = zip(*(self._pieces or [empty]), strict=True)
        first, second = np.concatenate(firsts), np.concatenate(seconds)
        names = tuple(self.places)
        is_used = np.zeros(len(names), np.bool_)
        is_used[first] = is_used[second] = True
        place = (np.cumsum(is_used) - 1).astype(np.int32)
        return VoteColumns(
            models=tuple(name for name, kept in zip(names, is_used, strict=True) if kept),
            first=place[first],
            second=place[second],
            outcome=np.concatenate(outcomes),
            reasons=dict(self.reasons),
            rejections=tuple(self.rejections),
        )


def _chunks(records: Iterator[VoteRecord | Rejection]) -> Iterator[list[VoteRecord | Rejection]]:
    while chunk := list(islice(records, RECORDS_AT_ONCE)):
        yield chunk


def _gather_records(gathered: _Gathered, records: list[VoteRecord | Rejection]) -> None:
    votes = []
    for record in records:
        if isinstance(record, Rejection):
            gathered.reject(record)
        else:
            votes.append(record)
    gathered.add(
        np.array([gathered.place(vote.model_a) for vote in votes], np.int32),
        np.array([gathered.place(vote.model_b) for vote in votes], np.int32),
        np.array([OUTCOMES.index(vote.outcome) for vote in votes], np.int8),
    )


def _is_columnar(schema: pyarrow.Schema, layout: Layout) -> bool:
    """Whether names and winners are texts, and the mark of a blind vote a boolean, as they should be."""
    if layout.names is None:
        return False
    texts = all(_is_text(schema.field(name).type) for name in layout.names)
    blind = layout.blind if layout.blind in schema.names else None
    return texts and (blind is None or pyarrow.types.is_boolean(schema.field(blind).type))


def _is_text(kind: pyarrow.DataType) -> bool:
    if pyarrow.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind))


def _gather_parquet(gathered: _Gathered, file: pyarrow.parquet.ParquetFile, layout: Layout) -> None:
    wanted = [*(layout.names or ())]
    if layout.blind in file.schema_arrow.names:
        wanted.append(layout.blind)
    reading, row = Reading(clock.now()), 0
    for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=wanted):
        for line, values in _gather_batch(gathered, batch, layout):
            gathered.reject(_rejection(Row(row + line, values), layout, reading))
        row += batch.num_rows


def _gather_batch(
    gathered: _Gathered, batch: pyarrow.RecordBatch, layout: Layout
) -> Iterator[tuple[int, Values]]:
    """Add the good rows of a batch; yield the others, which are few, with their line in it."""
    assert layout.names is not None
    first = _coded(batch.column(layout.names[0]), gathered.model_code).astype(np.int32)
    second = _coded(batch.column(layout.names[1]), gathered.model_code).astype(np.int32)
    outcome = _coded(batch.column(layout.names[2]), partial(_winner_code, layout)).astype(np.int8)
    good = (first != UNKNOWN) & (second != UNKNOWN) & (first != second) & (outcome != UNKNOWN)
    if layout.blind in batch.schema.names:
        good &= batch.column(layout.blind).fill_null(fill_value=True).to_numpy(zero_copy_only=False)
    gathered.add(first[good], second[good], outcome[good])
    for place in np.flatnonzero(~good):
        yield int(place) + 1, batch.slice(int(place), 1).to_pylist()[0]


def _coded(column: pyarrow.Array, code: Callable[[str], int]) -> npt.NDArray[np.int64]:
    """Return a code for each value of a column of texts, asking once for each distinct text."""
    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    words = column.dictionary.to_pylist()
    codes = np.array(
        [UNKNOWN if word is None else code(word) for word in words] + [UNKNOWN], np.int64
    )
    places = column.indices.fill_null(len(words)).to_numpy(zero_copy_only=False)
    return codes[np.asarray(places, np.int64)]


def _winner_code(layout: Layout, label: str) -> int:
    outcome = layout.winners.get(label)
    return UNKNOWN if outcome is None else OUTCOMES.index(outcome)


def _rejection(row: Row, layout: Layout, reading: Reading) -> Rejection:
    """Return why a row is left out: read one by one, it says so itself."""
    try:
        record = layout.read(row, reading)
    except RefusedError as error:
        return Rejection(row.line, error.reason, error.found)
    raise AssertionError(f"columns and rows disagree on {record}")
