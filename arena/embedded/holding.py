"""Who holds a home: one `arena up` at a time, and where to find it."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TextIO

from arena.clock import now
from arena.errors import ConflictError

LOCK_FILE = "lock"
STATE_FILE = "state.json"
# `arena status` asks by taking the lock for a moment; that must not turn an `arena up` away.
PATIENCE_SECONDS, POLL_SECONDS = 0.5, 0.02


@dataclass(frozen=True)
class State:
    """What runs in a home: the process of `arena up`, since when, at which address, and its parts."""

    pid: int
    since: str
    url: str
    parts: dict[str, int] = field(default_factory=dict)


@contextmanager
def held(home: Path) -> Iterator[None]:
    """Hold a home for a `with` block. The lock is the kernel's: it ends with the process, however it ends.

    Raises
    ------
    ConflictError
        If another `arena up` holds it; the message says which.
    """
    with (home / LOCK_FILE).open("a") as lock:
        end = time.monotonic() + PATIENCE_SECONDS
        while not _locks(lock):
            if time.monotonic() > end:
                raise ConflictError(_who_holds(home))
            time.sleep(POLL_SECONDS)
        try:
            yield
        finally:
            (home / STATE_FILE).unlink(missing_ok=True)


def is_held(home: Path) -> bool:
    """Return whether some `arena up` holds a home now."""
    try:
        with (home / LOCK_FILE).open() as lock:
            return not _locks(lock)
    except FileNotFoundError:
        return False


def _locks(lock: TextIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _who_holds(home: Path) -> str:
    state = read_state(home)
    who = "Another `arena up`"
    if state is not None:
        who += f" (process {state.pid}, since {state.since}, {state.url})"
    return (
        f"{who} holds {home}. End it with `arena down`, or set ARENA_HOME to another folder and choose "
        "another --port."
    )


def new_state(url: str) -> State:
    """Return the state of this process, which is to serve at an address and has no parts yet."""
    return State(os.getpid(), now().isoformat(timespec="seconds"), url)


def write_state(home: Path, state: State) -> None:
    """Write what runs, whole or not at all."""
    unfinished = home / f"{STATE_FILE}.{os.getpid()}"
    unfinished.write_text(json.dumps(asdict(state), indent=1))
    unfinished.rename(home / STATE_FILE)


def read_state(home: Path) -> State | None:
    """Return what was written last, None if nothing runs or it was written by something else."""
    try:
        return State(**json.loads((home / STATE_FILE).read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None
