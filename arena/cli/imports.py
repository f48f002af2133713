"""Files in: `arena import votes`, `arena import completions`, `arena import cells`."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from sqlalchemy.orm import Session

from arena import rating_runs
from arena.cells import CellsReport, import_cells
from arena.formats.cells import FORMATS as CELL_FORMATS
from arena.formats.votes import FORMATS
from arena.importing import ImportFile, ImportReport, Watch, import_completions, import_votes
from arena.settings import Settings
from arena.wiring import Wiring, opened

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", exists=True, dir_okay=False)]
Board = Annotated[str, typer.Option("--board", help="The board it goes to; made if there is none.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Read and report, and store nothing.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Format = Annotated[
    str | None,
    typer.Option("--format", help=f"One of {', '.join(FORMATS)}; told by the columns if absent."),
]
Judge = Annotated[
    str | None, typer.Option("--judge", help="The language model whose verdicts these are.")
]

Results = Annotated[
    list[Path], typer.Argument(metavar="FILE...", exists=True, help="Files, or folders of runs.")
]
CellFormat = Annotated[
    str | None,
    typer.Option(
        "--format", help=f"One of {', '.join(CELL_FORMATS)}; told by the content if absent."
    ),
]

DRY_RUN = " - a dry run: nothing was stored"

imports = typer.Typer(help="Take in votes, answers and cells.", no_args_is_help=True)

# A use case that takes in one file within a session.
TakeIn = Callable[[Session, ImportFile, Path, Watch], ImportReport]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    imports.command()(votes)
    imports.command()(completions)
    imports.command()(cells)
    app.add_typer(imports, name="import")


def votes(
    files: Files,
    board: Board,
    *,
    format_: Format = None,
    judge: Judge = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Take in files of votes: what is there already is skipped, what cannot be read is reported by line."""

    def take_in(session: Session, file: ImportFile, folder: Path, watch: Watch) -> ImportReport:
        return import_votes(session, file, rejections=folder, watch=watch)

    chosen = [ImportFile(path, board, format=format_, judge=judge) for path in files]
    _run(chosen, take_in, dry_run=dry_run, as_json=as_json)


def completions(files: Files, board: Board, dry_run: DryRun = False, as_json: Json = False) -> None:
    """Take in files of answers (prompt, model, text) for people to vote on."""

    def take_in(session: Session, file: ImportFile, folder: Path, watch: Watch) -> ImportReport:
        return import_completions(session, file, rejections=folder, watch=watch)

    _run([ImportFile(path, board) for path in files], take_in, dry_run=dry_run, as_json=as_json)


def cells(
    paths: Results,
    *,
    format_: CellFormat = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Take in results of HELM and lm-eval as cells; models are found by exact name or reviewed alias."""
    with opened(Settings()) as wiring:
        reports = [_take_in_cells(wiring, path, format_, dry_run=dry_run) for path in paths]
    if as_json:
        documents = [report.as_document() for report in reports]
        print(json.dumps({"dry_run": dry_run, "files": documents}, allow_nan=False))
        return
    for report in reports:
        _say_cells(report, dry_run=dry_run)


def _run(files: list[ImportFile], take_in: TakeIn, *, dry_run: bool, as_json: bool) -> None:
    with opened(Settings()) as wiring:
        reports = [_take_in(wiring, file, take_in, dry_run=dry_run) for file in files]
    if as_json:
        print(json.dumps(_document(reports, dry_run=dry_run), allow_nan=False))
        return
    for report in reports:
        _say(report, dry_run=dry_run)


def _take_in(wiring: Wiring, file: ImportFile, take_in: TakeIn, *, dry_run: bool) -> ImportReport:
    """Take in one file in one transaction, undone if it was only to be tried; then wake a worker."""
    folder = wiring.settings.home / "rejections"
    with _progress(file.path) as watch, wiring.sessions() as session, session.begin() as work:
        report = take_in(session, file.within(wiring.settings.import_limit_bytes), folder, watch)
        wanted = [rating_runs.request(session, source) for source in report.sources]
        if dry_run:
            work.rollback()
            return report
    for each in wanted:
        if each is not None:
            rating_runs.ring(wiring, each)
    return report


def _take_in_cells(
    wiring: Wiring, path: Path, format_: str | None, *, dry_run: bool
) -> CellsReport:
    with wiring.sessions() as session, session.begin() as work:
        report = import_cells(session, path, format=format_)
        if dry_run:
            work.rollback()
    return report


@contextmanager
def _progress(path: Path) -> Iterator[Watch]:
    """Show on the terminal how many rows have been read, for as long as it takes."""
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}: {task.completed:,} rows"),
        TimeElapsedColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(escape(path.name), total=None)
        yield lambda rows: bar.update(task, completed=rows)


def _document(reports: list[ImportReport], *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "rows_read": sum(report.counts.read for report in reports),
        "stored": sum(report.counts.stored for report in reports),
        "skipped_duplicates": sum(report.counts.skipped for report in reports),
        "rejected": sum(report.counts.rejected for report in reports),
        "files": [report.as_document() for report in reports],
    }


def _say(report: ImportReport, *, dry_run: bool) -> None:
    counts = report.counts
    made = f"; board {report.board} made" if report.board_made else ""
    print(
        f"{report.file} ({report.format}): {counts.read:,} rows read, {counts.stored:,} stored, "
        f"{counts.skipped:,} there already, {counts.rejected:,} rejected{made}"
        f"{DRY_RUN if dry_run else ''}"
    )
    _say_models(report)
    if report.contradictions:
        print(
            f"  {report.contradictions:,} of those there already say something else; the first stands"
        )
    for reason, n in sorted(counts.reasons.items()):
        print(f"  {n:,} rejected: {reason}")
    for rejection in report.rejections:
        print(f"    line {rejection.line}: {rejection.reason}, found {rejection.found}")
    if report.rejections_file:
        print(f"  all of them: {report.rejections_file}")


def _say_models(report: ImportReport | CellsReport) -> None:
    if report.models_made:
        print(f"  new models: {', '.join(report.models_made)}")
    for one, other in report.names_alike:
        print(
            f"  warning: {one} and {other} are two models; if they are one, see `arena model alias`"
        )


def _say_cells(report: CellsReport, *, dry_run: bool) -> None:
    counts = report.counts
    print(
        f"{report.path} ({report.format}): {report.runs_stored:,} runs with {counts.stored:,} cells stored, "
        f"{report.runs_skipped:,} runs there already{DRY_RUN if dry_run else ''}"
    )
    _say_models(report)
    for reason, n in sorted(counts.reasons.items()):
        print(f"  {n:,} numbers are no cells: {reason}")
