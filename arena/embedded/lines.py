"""The log of `arena up`: what each part writes, line by line, under the part's name."""

import os
import sys
from dataclasses import dataclass, field
from selectors import EVENT_READ, DefaultSelector
from typing import IO

READ_BYTES = 65536
LABEL_WIDTH = 11
COLOURS = (36, 32, 33, 35, 34, 96, 92, 93, 95, 94)


def say(name: str, line: str) -> None:
    """Write one line of the log under the name of its part, in that part's colour on a terminal."""
    label = f"{name:>{LABEL_WIDTH}} |"
    if sys.stderr.isatty() and "NO_COLOR" not in os.environ:
        label = f"\033[{COLOURS[sum(name.encode()) % len(COLOURS)]}m{label}\033[0m"
    sys.stderr.write(f"{label} {line}\n")
    sys.stderr.flush()


@dataclass
class _Source:
    """A part that writes, and the line it has not ended yet."""

    name: str
    unfinished: bytes = b""


@dataclass(frozen=True)
class Lines:
    """Waits for what parts write and passes it on."""

    _pipes: DefaultSelector = field(default_factory=DefaultSelector)

    def listen(self, name: str, pipe: IO[bytes] | None) -> None:
        """Pass on what comes through a pipe, until its other end is closed."""
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
        self._pipes.register(pipe, EVENT_READ, _Source(name))

    def relay(self, seconds: float) -> None:
        """Write what was written, or wait this long for something."""
        for key, _ in self._pipes.select(seconds):
            source: _Source = key.data
            written = os.read(key.fd, READ_BYTES)
            *whole, source.unfinished = (source.unfinished + written).split(b"\n")
            if not written:
                self._pipes.unregister(key.fileobj)
                whole = [source.unfinished] if source.unfinished else []
            for line in whole:
                say(source.name, line.decode(errors="replace").rstrip())

    def close(self) -> None:
        """Listen to nobody any more."""
        self._pipes.close()
