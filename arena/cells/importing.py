"""Results in: each run of each file once, with its cells, and what of the file is no cell."""

import hashlib
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from sqlalchemy.orm import Session

from arena.errors import FormatError
from arena.formats.cells import read_runs
from arena.formats.documents import digest_of
from arena.formats.rejection import Rejection
from arena.formats.run_records import CellRecord, RunRecord
from arena.hygiene import clean_text, shorten
from arena.store import cells as rows
from arena.store.imports import (
    Origin,
    RowCounts,
    add_models,
    begin_batch,
    end_batch,
    lock_imports,
    names_alike,
    read_aliases,
)
from arena.store.registry import find_model

SHOWN = 20
LONGEST = {"scenario": 500, "run": 1000}
LONGEST_OF_CELL = {"metric": 300, "split": 200, "sub_split": 200, "perturbation": 1000}
INT32, INT64 = 2**31 - 1, 2**63 - 1


@dataclass(frozen=True)
class CellsReport:
    """The account of one import: cells stored, cells there already, and numbers that are no cells, by reason."""

    path: str
    format: str
    batch_id: int
    runs_stored: int
    runs_skipped: int
    counts: RowCounts
    models_made: tuple[str, ...]
    names_alike: tuple[tuple[str, str], ...]
    left_out: tuple[Rejection, ...]

    def as_document(self) -> dict[str, object]:
        """Return what `--json` prints."""
        return {
            "file": self.path,
            "format": self.format,
            "batch": self.batch_id,
            "runs_stored": self.runs_stored,
            "runs_skipped": self.runs_skipped,
            "rows_read": self.counts.read,
            "stored": self.counts.stored,
            "skipped_duplicates": self.counts.skipped,
            "rejected": self.counts.rejected,
            "reasons": dict(self.counts.reasons),
            "rejections": [each.as_document() for each in self.left_out],
            "models_made": list(self.models_made),
            "names_alike": [list(pair) for pair in self.names_alike],
        }


def import_cells(session: Session, path: Path, *, format: str | None = None) -> CellsReport:  # noqa: A002 - the word of the command line
    """Take in the runs of a file or folder of results; a run that is there already is skipped.

    A model is found by its exact name or a reviewed alias; any other name is a new model. Two files that
    disagree are two runs, and both are kept.

    Raises
    ------
    FormatError
        If the file or folder is of no known tool, not what that tool writes, or a name in it cannot be kept.
    """
    runs = list(read_runs(path, format=format))
    for run in runs:
        _check_name(path, "scenario", run.scenario.name)
        _check_name(path, "run", run.name)
    origin = Origin(
        "cells",
        clean_text(path.name),
        _digest(runs),
        "+".join(sorted({run.format for run in runs})),
    )
    batch_id = begin_batch(session, origin, board_id=None)
    lock_imports(session)
    taken = _Taken(session, batch_id, read_aliases(session))
    for run in runs:
        taken.add(run)
    counts = RowCounts(
        read=taken.stored + taken.skipped + taken.reasons.total(),
        stored=taken.stored,
        skipped=taken.skipped,
        rejected=taken.reasons.total(),
        reasons=taken.reasons,
    )
    end_batch(session, batch_id, counts)
    return CellsReport(
        path=str(path),
        format=origin.format,
        batch_id=batch_id,
        runs_stored=taken.runs,
        runs_skipped=len(runs) - taken.runs,
        counts=counts,
        models_made=tuple(taken.models_made),
        names_alike=tuple(names_alike(session, taken.models_made)),
        left_out=tuple(taken.left_out[:SHOWN]),
    )


def _check_name(path: Path, what: str, name: str) -> None:
    longest = LONGEST[what]
    if not 1 <= len(name) <= longest:
        raise FormatError(
            f"{path}: the name of a {what} has {len(name)} characters, {shorten(name)}; expected 1 to {longest}. "
            "Take that one out of what is imported."
        )


def _digest(runs: list[RunRecord]) -> str:
    return hashlib.sha256("".join(run.file_sha256 for run in runs).encode()).hexdigest()


@dataclass
class _Taken:
    """What has been stored so far of one import."""

    session: Session
    batch_id: int
    aliases: dict[str, str]
    runs: int = 0
    stored: int = 0
    skipped: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    models_made: list[str] = field(default_factory=list)
    left_out: list[Rejection] = field(default_factory=list)

    def add(self, run: RunRecord) -> None:
        """Store a run with its cells, unless it is there."""
        fitting = [cell for cell in run.cells if _fits(cell)]
        unfit = [
            Rejection(0, "does_not_fit", cell.pointer) for cell in run.cells if not _fits(cell)
        ]
        for rejection in (*run.left_out, *unfit):
            self.reasons[rejection.reason] += 1
            self.left_out.append(rejection)
        scenario_id = self._scenario(run)
        model_id = self._model(run.model)
        run_id = rows.add_run(self.session, self._values(run, scenario_id, model_id))
        if run_id is None:
            self.skipped += len(fitting)
            return
        self.runs += 1
        self.stored += len(fitting)
        keys = {"run_id": run_id, "scenario_id": scenario_id, "model_id": model_id}
        if fitting:
            rows.add_cells(self.session, [asdict(cell) | keys for cell in fitting])

    def _scenario(self, run: RunRecord) -> int:
        values = asdict(run.scenario)
        return rows.ensure_scenario(self.session, values.pop("name"), values)

    def _model(self, name: str) -> int:
        name = self.aliases.get(name, name)
        self.models_made += add_models(self.session, [name])
        model = find_model(self.session, name)
        assert model is not None
        return model.id

    def _values(self, run: RunRecord, scenario_id: int, model_id: int) -> dict[str, object]:
        return {
            "scenario_id": scenario_id,
            "model_id": model_id,
            "name": run.name,
            "adaptation": run.adaptation,
            "adaptation_digest": digest_of(run.adaptation),
            "format": run.format,
            "tool_version": run.tool_version,
            "file_name": clean_text(run.file_name),
            "file_sha256": run.file_sha256,
            "record": run.record,
            "ran_at": run.ran_at,
            "import_batch_id": self.batch_id,
        }


def _fits(cell: CellRecord) -> bool:
    """Whether names are short enough for an index, and counts for their columns."""
    names = all(
        len(getattr(cell, name) or "") <= longest for name, longest in LONGEST_OF_CELL.items()
    )
    counts = max(cell.n or 0, cell.n_total or 0) <= INT64 and (cell.trials or 0) <= INT32
    return names and counts
