"""The embedded Postgres keeps what it was given, lets in who may, and ends with its parent."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from arena.embedded.postgres import EmbeddedPostgres
from arena.errors import SettingsError, UnavailableError
from arena.store.engine import libpq_url
from tests.arena.embedded.processes import END_OF_PARENT, is_alive, started_by
from tests.processes import wait_until

AS_ORDINARY_USER = """
import os, sys
from pathlib import Path
import psycopg, encodings.idna
from arena.embedded.postgres import EmbeddedPostgres
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
server = EmbeddedPostgres(Path(sys.argv[1]), bin_dir=Path(sys.argv[2]), options={"fsync": "off"})
with server:
    print(os.stat(f"/proc/{server.process.pid}").st_uid == os.geteuid() != 0)
"""


def connect(server: EmbeddedPostgres) -> psycopg.Connection:
    return psycopg.connect(libpq_url(server.url), autocommit=True)


def ask(server: EmbeddedPostgres, query: str) -> object:
    with connect(server) as connection:
        return connection.execute(query).fetchone()[0]


def test_what_was_committed_outlives_a_kill(cluster: Path) -> None:
    """Promise 1 rests on it: kill -9, start again at once, and the vote is there."""
    server = EmbeddedPostgres(cluster)
    server.start()
    with connect(server) as connection:
        connection.execute("CREATE TABLE kept (number int)")
        connection.execute("INSERT INTO kept VALUES (7)")

    server.process.kill()
    server.process.wait()
    server.start()

    assert ask(server, "SELECT number FROM kept") == 7
    server.stop()


def test_what_is_durable_is_left_on(server: EmbeddedPostgres) -> None:
    """Some embedded servers ship without fsync; a vote answered with success must be on the disk."""
    assert ask(server, "SHOW fsync") == "on"
    assert ask(server, "SHOW synchronous_commit") == "on"
    assert ask(server, "SHOW full_page_writes") == "on"


def test_text_is_unicode_and_sorts_the_same_everywhere(server: EmbeddedPostgres) -> None:
    """A board must not change its order with the machine's language."""
    assert ask(server, "SHOW server_encoding") == "UTF8"
    assert ask(server, "SELECT datcollate FROM pg_database WHERE datname = 'arena'") == "C"


def test_it_listens_on_its_socket_alone(server: EmbeddedPostgres) -> None:
    """Nobody on the network, and nobody who knows a port, gets as far as a password."""
    assert ask(server, "SHOW listen_addresses") == ""


@pytest.mark.parametrize("password", ["", "wrong"])
def test_nobody_enters_without_the_password(server: EmbeddedPostgres, password: str) -> None:
    """The socket can be reached by every user of the machine: as root the server is another one."""
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(libpq_url(server.url), password=password).close()


def test_the_password_is_its_owners_alone(server: EmbeddedPostgres, cluster: Path) -> None:
    """Who can read it can read every vote."""
    assert (cluster / "postgres.password").stat().st_mode & 0o077 == 0


def test_it_never_runs_as_root(server: EmbeddedPostgres) -> None:
    """Postgres refuses root: root's server is nobody, anybody else's is their own."""
    expected = pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else os.geteuid()

    assert Path(f"/proc/{server.process.pid}").stat().st_uid == expected


def test_an_ordinary_user_runs_it_as_themselves(home: Path, programs: Path) -> None:
    """The common case, tested also where the tests run as root."""
    if os.geteuid() == 0:
        os.chown(home, 65534, 65534)
    done = subprocess.run(
        [sys.executable, "-c", AS_ORDINARY_USER, home, programs],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.stdout.strip() == "True", done.stderr


def test_a_server_ends_with_the_process_that_started_it(cluster: Path) -> None:
    """A kill -9 of `arena up` must not leave a server that nobody knows of."""
    with started_by(END_OF_PARENT, "EmbeddedPostgres", cluster) as (parent, pid):
        parent.kill()
        parent.wait()

    wait_until(lambda: not is_alive(pid), what="the end of the server")


def test_a_start_waits_for_the_end_of_the_one_before(cluster: Path) -> None:
    """Right after a kill -9 the old server still holds its memory and its lock; that passes."""
    with started_by(END_OF_PARENT, "EmbeddedPostgres", cluster) as (parent, _):
        parent.kill()

        with EmbeddedPostgres(cluster) as again:
            assert ask(again, "SELECT 1") == 1


def test_a_home_with_an_odd_name_works(short_folder: Path, programs: Path) -> None:
    """A path with a space, a percent sign and an accent goes through two kinds of URL."""
    home = short_folder / "a b%41?é"

    with EmbeddedPostgres(home, bin_dir=programs, options={"fsync": "off"}) as server:
        assert ask(server, "SELECT 1") == 1


def test_a_start_that_fails_says_what_postgres_wrote(cluster: Path) -> None:
    """An operator should not have to look for the log."""
    server = EmbeddedPostgres(cluster, options={"no_such_setting": "1"})

    with pytest.raises(UnavailableError, match="no_such_setting"):
        server.start()


def test_an_unfinished_cluster_is_made_anew(home: Path, programs: Path) -> None:
    """A first start that was killed leaves nothing that the next one trips over."""
    (home / "postgres").mkdir(parents=True)
    left_behind = home / "postgres" / "data.1.unfinished"
    left_behind.mkdir()

    with EmbeddedPostgres(home, bin_dir=programs, options={"fsync": "off"}) as server:
        assert ask(server, "SELECT 1") == 1
    assert not left_behind.exists()


def test_a_password_of_another_user_is_said_to_be_so(home: Path, monkeypatch) -> None:
    """`arena psql` by the wrong user is told whom to become."""

    def refuse(_path: Path) -> str:
        raise PermissionError

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(SettingsError, match="Run as the user who ran"):
        _ = EmbeddedPostgres(home).url
