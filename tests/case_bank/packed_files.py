"""Packed files as a case describes them in words: good ones, doubled ones, empty ones, bombs and archives."""

import gzip
import io
import re
import resource
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.errors import FormatError
from arena.formats.votes import VoteRecord, read_votes
from tests.case_bank.place import Place

ROWS = b'{"model_a": "ash", "model_b": "birch", "winner": "tie"}\n' * 3
MEBIBYTE = 1024**2
MOST_SECONDS, MOST_KIBIBYTES = 20, 200_000


def check(
    given: Mapping[str, Any], expected: Mapping[str, Any], folder: Path, place: Place
) -> None:
    """Each file is read, or refused with a message, in little time and memory."""
    for number, described in enumerate(given["files"]):
        path = folder / f"file-{number}"
        path.write_bytes(made(described))
        started, memory = time.monotonic(), peak()
        outcome = taken_in(path)
        assert time.monotonic() - started < MOST_SECONDS, described
        assert peak() - memory < MOST_KIBIBYTES, described
        assert outcome == wanted(described, expected), described


def wanted(described: str, expected: Mapping[str, Any]) -> str:
    """Return "read" or "refused", as the case expects of a file; an empty one is a message of no rows."""
    key = key_of(described)
    assert expected[key].startswith(("ok", "rejected", "stopped", "0 rows"))
    return "read" if expected[key] == "ok" else "refused"


def key_of(described: str) -> str:
    """Return under which word the case says what is expected of a file."""
    if "entries" in described:
        return "many_entries"
    if "entry" in described:
        return "traversal"
    if "expands" in described:
        return "bomb"
    if "empty" in described:
        return "empty"
    return "double" if described.endswith(".gz.gz") else "gz"


def made(described: str) -> bytes:
    """Return the bytes of a file."""
    match key_of(described):
        case "many_entries":
            return zipped({f"{n}.jsonl": b"" for n in range(number_in(described))})
        case "traversal":
            return zipped({described.rpartition(" ")[2]: ROWS})
        case "bomb":
            member = gzip.compress(ROWS * (100 * MEBIBYTE // len(ROWS)))
            return member * (int(described.split()[0]) * MEBIBYTE // len(member))
        case "empty":
            return gzip.compress(b"")
        case "double":
            return gzip.compress(gzip.compress(ROWS))
        case _:
            return gzip.compress(ROWS)


def number_in(described: str) -> int:
    found = re.search(r"\d[\d,]*", described)
    assert found is not None
    return int(found[0].replace(",", ""))


def zipped(entries: Mapping[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, each in entries.items():
            archive.writestr(name, each)
    return content.getvalue()


def taken_in(path: Path) -> str:
    """Return whether a file was read with all its rows, or refused with a message that names it."""
    try:
        read = [type(vote) for vote in read_votes(path)]
    except FormatError as error:
        return "refused" if str(path) in error.message else error.message
    return "read" if read == [VoteRecord] * 3 else f"{len(read)} rows"


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
