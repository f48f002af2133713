"""The embedded Valkey keeps its queues over a kill, and is nobody else's."""

import stat
from pathlib import Path

import redis

from arena.embedded.sockets import LONGEST_SOCKET_PATH
from arena.embedded.valkey import EmbeddedValkey
from tests.arena.embedded.processes import END_OF_PARENT, is_alive, started_by
from tests.processes import wait_until


def client_of(server: EmbeddedValkey) -> redis.Redis:
    return redis.Redis.from_url(server.url)


def test_what_was_queued_outlives_a_kill(home: Path) -> None:
    """Without its append-only file a kill -9 lost every queued job."""
    server = EmbeddedValkey(home)
    server.start()
    with client_of(server) as client:
        client.set("queued", "1")

    server.process.kill()
    server.process.wait()
    server.start()

    with client_of(server) as client:
        assert client.get("queued") == b"1"
    server.stop()


def test_it_listens_on_its_socket_alone(home: Path) -> None:
    """A Redis on a port of the machine is everybody's."""
    with EmbeddedValkey(home) as server, client_of(server) as client:
        assert client.config_get("port") == {"port": "0"}
        assert client.config_get("appendonly") == {"appendonly": "yes"}


def test_nobody_else_reaches_the_socket(home: Path) -> None:
    """It asks for no password, so its folder and its socket are its owner's alone."""
    with EmbeddedValkey(home) as server:
        socket = Path(server.url.removeprefix("unix://"))
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700


def test_a_deep_home_gets_a_short_socket(short_folder: Path) -> None:
    """A socket's path may have 107 bytes; a checkout can lie deeper."""
    deep = short_folder.joinpath(*["a-folder-of-a-folder"] * 6)

    with EmbeddedValkey(deep) as server, client_of(server) as client:
        assert client.ping()
        assert len(server.url.removeprefix("unix://")) <= LONGEST_SOCKET_PATH
    Path(server.url.removeprefix("unix://")).parent.rmdir()


def test_a_server_ends_with_the_process_that_started_it(home: Path) -> None:
    """A kill -9 of `arena up` must not leave a server that nobody knows of."""
    with started_by(END_OF_PARENT, "EmbeddedValkey", home) as (parent, pid):
        parent.kill()
        parent.wait()

    wait_until(lambda: not is_alive(pid), what="the end of the server")
