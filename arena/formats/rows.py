"""A file as rows of named values, whatever contains them: CSV, JSON Lines, a JSON array, or Parquet."""

import csv
import io
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow
import pyarrow.parquet

from arena.errors import FormatError
from arena.formats.opening import CHUNK, MOST_BYTES, PARQUET, open_plain
from arena.formats.rejection import Rejection
from arena.formats.text_lines import LONGEST_LINE, read_lines
from arena.hygiene import match_key, shorten

SEPARATORS = (",", ";", "\t")
PARQUET_ROWS = 10_000

# What a foreign row holds is not ours to say: `Any` is the honest type here.
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One row as the file has it."""

    line: int
    values: Values


@dataclass(frozen=True)
class Rows:
    """The rows of a file; `columns` where the file declares them for all rows."""

    container: str
    columns: tuple[str, ...] | None
    each: Iterator[Row | Rejection]


@contextmanager
def open_rows(path: Path, *, limit_bytes: int = MOST_BYTES) -> Iterator[Rows]:
    """Open a file as rows, told by its content and not by its name.

    Raises
    ------
    FormatError
        If the file is empty, or none of the containers.
    """
    with open_plain(path, limit_bytes=limit_bytes) as stream:
        if stream.peek(CHUNK).startswith(PARQUET):
            with open_parquet(stream, path) as file:
                yield Rows("parquet", tuple(file.schema_arrow.names), _parquet_rows(file))
        else:
            yield _text_rows(stream, path)


@contextmanager
def open_parquet(stream: io.BufferedReader, path: Path) -> Iterator[pyarrow.parquet.ParquetFile]:
    """Open Parquet: as it lies, or, since it is read from its end, from a copy if it came packed."""
    with ExitStack() as stack:
        file: BinaryIO = stack.enter_context(path.open("rb"))
        if file.read(len(PARQUET)) != PARQUET:
            file = stack.enter_context(tempfile.TemporaryFile())
            shutil.copyfileobj(stream, file, CHUNK)
        file.seek(0)
        try:
            yield pyarrow.parquet.ParquetFile(file)
        except pyarrow.ArrowException as error:
            raise FormatError(f"{path} is damaged Parquet: {error}") from error


def _text_rows(stream: io.BufferedReader, path: Path) -> Rows:
    lines = _Lines(read_lines(stream, path))
    first = lines.skip_blank()
    if first is None:
        raise FormatError(f"{path} is empty: it holds no rows.")
    if first.lstrip().startswith("["):
        return Rows("json", None, _array_rows(lines, path))
    if first.lstrip().startswith("{"):
        return Rows("jsonl", None, _json_rows(lines))
    return _csv_rows(lines, first, path)


class _Lines:
    """Lines with their number, and the first of them to look at before it is read."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._held: list[str] = []
        self.number = 0

    def skip_blank(self) -> str | None:
        """Return the first line with something on it, still to be read, or None."""
        for line in self._lines:
            if line.strip():
                self._held.append(line)
                return line
            self.number += 1
        return None

    def __iter__(self) -> Iterator[str]:
        while self._held:
            self.number += 1
            yield self._held.pop()
        for line in self._lines:
            self.number += 1
            yield line


def _json_rows(lines: _Lines) -> Iterator[Row | Rejection]:
    for line in lines:
        if line.isspace():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            yield Rejection(lines.number, "invalid_json", shorten(line.rstrip()))
            continue
        yield _as_row(lines.number, value)


def _as_row(line: int, value: object) -> Row | Rejection:
    if isinstance(value, dict):
        return Row(line, value)
    return Rejection(line, "not_an_object", shorten(value))


def _array_rows(lines: _Lines, path: Path) -> Iterator[Row | Rejection]:
    for number, value in enumerate(_elements(iter(lines), path), start=1):
        yield _as_row(number, value)


def _elements(lines: Iterator[str], path: Path) -> Iterator[object]:
    """Yield the elements of a JSON array one by one, holding no more than one of them."""
    decoder = json.JSONDecoder()
    held, place = next(lines).lstrip()[1:], 0
    number = 0
    while True:
        held, place = _to_next(held, place, lines)
        if held[place : place + 1] == "]":
            return
        if place == len(held):
            raise FormatError(f"{path} is cut off: its array never ends.")
        number += 1
        try:
            value, place = decoder.raw_decode(held, place)
        except (ValueError, RecursionError):
            more = _read_more(lines, len(held) - place)
            if not more:
                raise FormatError(f"{path}: element {number} of its array is not JSON.") from None
            held, place, number = held[place:] + more, 0, number - 1
            continue
        yield value


def _to_next(held: str, place: int, lines: Iterator[str]) -> tuple[str, int]:
    """Return the text and the place in it where the next element, or the end, begins."""
    while True:
        while place < len(held) and held[place] in ", \t\r\n":
            place += 1
        if place < len(held):
            return held, place
        held, place = next(lines, ""), 0
        if not held:
            return held, place


def _read_more(lines: Iterator[str], held: int) -> str:
    """Return about as much again as is held, so that a long element is not parsed too often."""
    if held > LONGEST_LINE:
        return ""
    pieces: list[str] = []
    length = 0
    for line in lines:
        pieces.append(line)
        length += len(line)
        if length >= held:
            break
    return "".join(pieces)


def _csv_rows(lines: _Lines, first: str, path: Path) -> Rows:
    separator = max(SEPARATORS, key=lambda each: _width(first, each))
    # The library's limit is a setting of the process; answers are longer than its default of 131,072.
    csv.field_size_limit(LONGEST_LINE)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    columns = _header(reader, path)
    return Rows("csv", columns, _records(reader, columns, lines))


def _width(line: str, separator: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=separator)))
    except csv.Error:
        return 0


def _header(reader: Iterator[list[str]], path: Path) -> tuple[str, ...]:
    try:
        columns = tuple(match_key(name) for name in next(reader))
    except csv.Error as error:
        raise FormatError(f"{path} has a header that is not CSV: {error}.") from error
    if len(set(columns)) < len(columns):
        raise FormatError(f"{path} names a column twice: {', '.join(columns)}. Rename one of them.")
    return columns


def _records(
    reader: Iterator[list[str]], columns: tuple[str, ...], lines: _Lines
) -> Iterator[Row | Rejection]:
    while True:
        line = lines.number + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Rejection(line, "invalid_csv", str(error))
            continue
        if len(fields) == len(columns):
            yield Row(line, dict(zip(columns, fields, strict=True)))
        elif fields:
            found = f"{len(fields)} fields, expected {len(columns)}"
            yield Rejection(line, "wrong_number_of_fields", found)


def _parquet_rows(file: pyarrow.parquet.ParquetFile) -> Iterator[Row | Rejection]:
    number = 0
    for batch in file.iter_batches(batch_size=PARQUET_ROWS):
        for values in batch.to_pylist():
            number += 1
            yield Row(number, values)
