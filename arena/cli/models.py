"""The registry: `arena model`."""

import getpass
import json
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena import registry
from arena.registry import ModelEntry, NewModel
from arena.settings import Settings
from arena.wiring import opened

Name = Annotated[str, typer.Argument(metavar="MODEL", help="The model's exact name.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

models = typer.Typer(help="Models, their other names, and their retirement.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for name, command in (("add", add), ("list", list_all), ("retire", retire), ("alias", alias)):
        models.command(name)(command)
    app.add_typer(models, name="model")


def add(
    name: Name,
    family: Annotated[str | None, typer.Option(help="What its checkpoints share.")] = None,
    organization: Annotated[str | None, typer.Option(help="Who made it.")] = None,
    license: Annotated[str | None, typer.Option(help="As its makers name it.")] = None,  # noqa: A002 - the option's word
) -> None:
    """Add a model."""
    with opened(Settings()) as wiring, wiring.sessions.begin() as session:
        model = NewModel(name, family=family, organization=organization, license=license)
        registry.add_model(session, model, actor=getpass.getuser())
    print(f"model {name} added")


def list_all(as_json: Json = False) -> None:
    """List all models with their other names."""
    with opened(Settings()) as wiring, wiring.sessions.begin() as session:
        entries = registry.list_models(session)
    if as_json:
        print(json.dumps({"models": [entry.as_document() for entry in entries]}))
    else:
        Console().print(_table(entries))


def retire(name: Name) -> None:
    """Retire a model: it keeps its ratings and is drawn for no more battles."""
    with opened(Settings()) as wiring, wiring.sessions.begin() as session:
        registry.retire_model(session, name, actor=getpass.getuser())
    print(f"model {name} retired")


def alias(
    other: Annotated[str, typer.Argument(metavar="ALIAS", help="The name that a file uses.")],
    name: Name,
    note: Annotated[str | None, typer.Option(help="How it was checked.")] = None,
) -> None:
    """Say that another name means this model; imports read it so from now on."""
    with opened(Settings()) as wiring, wiring.sessions.begin() as session:
        registry.add_alias(session, other, name, actor=getpass.getuser(), note=note)
    print(f"{other} means {name}")


def _table(entries: list[ModelEntry]) -> Table:
    table = Table("model", "family", "organization", "other names", "retired", box=None)
    for entry in entries:
        retired = f"{entry.retired_at:%Y-%m-%d}" if entry.retired_at else ""
        cells = (entry.name, entry.family, entry.organization, ", ".join(entry.aliases), retired)
        table.add_row(*(escape(cell or "") for cell in cells))
    return table
