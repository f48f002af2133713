"""A file as a stream of plain bytes: gzip and Zstandard undone, bombs and archives refused."""

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import zstandard

from arena.errors import FormatError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

GZIP, ZSTD, ZIP, PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"PAR1"
CHUNK = 1 << 20
MOST_BYTES = 32 * 1024**3
# Real files of votes and answers pack 3 to 30 to one. The ratio is asked only of what has grown large.
HIGHEST_RATIO = 100
RATIO_ASKED_FROM = 8 * 1024**2


@contextmanager
def open_plain(path: Path, *, limit_bytes: int = MOST_BYTES) -> Iterator[io.BufferedReader]:
    """Open a file for reading, unpacked; refuse what is packed twice, an archive, or too much.

    Raises
    ------
    FormatError
        While opening or reading: if the file is absent, damaged, an archive, or expands past its limits.
    """
    try:
        packed = path.open("rb")
    except OSError as error:
        raise FormatError(f"{path} cannot be opened: {error.strerror}.") from error
    with packed:
        source = _Unpacked(path, packed, limit_bytes)
        yield io.BufferedReader(source, CHUNK)


def content_digest(path: Path, *, limit_bytes: int = MOST_BYTES) -> str:
    """Return the SHA-256 of a file's content: the same whether it is packed or not."""
    digest = hashlib.sha256()
    with open_plain(path, limit_bytes=limit_bytes) as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Unpacked(io.RawIOBase):
    """The bytes inside a file, counted against its limits as they come."""

    def __init__(self, path: Path, packed: io.BufferedReader, limit_bytes: int) -> None:
        self._path = path
        self._packed = packed
        self._limit_bytes = limit_bytes
        self._expanded = 0
        self._source, self._is_packed = _unpacker(path, packed)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        try:
            chunk = self._source.read(len(view))
        except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
            raise FormatError(f"{self._path} is damaged: {error}. Fetch it again.") from error
        if self._expanded == 0:
            self._refuse_nested(chunk)
        self._expanded += len(chunk)
        self._refuse_bomb()
        view[: len(chunk)] = chunk
        return len(chunk)

    def _refuse_nested(self, head: bytes) -> None:
        if self._is_packed and head.startswith((GZIP, ZSTD)):
            raise FormatError(f"{self._path} is compressed twice. Unpack it once and try again.")
        if head.startswith(ZIP):
            raise FormatError(
                f"{self._path} is a zip archive. Unpack it and give the file inside, plain, .gz or .zst."
            )

    def _refuse_bomb(self) -> None:
        if self._expanded > self._limit_bytes:
            raise FormatError(
                f"{self._path} holds more than {self._limit_bytes} bytes. "
                "Split it, or raise ARENA_IMPORT_LIMIT_BYTES."
            )
        if not self._is_packed or self._expanded < RATIO_ASKED_FROM:
            return
        if self._expanded > HIGHEST_RATIO * self._packed.tell():
            raise FormatError(
                f"{self._path} expands more than {HIGHEST_RATIO} times, as no file of votes does. "
                "If it is genuine, unpack it first."
            )


def _unpacker(path: Path, packed: io.BufferedReader) -> tuple[_Readable, bool]:
    try:
        head = packed.peek(4)
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    if head.startswith(GZIP):
        return gzip.GzipFile(fileobj=packed, mode="rb"), True
    if head.startswith(ZSTD):
        reader = zstandard.ZstdDecompressor(max_window_size=1 << 27)
        return reader.stream_reader(packed, read_across_frames=True), True
    return packed, False
