"""A table of ratings in a terminal, and in a few sentences how it was made."""

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena.rating_runs.drawn import DRAWN
from arena.rating_runs.findings import Estimate
from arena.rating_runs.readings import WITHOUT_STYLE
from arena.rating_runs.table import ModelRating, RatingTable
from arena.terms import RatingStatus

ABSENT = "-"
PLAIN, BORROWED, RECORD = "plain", "drawn", "W-L-T"
MODEL_WIDTH = 16
# A slope over it is not worth a sentence.
NOTABLE_SLOPE = 0.95


def show_table(console: Console, table: RatingTable) -> None:
    """Print the ratings, what to know of them, and what is needed to compute them again."""
    shown = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    titles = titles_of(table)
    for title in titles:
        width = MODEL_WIDTH if title == "model" else None
        shown.add_column(title, no_wrap=title != "model", min_width=width)
    plain, drawn = (
        {row.model: row.rating for row in table.readings.get(reading, ())}
        for reading in (WITHOUT_STYLE, DRAWN)
    )
    for row in table.models:
        beside = {PLAIN: whole(plain.get(row.model)), BORROWED: whole(drawn.get(row.model))}
        cells = cells_of(row) | beside
        shown.add_row(*(cells[title] for title in titles))
    console.print(shown)
    for row in table.models:
        if row.status is not RatingStatus.RATED:
            status = row.status.replace("_", " ")
            console.print(f"- {row.model}: {status}: {row.reason}", highlight=False, markup=False)
    for warning in table.warnings:
        console.print(f"- {warning}", highlight=False, markup=False)
    console.print(footer(table), highlight=False, markup=False)


def titles_of(table: RatingTable) -> list[str]:
    """Return the columns; another reading's rating stands in the place of the record."""
    record = PLAIN if WITHOUT_STYLE in table.readings else RECORD
    record = BORROWED if DRAWN in table.readings else record
    return ["rank", "all at once", "model", "rating", "interval", "battles", record]


def cells_of(row: ModelRating) -> dict[str, str]:
    """Return the cells of one row; a tie of either kind is a tie here, JSON tells them apart."""
    return {
        "rank": _range(row.rank_low, row.rank_high),
        "all at once": _range(row.rank_set_low, row.rank_set_high),
        "model": escape(row.model),
        "rating": whole(row.rating),
        "interval": _range(row.lower, row.upper),
        "battles": str(row.battles),
        RECORD: f"{row.wins}-{row.losses}-{row.ties + row.both_bad}",
    }


def footer(table: RatingTable) -> str:
    """Return the method and what was found beside the ratings, a sentence each."""
    excluded = ", ".join(f"{reason} {n}" for reason, n in table.excluded.items()) or "nothing"
    sentences = [
        *_of_ties(table),
        *_of_position(table),
        *_of_style(table),
        *_of_interval(table),
    ]
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


def _of_style(table: RatingTable) -> Iterator[str]:
    """Yield what one typical difference of each feature adds, if style is held apart."""
    if table.findings.style is not None:
        effects = (f"{name} {_estimate(each, 1)}" for name, each in table.findings.style.items())
        yield f"Style, taken out, in points for a typical difference: {', '.join(effects)}. Plain: with style."


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
    if DRAWN in table.readings:
        yield "Drawn: towards all other votes, as far as these ask for it."
    yield f"{method.level:.0%} interval by {found.interval}{drawn}{together}{rule}."


def _estimate(found: Estimate, digits: int) -> str:
    return f"{found.estimate:.{digits}f} ({found.lower:.{digits}f} to {found.upper:.{digits}f})"


def whole(number: float | None) -> str:
    """Return a number without decimals, or that there is none."""
    return ABSENT if number is None else f"{number:.0f}"


def _range(low: float | None, high: float | None) -> str:
    return ABSENT if low is None and high is None else f"{whole(low)} to {whole(high)}"
