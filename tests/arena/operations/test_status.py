"""Status says what is up and what is not, and starts nothing."""

from pathlib import Path

from pydantic import SecretStr
from typer.testing import CliRunner

from arena.cli import app
from arena.operations.status import read_status
from arena.settings import Settings
from arena.store import schema
from arena.wiring import Wiring


def test_an_empty_home_stays_empty(home: Path) -> None:
    """Who only asks must not find a secret key made, nor a state to clean up."""
    found = read_status(Settings(home=home))

    assert found.problems == (f"No `arena up` holds {home}. Start it with `arena up`.",)
    assert list(home.iterdir()) == []


def test_the_command_fails_when_something_is_wrong(home: Path) -> None:
    """A monitor goes by the exit code."""
    done = CliRunner().invoke(app, ["status"], env={"ARENA_HOME": str(home)})

    assert done.exit_code == 1
    assert "Start it with `arena up`" in done.stderr


def test_a_silent_redis_is_a_problem_and_no_failure(wiring: Wiring) -> None:
    """Votes and pages go on without it; what the database knows is shown."""
    settings = wiring.settings.model_copy(
        update={"redis_url": SecretStr("unix:///nowhere/valkey.sock")}
    )

    found = read_status(settings)

    assert found.queues is None
    assert found.migration == schema.head()
    assert any("Redis does not answer" in problem for problem in found.problems)


def test_tables_that_are_behind_are_a_problem(wiring: Wiring) -> None:
    """With the command that brings them up."""
    schema.downgrade(wiring.engine)

    assert any("arena db upgrade" in problem for problem in read_status(wiring.settings).problems)


def test_a_silent_postgres_is_a_problem(settings: Settings) -> None:
    """The queues are still shown."""
    away = SecretStr("postgresql://arena@/arena?host=/nowhere")

    found = read_status(settings.model_copy(update={"database_url": away}))

    assert found.queues is not None
    assert found.migration is None
    assert any("Postgres does not answer" in problem for problem in found.problems)
