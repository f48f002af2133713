"""`arena rank`: files of votes in, a table of ratings out. It needs no service."""

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from arena.cli.rank_table import show_table
from arena.cli.style_features import KNOWN, Features, read_features
from arena.clock import now
from arena.hygiene import RefusedError, read_instant
from arena.rating_runs.contrasts import find_contrast
from arena.rating_runs.document import as_document
from arena.rating_runs.files import rate_files
from arena.rating_runs.method import MOST_ROUNDS, Method
from arena.rating_runs.selecting import Selection
from arena.terms import BothBad, Cluster, Interval, Ties


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
HowStyle = Annotated[
    Features | None,
    typer.Option(
        "--style",
        parser=read_features,
        metavar="FEATURES",
        help=f"Hold the style of answers apart: some of {KNOWN}.",
    ),
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
    style: HowStyle = None,
    contrast: Contrasts = None,
    category: Category = None,
    since: Since = None,
    until: Until = None,
    as_json: Json = False,
) -> None:
    """Rate the models by the votes in files, and print the table. No service is needed."""
    anchored = None if anchor is None else (anchor.model, anchor.points)
    method = Method(
        ties,
        both_bad,
        interval,
        rounds,
        level,
        seed,
        anchored,
        position,
        cluster,
        (style or Features()).names,
    )
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
