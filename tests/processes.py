"""Our own processes, started for one test and ended with it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.settings import Settings


def environment(settings: Settings) -> dict[str, str]:
    """The environment in which a child process has the same settings."""
    fields = {
        "ARENA_HOME": str(settings.home),
        "ARENA_REFIT_PAUSE_SECONDS": str(settings.refit_pause_seconds),
        "ARENA_REFIT_SECONDS": str(settings.refit_seconds),
        "ARENA_RECONCILE_SECONDS": str(settings.reconcile_seconds),
    }
    secrets = {
        "ARENA_DATABASE_URL": settings.database_url,
        "ARENA_REDIS_URL": settings.redis_url,
        "ARENA_SECRET_KEY": settings.secret_key,
    }
    fields |= {name: each.get_secret_value() for name, each in secrets.items() if each is not None}
    return os.environ | fields


@contextmanager
def running(settings: Settings, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run `python -m ARGUMENTS` in a group of its own; whatever is left of the group is killed."""
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        env=environment(settings),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def children_of(pid: int) -> list[int]:
    """The process ids of the children of a process."""
    try:
        words = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return []
    return [int(word) for word in words]


def wait_until(is_so: Callable[[], object], *, seconds: float = 60, what: str = "it") -> None:
    """Wait until something is so, or fail by saying what was waited for."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"{what} did not happen within {seconds} s"
        time.sleep(0.02)
