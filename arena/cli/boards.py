"""Boards and their rating runs: `arena board`, `arena fit`, `arena replay`."""

import json
from typing import Annotated

import typer
from rich.console import Console

from arena import rating_runs
from arena.settings import Settings
from arena.wiring import opened

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(fit)
    app.command()(replay)


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
        Console().print(found.sentence())
    raise typer.Exit(0 if found.agrees else 1)
