"""Who holds a home: one `arena up` at a time, and where to find it."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from arena.clock import now
from arena.errors import ConflictError

LOCK_FILE = "lock"
STATE_FILE = "state.json"


@dataclass(frozen=True)
class State:
    """What runs in a home: the process of `arena up`, since when, at which address, and its parts."""

    pid: int
    since: str
    url: str
    parts: dict[str, int] = field(default_factory=dict)


@contextmanager
def held(home: Path, url: str) -> Iterator[State]:
    """Hold a home for a `with` block. The lock is the kernel's: it ends with the process, however it ends.

    Raises
    ------
    ConflictError
        If another `arena up` holds it; the message says which.
    """
    with (home / LOCK_FILE).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConflictError(_who_holds(home)) from None
        state = State(os.getpid(), now().isoformat(timespec="seconds"), url)
        write_state(home, state)
        try:
            yield state
        finally:
            (home / STATE_FILE).unlink(missing_ok=True)


def _who_holds(home: Path) -> str:
    state = read_state(home)
    who = "Another `arena up`"
    if state is not None:
        who += f" (process {state.pid}, since {state.since}, {state.url})"
    return (
        f"{who} holds {home}. End it with `arena down`, or set ARENA_HOME to another folder and choose "
        "another --port."
    )


def is_held(home: Path) -> bool:
    """Return whether some `arena up` holds a home now."""
    path = home / LOCK_FILE
    if not path.exists():
        return False
    with path.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


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
