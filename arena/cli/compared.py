"""`arena board compare`: two models of a board, and whether more votes are needed to tell them apart."""

from typing import Annotated

import typer
from pydantic import TypeAdapter

from arena import leaderboard
from arena.leaderboard import AskedComparison, ComparisonView
from arena.settings import Settings
from arena.wiring import opened

MARGIN_HELP = "Differences up to so many points do not matter; 0 for none."
LEVEL_HELP = "Of both intervals, as in 0.95; as a rule that of the rating run."


def compare(
    board: Annotated[str, typer.Argument(help="The board's name.")],
    model: Annotated[str, typer.Argument(metavar="A", help="A model.")],
    other: Annotated[str, typer.Argument(metavar="B", help="The model that A is held against.")],
    *,
    margin: Annotated[float, typer.Option(metavar="POINTS", help=MARGIN_HELP)] = 0.0,
    level: Annotated[float | None, typer.Option(help=LEVEL_HELP)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say how far A stands above B, how sure that is, and what it still takes."""
    asked = AskedComparison(model, other, margin=margin, level=level)
    with opened(Settings()) as wiring, wiring.sessions.begin() as session:
        view = leaderboard.read_comparison(session, board, asked)
    if as_json:
        print(TypeAdapter(ComparisonView).dump_json(view).decode())
    else:
        print_comparison(view)


def print_comparison(view: ComparisonView) -> None:
    """Print what each source says, or why it says nothing."""
    simulated = " (simulated votes)" if view.board.is_simulated else ""
    print(f"{view.board.title}{simulated}")
    for source in view.sources:
        run = "" if source.run is None else f", rating run {source.run}"
        print(f"- {source.source} ({source.preferences:,} preferences{run}): {source.finding}")
