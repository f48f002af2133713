"""`arena config` shows what is in force, and no secret."""

import json
from pathlib import Path

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from arena.cli import app
from arena.operations.shown import shown_settings
from arena.settings import Settings

SECRET = "hunter2"


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://arena:{SECRET}@db.example/arena",
        f"postgresql://db.example/arena?user=arena&password={SECRET}",
        f"postgresql://db.example/arena?sslpassword={SECRET}",
        f"redis://:{SECRET}@cache.example:6379/0",
        f"unix:///run/valkey.sock?password={SECRET}",
        f"//:{SECRET}@[",
    ],
)
def test_no_password_is_shown(tmp_path: Path, address: str) -> None:
    """Whatever the form of the address."""
    settings = Settings(home=tmp_path, database_url=SecretStr(address))

    assert SECRET not in shown_settings(settings)["ARENA_DATABASE_URL"]


def test_what_is_not_secret_is_shown(tmp_path: Path) -> None:
    """One looks here to see which database is meant."""
    address = f"postgresql://arena:{SECRET}@db.example/people"
    shown = shown_settings(Settings(home=tmp_path, database_url=SecretStr(address)))

    assert shown["ARENA_DATABASE_URL"] == "postgresql://arena:***@db.example/people"
    assert shown["ARENA_HOME"] == str(tmp_path)


def test_the_command_prints_one_json_document() -> None:
    """Every setting by the name of its variable, the key as stars."""
    done = CliRunner().invoke(app, ["config", "--json"], env={"ARENA_SECRET_KEY": SECRET * 4})

    shown = json.loads(done.stdout)
    assert set(shown) == {f"ARENA_{name.upper()}" for name in Settings.model_fields}
    assert shown["ARENA_SECRET_KEY"] == "***"
