"""Bytes as lines of text: UTF-8 or UTF-16 by its mark, and the byte where that fails."""

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from arena.errors import FormatError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LONGEST_LINE = 32 * 1024**2
CHUNK = 1 << 18


def read_lines(stream: io.BufferedReader, path: Path) -> Iterator[str]:
    """Yield the lines of a text with their ends, decoded strictly.

    Raises
    ------
    FormatError
        If the text is neither UTF-8 nor UTF-16 with its mark, or a line is longer than 32 MiB.
    """
    stream = _as_utf8(stream, path)
    offset = 0
    while line := stream.readline(LONGEST_LINE):
        if len(line) >= LONGEST_LINE:
            raise FormatError(
                f"{path} has a line of more than {LONGEST_LINE} bytes at byte {offset}."
            )
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise _not_utf8(path, offset + error.start) from error
        yield text.removeprefix("\ufeff") if offset == 0 else text
        offset += len(line)


def _not_utf8(path: Path, offset: int) -> FormatError:
    return FormatError(
        f"{path} is not UTF-8 at byte {offset}. Save it as UTF-8 and try again; nothing was stored.",
        byte=offset,
    )


def _as_utf8(stream: io.BufferedReader, path: Path) -> io.BufferedReader:
    head = stream.peek(4)[:4]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return io.BufferedReader(_Recoded(stream, path), CHUNK)
    if b"\x00" in head:
        raise FormatError(f"{path} starts like UTF-16 without its mark. Save it as UTF-8.")
    return stream


class _Recoded(io.RawIOBase):
    """UTF-16 with its mark, as UTF-8."""

    def __init__(self, stream: io.BufferedReader, path: Path) -> None:
        self._stream = stream
        self._path = path
        self._decoder = codecs.getincrementaldecoder("utf-16")()
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        while not self._ready:
            chunk = self._stream.read(CHUNK)
            try:
                self._ready = self._decoder.decode(chunk, final=not chunk).encode()
            except UnicodeDecodeError as error:
                raise FormatError(
                    f"{self._path} is not UTF-16, though its mark says so."
                ) from error
            if not chunk:
                break
        piece, self._ready = self._ready[: len(view)], self._ready[len(view) :]
        view[: len(piece)] = piece
        return len(piece)
