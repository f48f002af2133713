"""What may be changed of a board that is there: `arena board set`."""

import getpass
from typing import Annotated

import typer

from arena import registry
from arena.settings import Settings
from arena.terms import PolicyKind
from arena.wiring import opened


def set_board(
    board: Annotated[str, typer.Argument(help="The board's name.")],
    pairing: Annotated[PolicyKind, typer.Option(help="How pairs are drawn from now on.")],
    epsilon: Annotated[
        float | None, typer.Option(help="Share of draws that are uniform all the same.")
    ] = None,
    top: Annotated[int | None, typer.Option(help="How many ranks matter to top-k.")] = None,
) -> None:
    """Choose how a board draws its pairs."""
    actor = getpass.getuser()
    with opened(Settings()) as wiring, wiring.sessions.begin() as session:
        policy = registry.choose_policy(
            session, board, pairing, actor=actor, epsilon=epsilon, top=top
        )
    print(f"board {board} draws pairs by policy {policy.in_words()}")
