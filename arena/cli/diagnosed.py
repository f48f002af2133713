"""`arena board diagnose`: what speaks against the ratings of a board."""

import json
from dataclasses import asdict
from functools import partial
from typing import Annotated

import typer

from arena.keys import installation_key
from arena.rating_runs.diagnosing import diagnose as diagnose_board
from arena.reviewing.short_names import short_name
from arena.settings import Settings
from arena.wiring import opened


def diagnose(
    board: Annotated[str, typer.Argument(help="The board's name.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what speaks against the ratings: pairs, circles, thin leads, single voters, changes over time."""
    settings = Settings()
    shorten = partial(short_name, installation_key(settings))
    with opened(settings) as wiring, wiring.sessions.begin() as session:
        found = diagnose_board(session, board, shorten=shorten)
    if as_json:
        document = {"board": board, "sources": [asdict(each) for each in found]}
        print(json.dumps(document, allow_nan=False))
        return
    for each in found:
        first, *rest = each.sentences()
        print(first)
        for sentence in rest:
            print(f"- {sentence}")
