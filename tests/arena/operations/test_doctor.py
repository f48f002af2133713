"""What doctor finds wrong, it says how to mend."""

import importlib.metadata
import os
import socket
from collections import namedtuple
from pathlib import Path

from pydantic import SecretStr
from rq import Worker

from arena.operations import doctor
from arena.operations.doctor import Finding, examine
from arena.queue import QUEUES
from arena.settings import Settings
from arena.store import schema
from arena.wiring import Wiring

DiskUsage = namedtuple("DiskUsage", "total used free")


def found(settings: Settings, what: str) -> Finding:
    """What doctor says of one thing."""
    return next(finding for finding in examine(settings) if finding.what == what)


def test_an_empty_folder_is_healthy_and_stays_empty(home: Path) -> None:
    """Looking is not touching: no key, no cluster, no folder is made."""
    findings = list(examine(Settings(home=home, port=0)))

    assert [finding for finding in findings if not finding.is_fine] == []
    assert list(home.iterdir()) == []


def test_a_package_overwritten_by_another_is_named(settings: Settings, monkeypatch) -> None:
    """`pip install judges` replaces part of ours without a warning."""
    owners = {"judges": ["judges", "holistic-arena"], "arena": ["holistic-arena"]}
    monkeypatch.setattr(importlib.metadata, "packages_distributions", lambda: owners)

    finding = found(settings, "packages")

    assert not finding.is_fine
    assert "judges is also in judges" in finding.says
    assert "reinstall" in finding.says


def test_programs_that_are_not_there_are_said_with_the_setting(home: Path) -> None:
    """Where it looked, and what to set."""
    finding = found(Settings(home=home, postgres_bin=home), "postgres programs")

    assert not finding.is_fine
    assert str(home) in finding.says
    assert "ARENA_POSTGRES_BIN" in finding.says


def test_a_program_that_does_not_run_is_said(home: Path) -> None:
    """A file of the right name for another machine."""
    program = home / "valkey-server"
    program.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    program.chmod(0o755)

    finding = found(Settings(home=home, valkey_bin=home), "valkey program")

    assert not finding.is_fine
    assert "broken" in finding.says


def test_a_taken_port_is_said(home: Path) -> None:
    """Before it keeps the site from starting."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        finding = found(Settings(home=home, port=other.getsockname()[1]), "port")

    assert not finding.is_fine
    assert "--port" in finding.says


def test_a_full_disk_is_said(settings: Settings, monkeypatch) -> None:
    """Postgres stops taking votes when there is no room."""
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: DiskUsage(10**12, 10**12, 10**7))

    assert "make room" in found(settings, "disk").says


def test_a_key_that_others_can_read_is_said(home: Path) -> None:
    """With the command that mends it."""
    (home / "secret.key").write_text("k" * 64)
    (home / "secret.key").chmod(0o644)

    assert "chmod 600" in found(Settings(home=home), "secret key").says


def test_a_database_that_is_behind_is_said(wiring: Wiring) -> None:
    """New code on old tables fails in a hundred places; this names the one cause."""
    schema.downgrade(wiring.engine)

    finding = found(wiring.settings, "migrations")

    assert not finding.is_fine
    assert "arena db upgrade" in finding.says


def test_queues_that_nobody_serves_are_named(wiring: Wiring) -> None:
    """Votes come in, and no rating moves."""
    finding = found(wiring.settings, "workers")

    assert not finding.is_fine
    assert all(name in finding.says for name in QUEUES)


def test_a_worker_that_was_killed_serves_nobody(wiring: Wiring) -> None:
    """Redis remembers a killed worker for minutes."""
    worker = Worker([wiring.bell.queue(name) for name in QUEUES], connection=wiring.bell.redis)
    worker.register_birth()
    assert found(wiring.settings, "workers").is_fine

    wiring.bell.redis.hset(worker.key, "pid", dead_pid())

    assert not found(wiring.settings, "workers").is_fine


def dead_pid() -> int:
    """The id of a process that has ended."""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


def test_servers_that_do_not_answer_are_said(settings: Settings) -> None:
    """With a question that leads on, and without the password."""
    away = settings.model_copy(
        update={
            "database_url": SecretStr("postgresql://arena:hunter2@/arena?host=/nowhere"),
            "redis_url": SecretStr("unix:///nowhere/valkey.sock"),
        }
    )

    postgres, redis = found(away, "postgres"), found(away, "redis")

    assert not postgres.is_fine
    assert not redis.is_fine
    assert "Is it up" in postgres.says
    assert "Voting and reading go on" in redis.says
    assert "hunter2" not in postgres.says + redis.says
