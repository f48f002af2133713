"""Boards and their rating runs: `arena board`, `arena fit`, `arena replay`."""

import getpass
import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena import rating_runs, registry
from arena.cli.board_settings import set_board
from arena.cli.compared import compare
from arena.cli.diagnosed import diagnose
from arena.cli.shown_board import show
from arena.cli.voters import quarantine, release, voters
from arena.registry import BoardEntry
from arena.settings import Settings
from arena.wiring import opened

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

boards = typer.Typer(help="Boards and what they hold.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    boards.command("create")(create)
    boards.command("set")(set_board)
    boards.command("list")(list_all)
    boards.command("show")(show)
    boards.command("compare")(compare)
    boards.command("diagnose")(diagnose)
    boards.command("voters")(voters)
    boards.command("quarantine")(quarantine)
    boards.command("release")(release)
    app.add_typer(boards, name="board")
    app.command()(fit)
    app.command()(replay)


def create(
    name: Annotated[str, typer.Argument(metavar="BOARD", help="As it will stand in addresses.")],
    title: Annotated[str | None, typer.Option(help="As it will stand on pages.")] = None,
    description: Annotated[str | None, typer.Option(help="What it compares, and for whom.")] = None,
) -> None:
    """Make a board."""
    actor = getpass.getuser()
    with opened(Settings()) as wiring, wiring.sessions.begin() as session:
        registry.create_board(session, name, actor=actor, title=title, description=description)
    print(f"board {name} made")


def list_all(as_json: Json = False) -> None:
    """List all boards."""
    with opened(Settings()) as wiring, wiring.sessions.begin() as session:
        entries = registry.list_boards(session)
    if as_json:
        print(json.dumps({"boards": [asdict(entry) for entry in entries]}))
    else:
        Console().print(_table(entries))


def _table(entries: list[BoardEntry]) -> Table:
    table = Table("board", "title", "votes", "judgments", "answers in its pool", box=None)
    for entry in entries:
        title = f"{entry.title} (simulated)" if entry.is_simulated else entry.title
        numbers = (entry.votes, entry.judgments, entry.completions)
        table.add_row(entry.name, escape(title), *(f"{number:,}" for number in numbers))
    return table


def fit(
    board: Annotated[str, typer.Argument(help="The board's name.")],
    wait: Annotated[bool, typer.Option("--wait", help="Return when the runs have ended.")] = False,
) -> None:
    """Ask for a refit of every source of a board."""
    with opened(Settings()) as wiring:
        for line in rating_runs.ask_for_board(wiring, board, wait=wait):
            print(line)


def replay(
    run: Annotated[int, typer.Argument(metavar="RATING_RUN", help="The number of a rating run.")],
    as_json: Json = False,
) -> None:
    """Compute a published rating run again from its votes and compare every number."""
    with opened(Settings()) as wiring, wiring.sessions.begin() as session:
        found = rating_runs.replay(session, run)
    if as_json:
        print(json.dumps(found.as_document(), allow_nan=False))
    else:
        print(found.sentence())
    raise typer.Exit(0 if found.agrees else 1)
