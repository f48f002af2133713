"""`arena rank`: files of votes in, a table of ratings out. It needs no service."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena.clock import now
from arena.hygiene import RefusedError, read_instant
from arena.rating_runs.contrasts import find_contrast
from arena.rating_runs.document import as_document
from arena.rating_runs.files import rate_files
from arena.rating_runs.findings import Estimate
from arena.rating_runs.method import MOST_ROUNDS, Method
from arena.rating_runs.selecting import Selection
from arena.rating_runs.table import ModelRating, RatingTable
from arena.terms import BothBad, Cluster, Interval, RatingStatus, Ties

ABSENT = "-"
COLUMNS = ("rank", "all at once", "model", "rating", "interval", "battles", "W-L-T", "status")
MODEL_WIDTH = 16
# A slope over it is not worth a sentence.
NOTABLE_SLOPE = 0.95


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


def read_time(text: str) -> datetime:
    """Read a time; one without a zone is in UTC."""
    try:
        return read_instant(text, now=now()).at
    except RefusedError as error:
        raise typer.BadParameter(f"found {text!r}; expected {error.expected}") from error


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
HowCluster = Annotated[
    Cluster,
    typer.Option("--cluster", help="Which votes may go together; intervals then allow for it."),
]
Contrasts = Annotated[
    list[str] | None,
    typer.Option("--contrast", metavar="MODEL,OTHER", help="Print a difference; may come again."),
]
Category = Annotated[
    str | None,
    typer.Option("--category", metavar="NAME", help="Only votes of this category, or language."),
]
Since = Annotated[
    datetime | None,
    typer.Option("--since", parser=read_time, metavar="TIME", help="Only votes from then on."),
]
Until = Annotated[
    datetime | None,
    typer.Option("--until", parser=read_time, metavar="TIME", help="Only votes before then."),
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
    cluster: HowCluster = Cluster.NONE,
    contrast: Contrasts = None,
    category: Category = None,
    since: Since = None,
    until: Until = None,
    as_json: Json = False,
) -> None:
    """Rate the models by the votes in files, and print the table. No service is needed."""
    anchored = None if anchor is None else (anchor.model, anchor.points)
    method = Method(ties, both_bad, interval, rounds, level, seed, anchored, position, cluster)
    with Console(stderr=True).status("Reading and rating"):
        selection = Selection(since, until, category)
        table = rate_files(files, method, named=file_format, selection=selection)
        contrasts = [find_contrast(table, pair) for pair in contrast or ()]
    if as_json:
        print(json.dumps(as_document(table, contrasts), allow_nan=False))
    else:
        show_table(Console(), table)
        for each in contrasts:
            print(
                f"{each.model} - {each.other}: {each.estimate:+.1f} ({each.lower:+.1f} to {each.upper:+.1f})"
            )


def show_table(console: Console, table: RatingTable) -> None:
    """Print the ratings, what to know of them, and what is needed to compute them again."""
    has_status = any(row.status is not RatingStatus.RATED for row in table.models)
    titles = COLUMNS if has_status else COLUMNS[:-1]
    shown = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for title in titles:
        width = MODEL_WIDTH if title == "model" else None
        shown.add_column(title, no_wrap=title not in {"model", "status"}, min_width=width)
    for row in table.models:
        shown.add_row(*cells_of(row)[: len(titles)])
    console.print(shown)
    for warning in table.warnings:
        console.print(f"- {warning}", highlight=False, markup=False)
    console.print(footer(table), highlight=False, markup=False)


def cells_of(row: ModelRating) -> list[str]:
    """Return the cells of one row; a tie of either kind is a tie here, JSON tells them apart."""
    return [
        _range(row.rank_low, row.rank_high),
        _range(row.rank_set_low, row.rank_set_high),
        escape(row.model),
        _whole(row.rating),
        _range(row.lower, row.upper),
        str(row.battles),
        f"{row.wins}-{row.losses}-{row.ties + row.both_bad}",
        "" if row.status is RatingStatus.RATED else f"{row.status.replace('_', ' ')}: {row.reason}",
    ]


def footer(table: RatingTable) -> str:
    """Return the method and what was found beside the ratings, a sentence each."""
    excluded = ", ".join(f"{reason} {n}" for reason, n in table.excluded.items()) or "nothing"
    sentences = [*_of_ties(table), *_of_position(table), *_of_interval(table)]
    return f"{' '.join(sentences)} Left out: {excluded}. Votes {table.counts_digest}."


def _of_ties(table: RatingTable) -> Iterator[str]:
    """Yield what a tie is here."""
    method, found = table.method, table.findings
    if found.tie_parameter is None:
        yield f"Bradley-Terry, a tie is half a win, both bad: {method.both_bad}."
    else:
        yield f"Ties by {method.ties}, parameter {_estimate(found.tie_parameter, 3)}, both bad: {method.both_bad}."
    if found.half_tie_slope is not None and found.half_tie_slope < NOTABLE_SLOPE:
        yield f"Half ties shrink this scale to {found.half_tie_slope:.0%} of what Davidson's model gives."


def _of_position(table: RatingTable) -> Iterator[str]:
    """Yield what being shown first adds, if that is known."""
    found = table.findings
    if found.position is not None:
        taken = "taken out" if found.position_applied else "not taken out"
        yield f"Being shown first adds {_estimate(found.position, 1)} points, {taken}."


def _of_interval(table: RatingTable) -> Iterator[str]:
    """Yield where the intervals come from."""
    method, found = table.method, table.findings
    if found.interval is None:
        return
    resamples = f" of {method.rounds} resamples, seed {method.seed}"
    drawn = resamples if table.rounds_degenerate is not None else ""
    counted = " x ".join(str(number) for number in found.clusters)
    together = f", votes of {counted} {method.cluster} together" if found.clusters else ""
    rule = f": {found.interval_rule}" if found.interval_rule else ""
    yield f"{method.level:.0%} interval by {found.interval}{drawn}{together}{rule}."


def _estimate(found: Estimate, digits: int) -> str:
    return f"{found.estimate:.{digits}f} ({found.lower:.{digits}f} to {found.upper:.{digits}f})"


def _whole(number: float | None) -> str:
    return ABSENT if number is None else f"{number:.0f}"


def _range(low: float | None, high: float | None) -> str:
    return ABSENT if low is None and high is None else f"{_whole(low)} to {_whole(high)}"
