"""The process tree of `arena up`: started in order, kept alive, ended in reverse.

One thread does it all: a child asks to die with the thread that made it, and forking beside other threads is
asking for trouble.
"""

import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn, Protocol

from arena.embedded.children import dying_with_parent
from arena.embedded.lines import Lines, say
from arena.errors import UnavailableError

POLL_SECONDS = 0.1
HEAD_START_SECONDS = 10.0
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# A stop is asked for; then asked for again and again, upon which a worker drops its job, which is safe to repeat
# (RQ takes no second request within a second of the first); then forced.
WARM_SECONDS, COLD_SECONDS = 1.0, 0.5
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.5, 30.0
CALM_SECONDS = 60.0


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
class BackOff:
    """How long to wait before a start: longer each time, and short again after a calm minute."""

    pause: float = FIRST_PAUSE_SECONDS
    started: float = field(default_factory=time.monotonic)
    due: float | None = None

    def may_start(self, name: str, end: str) -> bool:
        """Return whether to start now something that has ended; say once how it ended and when it is due."""
        clock = time.monotonic()
        if self.due is None:
            if clock - self.started > CALM_SECONDS:
                self.pause = FIRST_PAUSE_SECONDS
            say(name, f"{end}; starting it again in {self.pause:g} s")
            self.due = clock + self.pause
            self.pause = min(self.pause * 2, LONGEST_PAUSE_SECONDS)
        if clock < self.due:
            return False
        self.started, self.due = clock, None
        return True


@dataclass
class Tree:
    """Starts servers and parts, watches them, and ends them.

    Parameters
    ----------
    servers : mapping of name to Server
        Started first, ended last.
    parts : sequence of Part
        The first is started once the servers answer and `prepare` has returned; the rest leave it the machine until
        it is ready, or for a few seconds.
    environment : mapping
        Of the parts.
    changed : callable
        Told the process ids by name, whenever they change.
    """

    servers: Mapping[str, Server]
    parts: Sequence[Part]
    environment: Mapping[str, str]
    changed: Callable[[dict[str, int]], None]
    _processes: dict[Part, subprocess.Popen[bytes]] = field(default_factory=dict)
    _back_offs: dict[str, BackOff] = field(default_factory=dict)
    _lines: Lines = field(default_factory=Lines)

    def run(self, prepare: Callable[[], None], ready: Callable[[], bool]) -> None:
        """Run until a signal comes. `ready` is asked until it says yes; then nothing more is asked of it."""
        for number in ENDING_SIGNALS:
            signal.signal(number, _interrupt)
        try:
            with suppress(KeyboardInterrupt):
                self._start(prepare)
                self._watch(ready)
        finally:
            for number in ENDING_SIGNALS:
                signal.signal(number, signal.SIG_IGN)
            self._end()

    def _start(self, prepare: Callable[[], None]) -> None:
        for name, server in self.servers.items():
            say(name, "starting")
            server.start()
            self._back_offs[name] = BackOff()
        prepare()
        self._start_parts(self.parts[:1])

    def _start_parts(self, parts: Iterable[Part]) -> None:
        for part in parts:
            self._spawn(part)
            self._back_offs[part.name] = BackOff()
        self._tell()

    def _spawn(self, part: Part) -> None:
        self._processes[part] = process = subprocess.Popen(
            part.command,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=dying_with_parent(signal.SIGTERM),  # noqa: PLW1509  (there are no threads here)
        )
        self._lines.listen(part.name, process.stdout)

    def _watch(self, ready: Callable[[], bool]) -> NoReturn:
        is_ready = False
        waiting = list(self.parts[1:])
        end = time.monotonic() + HEAD_START_SECONDS
        while True:
            self._lines.relay(POLL_SECONDS)
            is_ready = is_ready or ready()
            if waiting and (is_ready or time.monotonic() > end):
                self._start_parts(waiting)
                waiting = []
            for name, server in self.servers.items():
                self._revive_server(name, server)
            for part, process in list(self._processes.items()):
                if _has_ended(process) and self._may_start(part.name, process):
                    self._spawn(part)
                    self._tell()

    def _revive_server(self, name: str, server: Server) -> None:
        """Start a server again that ended. While it does not start we go on: pages say 503, and votes wait."""
        if _has_ended(server.process) and self._may_start(name, server.process):
            try:
                server.start()
            except UnavailableError as error:
                say(name, error.message)
            self._tell()

    def _may_start(self, name: str, process: subprocess.Popen[bytes] | None) -> bool:
        end = "did not start" if process is None else f"ended with {process.returncode}"
        return self._back_offs[name].may_start(name, end)

    def _tell(self) -> None:
        pids = {
            name: server.process.pid
            for name, server in self.servers.items()
            if server.process is not None
        }
        self.changed(pids | {part.name: process.pid for part, process in self._processes.items()})

    def _end(self) -> None:
        """End the parts together, then the servers in reverse order."""
        try:
            self._end_parts()
        finally:
            for server in reversed(list(self.servers.values())):
                server.stop()
            self._lines.close()

    def _end_parts(self) -> None:
        processes = list(self._processes.values())
        _signal_all(processes, signal.SIGTERM)
        self._wait(processes, WARM_SECONDS)
        end = time.monotonic() + COLD_SECONDS
        while time.monotonic() < end and not all(map(_has_ended, processes)):
            _signal_all(processes, signal.SIGTERM)
            self._wait(processes, POLL_SECONDS)
        _signal_all(processes, signal.SIGKILL)

    def _wait(self, processes: list[subprocess.Popen[bytes]], seconds: float) -> None:
        """Wait until all have ended or the time is over, and go on writing what they write."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not all(map(_has_ended, processes)):
            self._lines.relay(POLL_SECONDS / 5)
        self._lines.relay(0)


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _has_ended(process: subprocess.Popen[bytes] | None) -> bool:
    return process is None or process.poll() is not None


def _signal_all(processes: Iterable[subprocess.Popen[bytes]], number: signal.Signals) -> None:
    for process in processes:
        if process.poll() is None:
            process.send_signal(number)
