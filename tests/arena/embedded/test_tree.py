"""The process tree starts in order, keeps what it started alive, and ends in reverse, whatever ends it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.embedded.tree import LONGEST_PAUSE_SECONDS, BackOff
from tests.arena.embedded import small_tree
from tests.arena.embedded.processes import is_alive
from tests.processes import wait_until

# What a part may be: one that waits and says when it ends, one that does not listen, one that ends at once.
POLITE = """
import signal, sys, time
def end(*_): print('has ended'); sys.exit()
signal.signal(signal.SIGTERM, end)
print('is up')
time.sleep(60)
"""
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('is up'); time.sleep(60)"
SHORT = "print('is up'); raise SystemExit(3)"
# Like a worker of RQ in a job: the first request waits for the job, the next drops it with the child that runs it.
BUSY = """
import os, signal, subprocess, sys, time
job = subprocess.Popen(['sleep', '60'])
def drop(*_): job.kill(); job.wait(); sys.exit()
def warm(*_): signal.signal(signal.SIGTERM, drop)
signal.signal(signal.SIGTERM, warm)
print('is up', job.pid)
while True: time.sleep(1)
"""
END_SECONDS = 15


@dataclass
class RunningTree:
    """A tree, its log, and the process ids it tells of."""

    process: subprocess.Popen[bytes]
    home: Path

    def log(self) -> str:
        return (self.home / "log").read_text()

    def pids(self) -> dict[str, int]:
        path = self.home / "pids.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def wait_for(self, line: str) -> None:
        wait_until(lambda: line in self.log(), what=f"{line!r} in the log")

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(END_SECONDS)


@contextmanager
def tree_of(home: Path, **parts: str) -> Iterator[RunningTree]:
    words = [f"{name}={code}" for name, code in parts.items()]
    with (home / "log").open("wb") as log:
        command = [sys.executable, small_tree.__file__, home, *words]
        process = subprocess.Popen(command, stderr=log, stdout=log)
    tree = RunningTree(process, home)
    try:
        yield tree
    finally:
        process.kill()
        process.wait()
        wait_until(lambda: not any(map(is_alive, tree.pids().values())), what="the end of all")


def test_what_a_part_writes_stands_under_its_name(home: Path) -> None:
    """One log, and who said what."""
    with tree_of(home, web=POLITE, cron=POLITE) as tree:
        tree.wait_for("web | is up")
        tree.wait_for("cron | is up")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_in_reverse_order(home: Path, number: signal.Signals) -> None:
    """Ctrl-C, a service manager and a closed terminal: parts go before the servers they stand on."""
    with tree_of(home, web=POLITE, cron=POLITE) as tree:
        tree.wait_for("cron | is up")
        pids = tree.pids()

        assert tree.end(number) == 0

        assert not any(map(is_alive, pids.values()))
        assert tree.log().index("web | has ended") < tree.log().index("valkey | has ended")
        assert tree.log().index("cron | has ended") < tree.log().index("valkey | has ended")


def test_a_part_that_ends_is_started_again(home: Path) -> None:
    """A worker killed for want of memory comes back by itself."""
    with tree_of(home, web=POLITE) as tree:
        tree.wait_for("web | is up")
        first = tree.pids()["web"]

        os.kill(first, signal.SIGKILL)

        wait_until(lambda: tree.pids()["web"] != first, what="another process")
        tree.wait_for("web | ended with -9; starting it again in 0.5 s")


def test_a_part_that_keeps_ending_is_started_ever_less_often(home: Path) -> None:
    """A part that cannot start must not take the machine from the others."""
    with tree_of(home, web=SHORT) as tree:
        tree.wait_for("ended with 3; starting it again in 0.5 s")
        tree.wait_for("ended with 3; starting it again in 1 s")
        tree.wait_for("ended with 3; starting it again in 2 s")


def test_a_server_that_ends_is_started_again(home: Path) -> None:
    """Votes wait for Postgres; it must not wait for the operator."""
    with tree_of(home, web=POLITE) as tree:
        tree.wait_for("web | is up")
        first = tree.pids()["valkey"]

        os.kill(first, signal.SIGKILL)

        wait_until(lambda: tree.pids()["valkey"] not in {0, first}, what="another process")
        assert is_alive(tree.pids()["valkey"])
        assert is_alive(tree.pids()["web"])


def test_a_deaf_part_is_put_down(home: Path) -> None:
    """One part that does not listen must not keep the others from ending."""
    with tree_of(home, web=DEAF) as tree:
        tree.wait_for("web | is up")
        pid = tree.pids()["web"]

        assert tree.end() == 0
        assert not is_alive(pid)


def test_a_worker_in_a_job_leaves_nobody_behind(home: Path) -> None:
    """RQ runs a job in a child of its worker; a worker put down hard would leave it working."""
    with tree_of(home, ratings=BUSY) as tree:
        tree.wait_for("ratings | is up")
        job = int(tree.log().partition("is up ")[2].split()[0])

        assert tree.end() == 0
        assert not is_alive(job)


def test_a_killed_tree_leaves_nobody_behind(home: Path) -> None:
    """Nothing that `arena up` started outlives it, even kill -9."""
    with tree_of(home, web=POLITE, cron=POLITE) as tree:
        tree.wait_for("cron | is up")

        assert tree.end(signal.SIGKILL) == -signal.SIGKILL

        wait_until(lambda: not any(map(is_alive, tree.pids().values())), what="the end of all")


def test_a_pause_doubles_up_to_its_longest() -> None:
    """Thirty seconds is long enough to spare the machine and short enough to come back."""
    pauses = []
    back_off = BackOff()
    for _ in range(9):
        back_off.due = None
        back_off.may_start("web", "ended")
        pauses.append(back_off.pause)

    assert pauses[:3] == [1, 2, 4]
    assert pauses[-1] == LONGEST_PAUSE_SECONDS


def test_a_calm_minute_is_forgiven() -> None:
    """What ran well for a while is started again at once, however often it had failed before."""
    back_off = BackOff(pause=LONGEST_PAUSE_SECONDS, started=time.monotonic() - 61)

    back_off.may_start("web", "ended")

    assert back_off.pause == 1
