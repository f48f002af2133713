"""A whole installation: `arena up` as a process, in a home of its own."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.embedded.holding import read_state
from arena.settings import Settings
from tests.processes import environment, wait_until

ARENA = (sys.executable, "-c", "from arena.cli import main; main()")
READY_SECONDS = 60
END_SECONDS = 30


@dataclass
class Installation:
    """A running `arena up`."""

    process: subprocess.Popen[bytes]
    settings: Settings
    log_file: Path

    def log(self) -> str:
        return self.log_file.read_text()

    def pids(self) -> dict[str, int]:
        state = read_state(self.settings.home)
        return {} if state is None else state.parts

    def wait_until_whole(self) -> dict[str, int]:
        """The process ids once the site is ready and the workers were started."""
        ready = "ready at http://127.0.0.1:"
        wait_until(lambda: ready in self.log(), seconds=READY_SECONDS, what=self.log() or ready)
        wait_until(lambda: "cron" in self.pids(), what="the start of cron")
        return self.pids()


@contextmanager
def arena_up(settings: Settings) -> Iterator[Installation]:
    """Run `arena up` on a free port; end it politely, or else hard."""
    settings.home.mkdir(exist_ok=True)
    log_file = settings.home / "up.log"
    with log_file.open("wb") as log:
        process = subprocess.Popen(
            [*ARENA, "up", "--port", "0"], env=environment(settings), stdout=log, stderr=log
        )
    try:
        yield Installation(process, settings, log_file)
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(END_SECONDS)
        process.kill()
        process.wait()


def arena(settings: Settings, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of `arena` to its end."""
    return subprocess.run(
        [*ARENA, *words],
        check=False,
        env=environment(settings),
        capture_output=True,
        text=True,
        timeout=60,
    )
