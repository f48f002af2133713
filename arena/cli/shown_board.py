"""`arena board show`: a board as its page has it, in a terminal."""

from collections.abc import Iterator
from typing import Annotated

import typer
from pydantic import TypeAdapter
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from arena import leaderboard
from arena.leaderboard import Asked, BoardSettings, BoardView, Standing
from arena.settings import Settings
from arena.wiring import opened

SOURCE_HELP = "`people`, or a judge by name; as a rule people, if any voted."

LEAST_NAME = 20


def show(
    board: Annotated[str, typer.Argument(help="The board's name.")],
    source: Annotated[str | None, typer.Option(help=SOURCE_HELP)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Print a board as its page has it."""
    with opened(Settings()) as wiring, wiring.sessions.begin() as session:
        view = leaderboard.read_board(session, board, Asked(source=source))
    if as_json:
        print(TypeAdapter(BoardView).dump_json(view).decode())
    else:
        print_board(view)


def print_board(view: BoardView) -> None:
    """Print the finding, the table, and what has no rating."""
    simulated = " (simulated votes)" if view.board.is_simulated else ""
    print(f"{view.board.title}{simulated}: {view.finding.headline}")
    if view.run is not None:
        print(
            f"{view.run.preferences:,} preferences of {view.source}, {view.run.waiting:,} newer waiting; "
            f"rating run {view.run.id}, {view.run.published_at:%Y-%m-%d %H:%M} UTC"
        )
        Console().print(table_of(view))
    print(f"Rated from the next run on by: {'; '.join(settings_in_words(view.settings))}")
    for model in view.unrated:
        print(f"- {model.model}: {model.reason}")
    if view.cells:
        print(
            f"Cells of {len(view.cells)} columns stand beside: see --json, or the page of the board."
        )


def settings_in_words(settings: BoardSettings) -> Iterator[str]:
    """Yield the settings as `arena board set` takes them."""
    yield f"ties {settings.ties}"
    yield f"both bad {settings.both_bad}"
    yield f"interval {settings.interval}, {settings.rounds:,} rounds, level {settings.level:g}, seed {settings.seed}"
    yield "position taken out" if settings.position else "position averaged out"
    yield f"cluster {settings.cluster}"
    anchor = settings.anchor
    yield "no anchor" if anchor is None else f"anchor {anchor.model}={anchor.points:g}"
    if settings.style:
        yield f"style {', '.join(settings.style)}"


def table_of(view: BoardView) -> Table:
    """Return the rated models with their ranges and intervals."""
    name = Column("model", overflow="fold", min_width=LEAST_NAME)
    heads = ("rating", "interval", "battles", "won", "lost", "tied")
    table = Table("rank set" if view.has_sets else "rank", name, *heads, box=None)
    for model in view.rated:
        table.add_row(*line_of(model))
    return table


def line_of(model: Standing) -> Iterator[str]:
    """Yield what the table says of a rated model."""
    low, high = model.claimed
    yield f"{low}" if low == high else f"{low}-{high}"
    yield escape(model.model)
    yield f"{model.rating:.0f}"
    has_interval = model.lower is not None and model.upper is not None
    yield f"{model.lower:.0f}-{model.upper:.0f}" if has_interval else "none"
    ties = (model.ties or 0) + (model.both_bad or 0)
    yield from (f"{n:,}" for n in (model.battles, model.wins or 0, model.losses or 0, ties))
