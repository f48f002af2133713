"""The process tree of `arena up`: started in order, kept alive, ended in reverse.

One thread does it all: a child asks to die with the thread that made it, and forking beside other threads is
asking for trouble.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from selectors import EVENT_READ, DefaultSelector
from types import FrameType
from typing import Protocol

from arena.embedded.children import dying_with_parent

POLL_SECONDS = 0.1
# A stop is asked for, then asked for again (a worker then drops its job, which is safe to repeat), then forced.
WARM_SECONDS, COLD_SECONDS = 0.8, 0.5
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.5, 30.0
CALM_SECONDS = 60.0
READ_BYTES = 65536
COLOURS = (36, 32, 33, 35, 34, 96, 92, 93, 95, 94)


class Server(Protocol):
    """Postgres or Valkey, as the tree sees them."""

    process: subprocess.Popen[bytes] | None

    def start(self) -> None:
        """Start it and return when it answers."""

    def stop(self) -> None:
        """End it."""


@dataclass(frozen=True)
class Part:
    """A process of ours: its name in the log, and the command that is it."""

    name: str
    command: tuple[str, ...]


@dataclass
class Running:
    """A part with its process, and how soon it may be started again after it ended."""

    part: Part
    process: subprocess.Popen[bytes]
    started: float
    pause: float = FIRST_PAUSE_SECONDS
    due: float | None = None
    unfinished: bytes = b""


@dataclass
class Tree:
    """Starts servers and parts, watches them, and ends them.

    Parameters
    ----------
    servers : mapping of name to Server
        Started first, ended last.
    parts : sequence of Part
        Started once the servers answer and `prepare` has returned.
    environment : mapping
        Of the parts.
    changed : callable
        Told the process ids by name, whenever they change.
    """

    servers: Mapping[str, Server]
    parts: Iterable[Part]
    environment: Mapping[str, str]
    changed: Callable[[dict[str, int]], None]
    _running: list[Running] = field(default_factory=list)
    _lines: DefaultSelector = field(default_factory=DefaultSelector)
    _is_stopping: bool = False

    def run(self, prepare: Callable[[], None], ready: Callable[[], bool]) -> None:
        """Run until a signal comes. `ready` is asked until it says yes; then nothing more is asked of it."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        try:
            for name, server in self.servers.items():
                say(name, "starting")
                server.start()
            prepare()
            for part in self.parts:
                self._running.append(Running(part, self._spawn(part), time.monotonic()))
                self._listen(self._running[-1])
            self._tell()
            self._watch(ready)
        finally:
            self._end()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._is_stopping = True

    def _spawn(self, part: Part) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            part.command,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=dying_with_parent(signal.SIGTERM),  # noqa: PLW1509  (there are no threads here)
        )

    def _listen(self, running: Running) -> None:
        assert running.process.stdout is not None
        os.set_blocking(running.process.stdout.fileno(), False)
        self._lines.register(running.process.stdout, EVENT_READ, running)

    def _watch(self, ready: Callable[[], bool]) -> None:
        is_ready = False
        while not self._is_stopping:
            self._relay(POLL_SECONDS)
            is_ready = is_ready or ready()
            self._revive_servers()
            for running in self._running:
                self._revive(running)

    def _relay(self, seconds: float) -> None:
        """Write what parts write, line by line, for as long as nothing else happens."""
        for key, _ in self._lines.select(seconds):
            running: Running = key.data
            written = os.read(key.fd, READ_BYTES)
            if not written:
                self._lines.unregister(key.fileobj)
            *whole, running.unfinished = (running.unfinished + written).split(b"\n")
            for line in whole:
                say(running.part.name, line.decode(errors="replace").rstrip())

    def _revive_servers(self) -> None:
        for name, server in self.servers.items():
            if server.process is not None and server.process.poll() is not None:
                say(name, f"ended with {server.process.returncode}; starting it again")
                server.start()
                self._tell()

    def _revive(self, running: Running) -> None:
        """Start a part again that ended, after a pause that doubles while it keeps ending."""
        if running.process.poll() is None:
            return
        clock = time.monotonic()
        if running.due is None:
            if clock - running.started > CALM_SECONDS:
                running.pause = FIRST_PAUSE_SECONDS
            say(
                running.part.name,
                f"ended with {running.process.returncode}; starting it again in {running.pause:g} s",
            )
            running.due = clock + running.pause
            running.pause = min(running.pause * 2, LONGEST_PAUSE_SECONDS)
        elif clock >= running.due:
            running.process = self._spawn(running.part)
            running.started, running.due = clock, None
            self._listen(running)
            self._tell()

    def _tell(self) -> None:
        pids = {running.part.name: running.process.pid for running in self._running}
        for name, server in self.servers.items():
            if server.process is not None:
                pids[name] = server.process.pid
        self.changed(pids)

    def _end(self) -> None:
        """End the parts together, then the servers in reverse order."""
        processes = [running.process for running in self._running]
        for seconds in (WARM_SECONDS, COLD_SECONDS):
            _signal_all(processes, signal.SIGTERM)
            self._wait(processes, seconds)
        _signal_all(processes, signal.SIGKILL)
        for server in reversed(list(self.servers.values())):
            server.stop()

    def _wait(self, processes: list[subprocess.Popen[bytes]], seconds: float) -> None:
        """Wait until all have ended or the time is over, and go on writing what they write."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and any(process.poll() is None for process in processes):
            self._relay(POLL_SECONDS / 5)
        self._relay(0)


def _signal_all(processes: Iterable[subprocess.Popen[bytes]], number: signal.Signals) -> None:
    for process in processes:
        if process.poll() is None:
            process.send_signal(number)


def say(name: str, line: str) -> None:
    """Write one line of the log under the name of its part, in that part's colour on a terminal."""
    label = f"{name:>11} |"
    if sys.stderr.isatty() and "NO_COLOR" not in os.environ:
        label = f"\033[{COLOURS[sum(name.encode()) % len(COLOURS)]}m{label}\033[0m"
    sys.stderr.write(f"{label} {line}\n")
    sys.stderr.flush()
