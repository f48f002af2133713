"""Keeping an installation up: `arena up`, `down`, `status`, `doctor`, `psql`, `backup`, `restore`, `config`, `db`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from arena.log import set_up_logging
from arena.operations import backup as backups
from arena.operations.doctor import examine
from arena.operations.serving import serve
from arena.operations.shown import shown_settings
from arena.operations.status import Status, read_status, take_down
from arena.operations.tools import become
from arena.settings import Settings
from arena.store import schema
from arena.wiring import Wiring, database_url, opened

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

database = typer.Typer(help="The database's tables.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (up, down, status, doctor, psql, backup, restore, config):
        app.command()(command)
    database.command()(upgrade)
    app.add_typer(database, name="db")


def up(
    demo: Annotated[
        bool, typer.Option("--demo", help="Load the demo board if there is none.")
    ] = False,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Of the site.")] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="How many workers; each queue has one at least."),
    ] = None,
) -> None:
    """Serve: Postgres, Valkey, the site, workers and cron, until Ctrl-C."""
    chosen = {
        name: value for name, value in (("port", port), ("workers", workers)) if value is not None
    }
    settings = Settings().model_copy(update=chosen)
    set_up_logging(settings)
    serve(settings, _load_demo if demo else _load_nothing)


def _load_nothing(_wiring: Wiring) -> None:
    """An installation starts empty unless it is told otherwise."""


def _load_demo(wiring: Wiring) -> None:
    from arena.demo import load_demo  # noqa: PLC0415  (an empty installation never reads it)

    load_demo(wiring)


def down() -> None:
    """End what `arena up` started in this home."""
    print(take_down(Settings()))


def status(as_json: Json = False) -> None:
    """Show each part, its process, the queues, the migration and the newest rating run."""
    found = read_status(Settings())
    if as_json:
        print(json.dumps(asdict(found)))
    else:
        Console().print(_status_table(found))
    for problem in found.problems:
        typer.echo(f"problem: {problem}", err=True)
    raise typer.Exit(1 if found.problems else 0)


def _status_table(found: Status) -> Table:
    table = Table(show_header=False, box=None, pad_edge=False)
    if found.state is not None:
        table.add_row(
            "arena up", f"process {found.state.pid}, since {found.state.since}, {found.state.url}"
        )
        for name, pid in found.state.parts.items():
            table.add_row(name, f"process {pid}")
    for name, depth in (found.queues or {}).items():
        table.add_row(f"queue {name}", f"{depth} waiting")
    table.add_row(
        "migration", f"{found.migration or 'none'}, the code wants {found.wanted_migration}"
    )
    table.add_row("newest rating run", found.newest_run or "none yet")
    return table


def doctor(as_json: Json = False) -> None:
    """Say what is wrong and how to mend it."""
    findings = list(examine(Settings()))
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings]))
    else:
        for finding in findings:
            print(f"{'ok   ' if finding.is_fine else 'WRONG'}  {finding.what}: {finding.says}")
    raise typer.Exit(0 if all(finding.is_fine for finding in findings) else 1)


def psql(
    arguments: Annotated[list[str] | None, typer.Argument(help="For psql, after --.")] = None,
) -> None:
    """Open psql on the database."""
    settings = Settings()
    become(settings, "psql", arguments or [], url=database_url(settings))


def backup(file: Annotated[Path, typer.Argument(help="Where to write it.")]) -> None:
    """Write everything to one file."""
    size = backups.back_up(Settings(), file)
    print(f"Wrote {file}, {size / 1024**2:.1f} MiB.")


def restore(
    file: Annotated[Path, typer.Argument(help="A file written by `arena backup`.")],
    force: Annotated[
        bool, typer.Option("--force", help="Even if there is something here.")
    ] = False,
) -> None:
    """Put a backup in the place of the database."""
    kept = backups.restore(Settings(), file, force=force)
    print(f"Restored {file}." + (f" The former database is kept as {kept}." if kept else ""))


def config(as_json: Json = False) -> None:
    """Show the settings in force, secrets left out."""
    shown = shown_settings(Settings())
    print(
        json.dumps(shown)
        if as_json
        else "\n".join(f"{key}={value}" for key, value in shown.items())
    )


def upgrade() -> None:
    """Bring the database's tables up to what this version wants."""
    with opened(Settings(), application="arena db") as wiring:
        before = schema.current(wiring.engine)
        schema.upgrade(wiring.engine)
    print(f"{before or 'empty'} -> {schema.head()}")
