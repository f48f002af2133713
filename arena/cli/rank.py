"""`arena rank`: files of votes in, a table of ratings out. It needs no service."""

import json
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena.rating_runs.document import as_document
from arena.rating_runs.files import rate_files
from arena.rating_runs.method import MOST_ROUNDS, Method
from arena.rating_runs.table import ModelRating, RatingTable
from arena.terms import BothBad, Interval, RatingStatus, Ties

ABSENT = "-"


def register(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command()(rank)


@dataclass(frozen=True)
class AnchorAt:
    """A model and the points that it is to stand at."""

    model: str
    points: float


def read_anchor(text: str) -> AnchorAt:
    """Read MODEL=POINTS; a name may hold an equals sign, so the last one divides."""
    name, _, points = text.rpartition("=")
    with suppress(ValueError):
        if name and isfinite(float(points)):
            return AnchorAt(name, float(points))
    raise typer.BadParameter(f"found {text!r}; expected MODEL=POINTS, as in gpt-4=1000")


def read_level(text: str) -> float:
    """Read a coverage between 0 and 1."""
    with suppress(ValueError):
        if 0 < float(text) < 1:
            return float(text)
    raise typer.BadParameter(f"found {text!r}; expected a share between 0 and 1, as in 0.95")


Files = Annotated[
    list[Path],
    typer.Argument(metavar="FILE...", help="Files of votes.", exists=True, dir_okay=False),
]
Format = Annotated[
    str | None,
    typer.Option("--format", help="The format of the files; told by their columns if absent."),
]
HowTies = Annotated[Ties, typer.Option("--ties", help="What a tie is worth.")]
HowBothBad = Annotated[
    BothBad, typer.Option("--both-bad", help='Whether "both bad" is a tie or left out.')
]
HowInterval = Annotated[
    Interval,
    typer.Option(
        "--interval", help="Where the interval comes from; auto goes by the fewest results."
    ),
]
Position = Annotated[
    bool, typer.Option("--position", help="Fit what being shown first adds, and take it out.")
]
Rounds = Annotated[
    int, typer.Option("--rounds", min=1, max=MOST_ROUNDS, help="Resamples of the bootstrap.")
]
Level = Annotated[
    float,
    typer.Option("--level", parser=read_level, metavar="SHARE", help="Coverage of the interval."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Of the resamples.")]
Anchor = Annotated[
    AnchorAt | None,
    typer.Option(
        "--anchor",
        parser=read_anchor,
        metavar="MODEL=POINTS",
        help="The model that stands at so many points.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def rank(
    files: Files,
    *,
    file_format: Format = None,
    ties: HowTies = Ties.HALF,
    both_bad: HowBothBad = BothBad.TIE,
    interval: HowInterval = Interval.AUTO,
    rounds: Rounds = 1000,
    level: Level = 0.95,
    seed: Seed = 0,
    anchor: Anchor = None,
    position: Position = False,
    as_json: Json = False,
) -> None:
    """Rate the models by the votes in files, and print the table. No service is needed."""
    anchored = None if anchor is None else (anchor.model, anchor.points)
    method = Method(ties, both_bad, interval, rounds, level, seed, anchored, position)
    with Console(stderr=True).status("Reading and rating"):
        table = rate_files(files, method, named=file_format)
    if as_json:
        print(json.dumps(as_document(table), allow_nan=False))
    else:
        show_table(Console(), table)


def show_table(console: Console, table: RatingTable) -> None:
    """Print the ratings, what to know of them, and what is needed to compute them again."""
    shown = Table()
    for title in ("rank", "model", "rating", "interval", "battles", "W-L-T", "status"):
        shown.add_column(title, no_wrap=title not in {"model", "status"})
    for row in table.models:
        shown.add_row(*cells_of(row))
    console.print(shown)
    for warning in table.warnings:
        console.print(f"- {warning}", highlight=False, markup=False)
    console.print(footer(table), highlight=False, markup=False)


def cells_of(row: ModelRating) -> list[str]:
    """Return the cells of one row; a tie of either kind is a tie here, JSON tells them apart."""
    return [
        _range(row.rank_low, row.rank_high),
        escape(row.model),
        _whole(row.rating),
        _range(row.lower, row.upper),
        str(row.battles),
        f"{row.wins}-{row.losses}-{row.ties + row.both_bad}",
        "" if row.status is RatingStatus.RATED else f"{row.status.replace('_', ' ')}: {row.reason}",
    ]


def footer(table: RatingTable) -> str:
    """Return the method in a line or two."""
    method = table.method
    resamples = (
        f" of {method.rounds} resamples, seed {method.seed}"
        if table.rounds_degenerate is not None
        else ""
    )
    excluded = ", ".join(f"{reason} {n}" for reason, n in table.excluded.items()) or "nothing"
    return (
        f"Bradley-Terry, a tie is half a win, both bad: {method.both_bad}; {method.level:.0%} interval by "
        f"{method.interval}{resamples}. Left out: {excluded}. Votes {table.counts_digest}."
    )


def _whole(number: float | None) -> str:
    return ABSENT if number is None else f"{number:.0f}"


def _range(low: float | None, high: float | None) -> str:
    return ABSENT if low is None and high is None else f"{_whole(low)} to {_whole(high)}"
