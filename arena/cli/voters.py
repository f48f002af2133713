"""`arena board voters`, `quarantine` and `release`: the voters of a board that somebody should look at."""

import getpass
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from pydantic import TypeAdapter
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena import rating_runs, reviewing
from arena.keys import installation_key
from arena.reviewing import BoardVoters, Decided, VoterView
from arena.settings import Settings
from arena.wiring import opened

Board = Annotated[str, typer.Argument(help="The board's name.")]
Voters = Annotated[
    list[str], typer.Argument(metavar="VOTER...", help="As `arena board voters` lists them.")
]
Reason = Annotated[str, typer.Option(help="What was seen, for whoever looks at it again.")]
Decide = Callable[..., Decided]


def voters(
    board: Board,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the voters of a board who do not vote like people comparing answers, and those decided about."""
    settings = Settings()
    with opened(settings) as wiring, wiring.sessions.begin() as session:
        view = reviewing.examine_board(session, board, key=installation_key(settings))
    if as_json:
        print(TypeAdapter(BoardVoters).dump_json(view).decode())
    else:
        print_voters(view)


def quarantine(board: Board, voter: Voters, *, reason: Reason) -> None:
    """Leave the votes of voters out of the main ratings. Nothing is deleted, and `release` undoes it."""
    _decide(reviewing.quarantine, board, voter, reason=reason, said="in quarantine")


def release(board: Board, voter: Voters, *, reason: Reason) -> None:
    """Rate the votes of voters again, or say of suspected ones that they were looked at."""
    _decide(reviewing.release, board, voter, reason=reason, said="released")


def _decide(decide: Decide, board: str, voter: Sequence[str], *, reason: str, said: str) -> None:
    """Decide about all of them or, if one cannot be decided about, about none; then ask for a refit."""
    settings, actor = Settings(), getpass.getuser()
    key = installation_key(settings)
    with opened(settings) as wiring:
        with wiring.sessions.begin() as session:
            done = [
                decide(session, board, each, actor=actor, reason=reason, key=key) for each in voter
            ]
            wanted = rating_runs.request_people(session, done[0].board_id)
        if wanted is not None:
            rating_runs.ring(wiring, wanted)
    for each in done:
        print(f"voter {each.voter} {said}: {each.votes:,} votes; a refit is asked for")


def print_voters(view: BoardVoters) -> None:
    """Print how many were examined, and a line for each voter to look at."""
    simulated = " (simulated votes)" if view.is_simulated else ""
    print(
        f"{view.board}{simulated}: {view.votes:,} votes of {view.voters:,} voters examined; {len(view.listed):,} to "
        f"look at, {view.quarantined:,} in quarantine. An honest voter is suspected at most {100 * view.level:g} times "
        "in a hundred: a finding is a reason to look, not proof."
    )
    if view.listed:
        Console().print(_table(view.listed))


def _table(listed: Sequence[VoterView]) -> Table:
    columns = ("voter", "standing", "votes", "left/tie/right", "looks like", "p-value", "evidence")
    table = Table(*columns, "among all", box=None)
    for each in listed:
        found = each.evidence
        about = f"{found.conduct}: {found.model}" if found.model else found.conduct
        table.add_row(
            each.voter,
            each.standing,
            f"{found.votes:,}",
            f"{found.left}/{found.ties}/{found.right}",
            escape(about),
            f"{found.p_value:.1e}",
            f"10^{found.evidence:.1f}",
            "stands out" if found.stands_out else "",
        )
    return table
