"""What the reference documents must name: a setting, command, table or term without a line there fails here."""

import importlib
import inspect
import re
from pathlib import Path

import click
import pytest
import typer

from arena import errors, queue
from arena.cli import app
from arena.settings import Settings
from arena.store.tables import Base

DOCS = Path(__file__).parents[1] / "docs"
REFERENCE = DOCS / "reference"


def text_of(page: str) -> str:
    return (REFERENCE / page).read_text()


def commands(group: click.Command, path: tuple[str, ...] = ()) -> list[str]:
    """Every command of the command line, in full."""
    if not isinstance(group, click.Group):
        return [" ".join(path)]
    return [name for key, each in group.commands.items() for name in commands(each, (*path, key))]


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_every_setting_is_documented(name: str) -> None:
    """An operator finds what may be set without reading the code."""
    assert f"ARENA_{name.upper()}" in text_of("settings.md")


@pytest.mark.parametrize("command", commands(typer.main.get_command(app)))
def test_every_command_is_documented(command: str) -> None:
    """What `--help` offers is in the reference."""
    assert f"`arena {command}" in text_of("commands.md")


@pytest.mark.parametrize("table", sorted(Base.metadata.tables))
def test_every_table_is_documented(table: str) -> None:
    """A researcher with the database finds out what a table holds."""
    assert f"`{table}`" in text_of("tables.md")


def error_codes() -> list[str]:
    kinds = inspect.getmembers(errors, inspect.isclass)
    return sorted({kind.code for _, kind in kinds if issubclass(kind, errors.ArenaError)})


@pytest.mark.parametrize("code", error_codes())
def test_every_error_code_is_documented(code: str) -> None:
    """A program that meets a code can look it up."""
    assert f"`{code}`" in text_of("errors.md")


def test_every_job_name_resolves() -> None:
    """A job is named by a string; a typo would be found by a worker, at night."""
    names = [value for key, value in vars(queue).items() if str(value).startswith("arena.jobs.")]
    assert names
    for name in names:
        module, _, function = name.rpartition(".")
        assert callable(getattr(importlib.import_module(module), function))


@pytest.mark.parametrize(
    "page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.relative_to(DOCS).as_posix()
)
def test_every_link_between_documents_leads_somewhere(page: Path) -> None:
    """A dead link in the documents is a broken promise."""
    targets = re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", page.read_text())

    assert [target for target in targets if not (page.parent / target).exists()] == []
