"""`arena up` from an empty folder: what runs, who may run it, and how it ends."""

import json
import os
import signal
import socket
import stat
from pathlib import Path
from urllib.request import urlopen

import pytest
from pydantic import SecretStr
from sqlalchemy import select
from typer.testing import CliRunner

from arena.cli import app
from arena.embedded.holding import is_held, read_state
from arena.embedded.postgres import EmbeddedPostgres
from arena.embedded.valkey import EmbeddedValkey
from arena.errors import ConflictError, SettingsError
from arena.operations.doctor import examine
from arena.operations.serving import base_url, serve, wanted_parts
from arena.operations.status import read_status, take_down
from arena.queue import QUEUES
from arena.settings import Settings
from arena.store.tables import BoardRow
from arena.wiring import opened
from tests.arena.embedded.processes import is_alive
from tests.arena.operations.installation import Installation, arena, arena_up
from tests.arena.rows import add_board
from tests.processes import environment, wait_until

PARTS = {"postgres", "valkey", "web", *QUEUES, "cron"}


def test_the_address_it_names_answers(installation: Installation) -> None:
    """The ready line is a promise: the page opens."""
    url = read_state(installation.settings.home).url

    with urlopen(f"{url}/readyz") as answer:
        assert answer.status == 200
    assert f"ready at {url}" in installation.log()


def test_status_names_every_part(installation: Installation) -> None:
    """Who looks wants each part with its process, the queues, and whether the tables are up to date."""
    found = read_status(installation.settings)

    assert found.problems == ()
    assert set(found.state.parts) == PARTS
    assert all(map(is_alive, found.state.parts.values()))
    assert found.queues == dict.fromkeys(QUEUES, 0)
    assert found.migration == found.wanted_migration


def test_status_prints_one_json_document(installation: Installation) -> None:
    """A monitor reads it."""
    done = CliRunner().invoke(app, ["status", "--json"], env=environment(installation.settings))

    assert done.exit_code == 0
    assert set(json.loads(done.stdout)["state"]["parts"]) == PARTS


def test_doctor_finds_nothing_wrong(installation: Installation) -> None:
    """What it calls wrong on a healthy installation nobody would believe on a sick one."""
    wait_until(
        lambda: all(finding.is_fine for finding in examine(installation.settings)),
        what="a clean bill of health",
    )


def test_a_second_one_is_told_who_holds_the_home(installation: Installation) -> None:
    """Two on one cluster would ruin it; the second names the first, not the port."""
    state = read_state(installation.settings.home)
    again = installation.settings.model_copy(update={"port": int(state.url.rpartition(":")[2])})

    with pytest.raises(ConflictError) as caught:
        serve(again, lambda _: None)

    assert f"process {state.pid}" in caught.value.message
    assert state.url in caught.value.message
    assert "arena down" in caught.value.message


def test_a_secret_key_is_made_for_its_owner_alone(installation: Installation) -> None:
    """Who has it can link votes to voters."""
    key = installation.settings.home / "secret.key"

    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(key.read_text()) >= 32


def test_psql_reaches_the_database(installation: Installation) -> None:
    """No address to look up, no password to copy, and none among the words of the command."""
    done = arena(
        installation.settings, "psql", "--", "-Atc", "SELECT current_user, count(*) FROM board"
    )

    assert done.stdout == "arena|0\n", done.stderr


def test_a_killed_part_comes_back(installation: Installation) -> None:
    """Nobody has to be called at night for a worker that was killed for want of memory."""
    first = installation.pids()["ratings"]

    os.kill(first, signal.SIGKILL)

    wait_until(lambda: installation.pids()["ratings"] != first, what="another worker")


def test_a_kill_leaves_nobody_and_loses_nothing(installation: Installation) -> None:
    """kill -9 of `arena up`: its children end, and what was committed is there. The last of this installation."""
    pids = installation.pids()
    with opened(installation.settings) as wiring, wiring.sessions.begin() as session:
        add_board(session, "kept")

    installation.process.kill()
    installation.process.wait()

    wait_until(lambda: not any(map(is_alive, pids.values())), what="the end of the children")
    assert not is_held(installation.settings.home)
    with (
        EmbeddedPostgres(installation.settings.home),
        opened(installation.settings) as wiring,
        wiring.sessions() as session,
    ):
        assert session.scalars(select(BoardRow.name)).all() == ["kept"]


def test_a_signal_ends_a_start(home: Path) -> None:
    """Whoever changes their mind during the first start need not wait for it."""
    with arena_up(Settings(home=home)) as running:
        wait_until(lambda: "starting" in running.log(), what="a start")

        running.process.send_signal(signal.SIGINT)

        assert running.process.wait(10) == 0
        assert "ready" not in running.log()


def test_the_operators_own_servers_are_used_and_left_up(home: Path, short_folder: Path) -> None:
    """With both addresses set nothing is embedded: other folders, and Debian's programs where there are some."""
    debian = sorted(Path("/usr/lib/postgresql").glob("1[5-8]/bin"))
    theirs = short_folder / "theirs"
    with (
        EmbeddedPostgres(theirs, bin_dir=debian[-1] if debian else None) as postgres,
        EmbeddedValkey(theirs) as valkey,
    ):
        settings = Settings(
            home=home, database_url=SecretStr(postgres.url), redis_url=SecretStr(valkey.url)
        )
        with arena_up(settings) as running:
            pids = running.wait_until_whole()
            assert set(pids) == PARTS - {"postgres", "valkey"}

            assert take_down(settings) == f"Ended process {running.process.pid}."

            assert running.process.wait(10) == 0
            assert not any(map(is_alive, pids.values()))
        assert read_status(settings).problems == ()
        assert take_down(settings).startswith("Nothing runs")


def test_a_taken_port_is_said_before_anything_starts(home: Path) -> None:
    """One line, and no server left running behind it."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        with pytest.raises(SettingsError, match=rf"Port {port} on 127\.0\.0\.1 cannot be used"):
            serve(Settings(home=home, port=port), lambda _: None)

    assert not (home / "postgres").exists()


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
        ("arena.example", "http://arena.example:8000"),
    ],
)
def test_the_address_named_can_be_opened(tmp_path: Path, host: str, url: str) -> None:
    """Nobody can open 0.0.0.0."""
    assert base_url(Settings(home=tmp_path, host=host)) == url


@pytest.mark.parametrize(("workers", "served"), [(1, 4), (4, 4), (6, 6)])
def test_every_queue_has_a_worker_of_its_own(tmp_path: Path, workers: int, served: int) -> None:
    """A queue that nobody serves would wait for ever; a worker of several queues loses jobs when killed."""
    parts = wanted_parts(Settings(home=tmp_path, workers=workers))
    workers_of = [part.command[-1] for part in parts if part.command[-2] == "worker"]

    assert len(workers_of) == served
    assert set(workers_of) == set(QUEUES)
    assert len({part.name for part in parts}) == len(parts)
