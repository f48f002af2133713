"""JSON documents with their digest: strict where it matters, tolerant of what tools write."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import FormatError
from arena.formats.opening import MOST_BYTES, open_plain

# A document is read whole; those that could be larger are streamed as rows.
LARGEST = 512 * 1024**2


@dataclass(frozen=True)
class Document:
    """A JSON document and the digest of the bytes that it was read from."""

    path: Path
    value: Any  # its shape belongs to whoever wrote it
    sha256: str


def read_document(path: Path, *, limit_bytes: int = MOST_BYTES) -> Document:
    """Return a JSON document; bare NaN and numbers beyond a float come through as such and are judged later.

    Raises
    ------
    FormatError
        If it is not UTF-8, not JSON, or too large to be one document.
    """
    with open_plain(path, limit_bytes=min(limit_bytes, LARGEST)) as stream:
        content = stream.read()
    try:
        value = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{path} is not UTF-8 at byte {error.start}.", byte=error.start
        ) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not JSON: {error}.") from error
    return Document(path, value, hashlib.sha256(content).hexdigest())


def digest_of(document: object) -> str:
    """Return the SHA-256 of a document in one canonical spelling."""
    spelled = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(spelled.encode("utf-8", "replace")).hexdigest()


def part(value: object, *keys: str) -> dict[str, Any]:
    """Return the object that lies under these keys, or an empty one: what a tool left out is no error."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def pointer(*keys: object) -> str:
    """Return the JSON pointer that leads through these keys."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)
