"""`arena board voters`, `quarantine` and `release`: the voters of a board that somebody should look at."""

import getpass
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from pydantic import TypeAdapter

from arena import rating_runs, reviewing
from arena.keys import installation_key
from arena.reviewing import BoardVoters, Decided, Signed, VoterView
from arena.settings import Settings
from arena.wiring import opened

Board = Annotated[str, typer.Argument(help="The board's name.")]
Voters = Annotated[
    list[str], typer.Argument(metavar="VOTER...", help="As `arena board voters` lists them.")
]
Reason = Annotated[str, typer.Option(help="What was seen, for whoever looks at it again.")]
Decide = Callable[..., list[Decided]]


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
    settings, signed = Settings(), Signed(getpass.getuser(), reason)
    key = installation_key(settings)
    with opened(settings) as wiring:
        with wiring.sessions.begin() as session:
            done = decide(session, board, voter, signed=signed, key=key)
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
    for each in view.listed:
        print(f"- {line_of(each)}")


def line_of(view: VoterView) -> str:
    """Return what is found of a voter, and what somebody said of it, in one line."""
    found = view.evidence
    about = f"{found.conduct} ({found.model})" if found.model else found.conduct
    numbers = (
        f"{found.votes:,} votes, {found.left:,} left, {found.ties:,} ties, {found.right:,} right; "
        f"p-value {found.p_value:.1e} ({found.test}), evidence 10^{found.evidence:.1f}"
    )
    among = ", stands out among all" if found.stands_out else ""
    said = "" if view.reason is None else f". {view.decided_by} said: {view.reason}"
    return f"{view.voter} {view.standing}: {about}; {numbers}{among}{said}"
