"""What may be changed of a board that is there: `arena board set`."""

import getpass
from contextlib import suppress
from typing import Annotated

import typer

from arena import rating_runs, registry
from arena.cli.style_features import KNOWN, Features, read_features_or_none
from arena.errors import NothingToRateError
from arena.rating_runs.board_methods import Anchoring, MethodChange, change_method
from arena.settings import Settings
from arena.terms import BothBad, Cluster, Interval, PolicyKind, Ties
from arena.wiring import Wiring, opened

NO_ANCHOR = "none"


def read_anchoring(text: str) -> Anchoring:
    """Read MODEL=POINTS, or "none"; a name may hold an equals sign, so the last one divides."""
    if text == NO_ANCHOR:
        return Anchoring(None)
    name, _, points = text.rpartition("=")
    with suppress(ValueError):
        if name:
            return Anchoring(name, float(points))
    raise typer.BadParameter(f"found {text!r}; expected MODEL=POINTS, as in gpt-4=1000, or none")


Pairing = Annotated[PolicyKind | None, typer.Option(help="How pairs are drawn from now on.")]
Epsilon = Annotated[
    float | None, typer.Option(help="Share of draws that are uniform all the same.")
]
Top = Annotated[int | None, typer.Option(help="How many ranks matter to top-k.")]
HowTies = Annotated[Ties | None, typer.Option("--ties", help="What a tie is worth.")]
HowBothBad = Annotated[
    BothBad | None, typer.Option("--both-bad", help='Whether "both bad" is a tie or left out.')
]
HowInterval = Annotated[
    Interval | None, typer.Option("--interval", help="Where intervals come from.")
]
Rounds = Annotated[int | None, typer.Option(help="Resamples of the bootstrap.")]
Level = Annotated[float | None, typer.Option(metavar="SHARE", help="Coverage of the intervals.")]
Seed = Annotated[int | None, typer.Option(help="Of the resamples.")]
Position = Annotated[
    bool | None,
    typer.Option("--position/--no-position", help="Take out what being shown first adds, or not."),
]
HowCluster = Annotated[
    Cluster | None,
    typer.Option("--cluster", help="Which votes may go together; intervals then allow for it."),
]
Anchor = Annotated[
    Anchoring | None,
    typer.Option(
        "--anchor",
        parser=read_anchoring,
        metavar="MODEL=POINTS|none",
        help="The model that stands at so many points; none puts the mean of the rated at 1000.",
    ),
]
HowStyle = Annotated[
    Features | None,
    typer.Option(
        "--style",
        parser=read_features_or_none,
        metavar="FEATURES|none",
        help=f"Take the effect of these out of the ratings: some of {KNOWN}.",
    ),
]


def set_board(
    board: Annotated[str, typer.Argument(help="The board's name.")],
    *,
    pairing: Pairing = None,
    epsilon: Epsilon = None,
    top: Top = None,
    ties: HowTies = None,
    both_bad: HowBothBad = None,
    interval: HowInterval = None,
    rounds: Rounds = None,
    level: Level = None,
    seed: Seed = None,
    position: Position = None,
    cluster: HowCluster = None,
    anchor: Anchor = None,
    style: HowStyle = None,
) -> None:
    """Choose how a board draws its pairs, and how it is rated; a new method asks for a refit of every source."""
    change = MethodChange(
        ties,
        both_bad,
        interval,
        rounds,
        level,
        seed,
        position,
        cluster,
        anchor,
        None if style is None else style.names,
    )
    if pairing is None and (epsilon is not None or top is not None):
        raise typer.BadParameter("--epsilon and --top are of a policy; give --pairing too.")
    if pairing is None and change.is_empty:
        raise typer.BadParameter(
            f"nothing to set. Give one option at least: `arena board set {board} --help` lists them."
        )
    actor = getpass.getuser()
    with opened(Settings()) as wiring:
        with wiring.sessions.begin() as session:
            if pairing is not None:
                policy = registry.choose_policy(
                    session, board, pairing, actor=actor, epsilon=epsilon, top=top
                )
                print(f"board {board} draws pairs by policy {policy.in_words()}")
            if not change.is_empty:
                change_method(session, board, change, actor=actor)
        if not change.is_empty:
            print(f"board {board} is rated by the new method from its next run on")
            _ask_refits(wiring, board)


def _ask_refits(wiring: Wiring, board: str) -> None:
    """Ask for a refit of every source; a board without any is rated when the first vote is settled."""
    try:
        for line in rating_runs.ask_for_board(wiring, board, wait=False):
            print(line)
    except NothingToRateError:
        print("no settled preference yet, so there is nothing to refit")
