"""Files of answers: what was asked, which model answered, and what it said."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import FormatError
from arena.formats.opening import MOST_BYTES
from arena.formats.rejection import Rejection
from arena.formats.rows import Row, Values, open_rows
from arena.hygiene import (
    RefusedError,
    clean_document,
    clean_name,
    clean_text,
    read_finite,
    read_integer,
)

REQUIRED = ("prompt", "model", "text")


@dataclass(frozen=True, slots=True)
class CompletionRecord:
    """One answer as its file has it; what the file lacks is None. Seconds are the time it took."""

    line: int
    prompt: str
    model: str
    text: str
    prompt_key: str | None = None
    language: str | None = None
    category: str | None = None
    decoder: dict[str, Any] | None = None
    served_model: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None


@contextmanager
def open_completions(
    path: Path, *, limit_bytes: int = MOST_BYTES
) -> Iterator[Iterator[CompletionRecord | Rejection]]:
    """Open a file of answers, and yield each of its rows, read or rejected.

    Raises
    ------
    FormatError
        If it declares its columns and one that is needed is not among them.
    """
    with open_rows(path, limit_bytes=limit_bytes) as rows:
        missing = [
            name for name in REQUIRED if rows.columns is not None and name not in rows.columns
        ]
        if missing:
            raise FormatError(
                f"{path}: missing column {', '.join(missing)}; columns found: {', '.join(rows.columns or ())}. "
                "A file of answers has prompt, model and text.",
                missing=missing,
            )
        yield map(_read, rows.each)


def _read(row: Row | Rejection) -> CompletionRecord | Rejection:
    if isinstance(row, Rejection):
        return row
    try:
        return _record(row)
    except RefusedError as error:
        return Rejection(row.line, error.reason, error.found)


def _record(row: Row) -> CompletionRecord:
    values = row.values
    return CompletionRecord(
        line=row.line,
        prompt=_text(values, "prompt"),
        model=clean_name(_text(values, "model")),
        text=_text(values, "text"),
        prompt_key=_optional(values, "prompt_id"),
        language=_name(values, "language"),
        category=_name(values, "category"),
        decoder=_document(values, "decoder"),
        served_model=_name(values, "served_model"),
        finish_reason=_name(values, "finish_reason"),
        prompt_tokens=_count(values, "prompt_tokens"),
        completion_tokens=_count(values, "completion_tokens"),
        seconds=_seconds(values, "seconds"),
    )


def _text(values: Values, column: str) -> str:
    """Return a text that must be there: an answer of nothing is no answer to vote on."""
    value = values.get(column)
    if not isinstance(value, str) or not value.strip():
        raise RefusedError(f"missing_{column}", found=value, expected="a text")
    return clean_text(value)


def _optional(values: Values, column: str) -> str | None:
    value = values.get(column)
    return None if value is None or value == "" else clean_text(str(value))


def _name(values: Values, column: str) -> str | None:
    value = _optional(values, column)
    return None if value is None else clean_name(value)


def _document(values: Values, column: str) -> dict[str, Any] | None:
    value = values.get(column)
    if value is None or value == "":
        return None
    if not isinstance(value, dict):
        raise RefusedError(f"bad_{column}", found=value, expected="an object")
    cleaned: dict[str, Any] = clean_document(value)
    return cleaned


def _count(values: Values, column: str) -> int | None:
    value = values.get(column)
    if value is None or value == "":
        return None
    count = read_integer(value)
    if count < 0:
        raise RefusedError(f"bad_{column}", found=value, expected="a count")
    return count


def _seconds(values: Values, column: str) -> float | None:
    value = values.get(column)
    return None if value is None or value == "" else read_finite(value)
