"""A log line is for people or for programs, and holds no secret."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from arena.log import set_up_logging
from arena.settings import Settings
from arena.wiring import Wiring

SECRET = "hunter2"


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Logging is the process's: leave it to the next test as it was."""
    handlers, level = logging.root.handlers[:], logging.root.level
    yield
    logging.root.handlers, logging.root.level = handlers, level
    structlog.reset_defaults()


def fail(secret: str) -> None:
    """Raise with something in a local variable that must not be logged."""
    raise ValueError(f"{len(secret)} letters")


def log_a_failure() -> None:
    try:
        fail(SECRET)
    except ValueError:
        structlog.get_logger("arena").exception("it failed")


def test_json_is_one_document_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the request it belongs to, whoever wrote it."""
    set_up_logging(Settings(home=tmp_path, log_format="json"))

    with structlog.contextvars.bound_contextvars(request_id="r1"):
        structlog.get_logger("arena").info("voted", battle=7)
        logging.getLogger("library").warning("slow %s", "query")

    ours, theirs = map(json.loads, capsys.readouterr().err.splitlines())
    assert (ours["event"], ours["battle"], ours["request_id"]) == ("voted", 7, "r1")
    assert (theirs["event"], theirs["level"], theirs["request_id"]) == (
        "slow query",
        "warning",
        "r1",
    )


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_a_traceback_holds_no_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], log_format: str
) -> None:
    """Local variables are keys, prompts and answers."""
    set_up_logging(Settings(home=tmp_path, log_format=log_format))

    log_a_failure()

    written = capsys.readouterr().err
    assert "7 letters" in written
    assert SECRET not in written


def test_a_failed_statement_does_not_say_what_it_was_given(wiring: Wiring) -> None:
    """An error's message reaches the log; what statements are given is prompts and answers."""
    statement = text("SELECT 1 / (length(:secret) - :length)")

    with pytest.raises(DBAPIError) as caught, wiring.engine.connect() as connection:
        connection.execute(statement, {"secret": SECRET, "length": len(SECRET)})

    assert "division by zero" in str(caught.value)
    assert SECRET not in str(caught.value)


def test_what_is_below_the_level_is_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An operator who asked for warnings gets warnings."""
    set_up_logging(Settings(home=tmp_path, log_level="warning"))

    structlog.get_logger("arena").info("voted")
    logging.getLogger("library").info("chatter")

    assert capsys.readouterr().err == ""
