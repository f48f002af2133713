"""`arena doctor`: what is wrong, and how to mend it."""

import importlib.metadata
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from redis.exceptions import RedisError
from rq import Worker
from rq.worker import BaseWorker
from sqlalchemy import func, select, text
from sqlalchemy.exc import OperationalError

from arena.clock import now
from arena.embedded.binaries import (
    NEWEST_POSTGRES,
    OLDEST_POSTGRES,
    VERSION_SECONDS,
    find_postgres,
    find_valkey,
    postgres_version,
)
from arena.embedded.children import server_user
from arena.embedded.folders import check_reachable
from arena.embedded.holding import is_held
from arena.errors import ArenaError
from arena.keys import KEY_FILE, installation_key
from arena.operations.serving import usable_port
from arena.queue import QUEUES
from arena.settings import Settings
from arena.store import schema
from arena.wiring import Wiring, opened

OURS = "holistic-arena"
PACKAGES = ("arena", "judges", "ranking", "web")
OLDEST_PYTHON = (3, 11)
LEAST_FREE_BYTES = 1024**3
MOST_CLOCK_SECONDS = 5

Subject = TypeVar("Subject")


@dataclass(frozen=True)
class Finding:
    """One thing looked at: fine, or wrong and how to mend it."""

    what: str
    says: str
    is_fine: bool = True


def examine(settings: Settings) -> Iterator[Finding]:
    """Look at everything that has to be right, one finding at a time."""
    checks: dict[str, Callable[[Settings], str]] = {
        "python": _python,
        "packages": _packages,
        "home": _home,
        "disk": _disk,
        "secret key": _key,
        "postgres programs": _postgres_programs,
        "valkey program": _valkey_program,
        "port": _port,
    }
    findings = [_finding(what, check, settings) for what, check in checks.items()]
    yield from findings
    if not is_held(settings.home) and settings.database_url is None:
        yield Finding("servers", "nothing runs here; `arena up` starts it")
    elif all(finding.is_fine for finding in findings):
        yield from _examine_servers(settings)
    else:
        yield Finding("servers", "looked at once the above is right")


def _examine_servers(settings: Settings) -> Iterator[Finding]:
    checks: dict[str, Callable[[Wiring], str]] = {
        "postgres": _postgres_answers,
        "clock": _clock,
        "migrations": _migrations,
        "redis": _redis_answers,
        "workers": _workers,
    }
    with opened(settings, application="arena doctor") as wiring:
        for what, check in checks.items():
            yield _finding(what, check, wiring)


class _Wrong(Exception):  # noqa: N818  (not an error of the program: a finding)
    """What a check found wrong, with how to mend it."""


def _finding(what: str, check: Callable[[Subject], str], subject: Subject) -> Finding:
    try:
        return Finding(what, check(subject))
    except _Wrong as wrong:
        return Finding(what, str(wrong), is_fine=False)
    except ArenaError as error:
        return Finding(what, error.message, is_fine=False)
    except OperationalError as error:
        says = f"{str(error.orig).strip()} Is it up, and is the address right?"
        return Finding(what, says, is_fine=False)
    except RedisError as error:
        says = f"{error}. Voting and reading go on; ratings wait."
        return Finding(what, says, is_fine=False)


def _python(_settings: Settings) -> str:
    found = sys.version_info[:2]
    if found < OLDEST_PYTHON:
        raise _Wrong(f"Python {found[0]}.{found[1]}; install 3.11 or newer.")
    return sys.version.split()[0]


def _packages(_settings: Settings) -> str:
    owners = importlib.metadata.packages_distributions()
    others = {
        name: sorted(set(owners.get(name, [OURS])) - {OURS})
        for name in PACKAGES
        if set(owners.get(name, [OURS])) - {OURS}
    }
    if others:
        named = "; ".join(f"{name} is also in {', '.join(who)}" for name, who in others.items())
        raise _Wrong(
            f"{named}. Another distribution overwrote ours: reinstall in an environment of its own."
        )
    return ", ".join(PACKAGES) + " are ours"


def _home(settings: Settings) -> str:
    existing = next(folder for folder in (settings.home, *settings.home.parents) if folder.exists())
    if not os.access(existing, os.W_OK):
        raise _Wrong(f"{existing} cannot be written. Set ARENA_HOME to a folder of yours.")
    user = server_user()
    if user is not None and settings.database_url is None:
        check_reachable(settings.home / "postgres", user)
    return str(settings.home)


def _disk(settings: Settings) -> str:
    existing = next(folder for folder in (settings.home, *settings.home.parents) if folder.exists())
    free = shutil.disk_usage(existing).free
    if free < LEAST_FREE_BYTES:
        raise _Wrong(f"{free // 1024**2} MiB free at {existing}; make room for at least 1024.")
    return f"{free / 1024**3:.0f} GiB free"


def _key(settings: Settings) -> str:
    path = settings.home / KEY_FILE
    if settings.secret_key is None and not path.exists():
        return "is made by the first `arena up`"
    installation_key(settings)
    if settings.secret_key is None and path.stat().st_mode & 0o077:
        raise _Wrong(f"{path} can be read by others: run `chmod 600 {path}`.")
    return "from the environment" if settings.secret_key is not None else str(path)


def _postgres_programs(settings: Settings) -> str:
    if settings.database_url is not None:
        return "not needed: ARENA_DATABASE_URL is set"
    place = find_postgres(settings.postgres_bin)
    return f"{postgres_version(place.folder)} from {place.origin}"


def _valkey_program(settings: Settings) -> str:
    if settings.redis_url is not None:
        return "not needed: ARENA_REDIS_URL is set"
    path = find_valkey(settings.valkey_bin)
    said = subprocess.run(
        [path, "--version"], check=False, capture_output=True, text=True, timeout=VERSION_SECONDS
    )
    if said.returncode != 0:
        raise _Wrong(
            f"{path} does not run: {said.stderr.strip()}. Set ARENA_VALKEY_BIN to another."
        )
    return said.stdout.strip()


def _port(settings: Settings) -> str:
    if is_held(settings.home):
        return f"{settings.port}, in use by this installation or free"
    return f"{usable_port(settings)} is free"


def _postgres_answers(wiring: Wiring) -> str:
    with wiring.engine.connect() as connection:
        version = int(connection.scalar(text("SHOW server_version_num")) or 0) // 10000
    if not OLDEST_POSTGRES <= version <= NEWEST_POSTGRES:
        raise _Wrong(f"version {version}; use one of {OLDEST_POSTGRES} to {NEWEST_POSTGRES}.")
    return f"answers, version {version}"


def _clock(wiring: Wiring) -> str:
    with wiring.engine.connect() as connection:
        theirs = connection.scalars(select(func.clock_timestamp())).one()
    apart = abs((theirs - now()).total_seconds())
    if apart > MOST_CLOCK_SECONDS:
        raise _Wrong(
            f"Postgres' clock and ours are {apart:.0f} s apart: undo and expiry go by them. Set both by NTP."
        )
    return "agrees with Postgres'"


def _migrations(wiring: Wiring) -> str:
    found, wanted = schema.current(wiring.engine), schema.head()
    if found != wanted:
        raise _Wrong(f"at {found}, the code wants {wanted}: run `arena db upgrade`.")
    return f"at {found}"


def _redis_answers(wiring: Wiring) -> str:
    wiring.bell.redis.ping()
    return "answers"


def _workers(wiring: Wiring) -> str:
    workers = [worker for worker in Worker.all(wiring.bell.redis) if _may_live(worker)]
    served = {name for worker in workers for name in worker.queue_names()}
    idle = [name for name in QUEUES if name not in served]
    if idle:
        raise _Wrong(
            f"nobody serves {', '.join(idle)}: run `python -m arena.jobs worker {idle[0]}` or restart `arena up`."
        )
    return f"serve {', '.join(QUEUES)}"


def _may_live(worker: BaseWorker) -> bool:
    """Return whether a worker that Redis remembers lives: one killed on this machine is remembered for minutes."""
    if worker.pid is None or worker.hostname != socket.gethostname():
        return True
    try:
        os.kill(worker.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's, and alive
        return True
    return True
