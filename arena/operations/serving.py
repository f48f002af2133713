"""`arena up`: the embedded servers that are wanted, then our own processes."""

import os
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path

from arena.embedded.folders import make_folder
from arena.embedded.holding import held, new_state, write_state
from arena.embedded.lines import say
from arena.embedded.postgres import EmbeddedPostgres
from arena.embedded.tree import Part, Server, Tree
from arena.embedded.valkey import EmbeddedValkey
from arena.errors import SettingsError
from arena.queue import QUEUES
from arena.settings import Settings
from arena.store import schema
from arena.wiring import Wiring, opened

READY_SECONDS = 0.5
HOME_MODE = 0o711
# -P, and uvicorn's --app-dir: a folder called `web` where the command is given must not be taken for ours.
PYTHON = (sys.executable, "-P", "-m")
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  (said of others' choice, not made here)


def serve(settings: Settings, prepare: Callable[[Wiring], None]) -> None:
    """Serve until a signal comes. `prepare` runs once the database has its tables.

    Raises
    ------
    ConflictError
        If another `arena up` holds the home.
    SettingsError
        If the port is taken, or a server's programs are not found.
    """
    make_folder(settings.home, mode=HOME_MODE)
    with held(settings.home):
        settings = settings.model_copy(update={"port": usable_port(settings)})
        state = new_state(base_url(settings))
        write_state(settings.home, state)
        tree = Tree(
            servers=wanted_servers(settings),
            parts=wanted_parts(settings),
            environment=environment(settings),
            changed=lambda pids: write_state(settings.home, replace(state, parts=pids)),
        )
        tree.run(lambda: _prepare(settings, prepare), lambda: _announce(settings))


def base_url(settings: Settings) -> str:
    """Return the address that a person on this machine opens."""
    host = reachable_host(settings)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def reachable_host(settings: Settings) -> str:
    """Return where to knock: who listens everywhere is found at home."""
    return EVERYWHERE.get(settings.host, settings.host)


def usable_port(settings: Settings) -> int:
    """Return our port, or a free one for 0. Better to know that it is taken now than after the servers are up.

    Raises
    ------
    SettingsError
        If something else listens there, or it is not ours to listen on.
    """
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
        return int(probe.getsockname()[1])


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
    parts = [Part("web", _web_command(settings))]
    for number in range(max(settings.workers, len(QUEUES))):
        queue = QUEUES[number % len(QUEUES)]
        repeat = number // len(QUEUES)
        name = queue if repeat == 0 else f"{queue} {repeat + 1}"
        parts.append(Part(name, (*PYTHON, "arena.jobs", "worker", queue)))
    parts.append(Part("cron", (*PYTHON, "arena.jobs", "cron")))
    return parts


def _web_command(settings: Settings) -> tuple[str, ...]:
    options = {
        "app-dir": _folder_of("web"),
        "host": settings.host,
        "port": str(settings.port),
        "log-level": "warning",
        "timeout-graceful-shutdown": "1",
    }
    flags = [f"--{name}={value}" for name, value in options.items()]
    switches = ("--factory", "--no-access-log", "--no-server-header")
    return (*PYTHON, "uvicorn", "web.app:create_app", *switches, *flags)


def _folder_of(package: str) -> str:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise SettingsError(
            f"The package {package} is not installed. Install holistic-arena again."
        )
    return str(Path(spec.origin).parents[1])


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


def _announce(settings: Settings) -> bool:
    """Say where the site is once it is ready, and return whether it is."""
    connection = HTTPConnection(reachable_host(settings), settings.port, timeout=READY_SECONDS)
    try:
        connection.request("GET", "/readyz")
        is_ready = connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
    if is_ready:
        say("arena", f"ready at {base_url(settings)}  (Ctrl-C ends it)")
    return is_ready
