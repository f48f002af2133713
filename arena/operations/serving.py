"""`arena up`: the embedded servers that are wanted, then our own processes."""

import os
import socket
import sys
import urllib.request
from collections.abc import Callable
from dataclasses import replace

from arena.embedded.folders import make_folder
from arena.embedded.holding import held, write_state
from arena.embedded.postgres import EmbeddedPostgres
from arena.embedded.tree import Part, Server, Tree, say
from arena.embedded.valkey import EmbeddedValkey
from arena.errors import SettingsError
from arena.queue import QUEUES
from arena.settings import Settings
from arena.store import schema
from arena.wiring import Wiring, opened

READY_SECONDS = 0.5
HOME_MODE = 0o711


def serve(settings: Settings, prepare: Callable[[Wiring], None]) -> None:
    """Serve until a signal comes. `prepare` runs once the database has its tables.

    Raises
    ------
    ConflictError
        If another `arena up` holds the home.
    SettingsError
        If the port is taken, or a server's programs are not found.
    """
    check_port(settings)
    make_folder(settings.home, mode=HOME_MODE)
    url = base_url(settings)
    with held(settings.home, url) as state:
        tree = Tree(
            servers=wanted_servers(settings),
            parts=wanted_parts(settings),
            environment=environment(settings),
            changed=lambda pids: write_state(settings.home, replace(state, parts=pids)),
        )
        tree.run(lambda: _prepare(settings, prepare), lambda: _announce(url))


def base_url(settings: Settings) -> str:
    """Return the address that a person opens."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}"


def check_port(settings: Settings) -> None:
    """Raise if something else listens on our port: better now than after the servers are up."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise SettingsError(
                f"Port {settings.port} on {settings.host} cannot be used: {error.strerror}. "
                "Choose another with --port."
            ) from error


def wanted_servers(settings: Settings) -> dict[str, Server]:
    """Return the embedded servers, but for those that the operator brings."""
    servers: dict[str, Server] = {}
    if settings.database_url is None:
        servers["postgres"] = EmbeddedPostgres(settings.home, bin_dir=settings.postgres_bin)
    if settings.redis_url is None:
        servers["valkey"] = EmbeddedValkey(settings.home, bin_dir=settings.valkey_bin)
    return servers


def wanted_parts(settings: Settings) -> list[Part]:
    """Return our processes: the site, the workers of one queue each, and cron.

    There is a worker for every queue; of more workers than queues, the rest repeat the queues in order.
    """
    python = sys.executable
    web = (python, "-m", "uvicorn", "web.app:create_app", "--factory")
    web += ("--host", settings.host, "--port", str(settings.port))
    web += ("--log-level", "warning", "--no-access-log", "--no-server-header")
    web += ("--timeout-graceful-shutdown", "1")
    parts = [Part("web", web)]
    for number in range(max(settings.workers, len(QUEUES))):
        queue = QUEUES[number % len(QUEUES)]
        repeat = number // len(QUEUES)
        name = queue if repeat == 0 else f"{queue} {repeat + 1}"
        parts.append(Part(name, (python, "-m", "arena.jobs", "worker", queue)))
    parts.append(Part("cron", (python, "-m", "arena.jobs", "cron")))
    return parts


def environment(settings: Settings) -> dict[str, str]:
    """Return what our processes find in their environment: ours, with what the command line changed."""
    return dict(os.environ) | {
        "ARENA_HOME": str(settings.home),
        "ARENA_HOST": settings.host,
        "ARENA_PORT": str(settings.port),
        "PYTHONUNBUFFERED": "1",
    }


def _prepare(settings: Settings, prepare: Callable[[Wiring], None]) -> None:
    with opened(settings, application="arena up") as wiring:
        before = schema.current(wiring.engine)
        schema.upgrade(wiring.engine)
        if before != schema.head():
            say("migrations", f"{before or 'empty'} -> {schema.head()}")
        prepare(wiring)


def _announce(url: str) -> bool:
    """Say where the site is once it is ready, and return whether it is."""
    try:
        urllib.request.urlopen(f"{url}/readyz", timeout=READY_SECONDS).close()
    except OSError:
        return False
    say("arena", f"ready at {url}  (Ctrl-C ends it)")
    return True
