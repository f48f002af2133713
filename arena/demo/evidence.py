"""The scored runs of the demo as rows: a run with its whole record, and a cell a metric."""

import hashlib
import json
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from arena.demo.content import Scenario, content_sha256, recorded_name
from arena.demo.scoring import Absence, Marked, ScoredRun
from arena.demo.simulation import LAST_DAY
from arena.evaluation.scoring import SCORES
from arena.store.tables import CellRow, RunRow, ScenarioRow
from arena.terms import Axis, Direction


def add_scenario(session: Session, scenario: Scenario) -> int:
    """Store a scenario unless it is there, and return its id."""
    values = {
        "name": scenario.name,
        "title": scenario.title,
        "language": scenario.language,
        "main_metric": scenario.main_metric,
    }
    session.execute(upsert(ScenarioRow).values(values).on_conflict_do_nothing())
    return session.scalars(select(ScenarioRow.id).filter_by(name=scenario.name)).one()


def add_run(session: Session, run: ScoredRun, *, scenario_id: int, model_id: int) -> None:
    """Store a run and its cells."""
    row = _run(run, scenario_id, model_id)
    session.add(row)
    session.flush()
    session.add_all(_cell(run, metric, row) for metric in run.scenario.metrics)


def _run(run: ScoredRun, scenario_id: int, model_id: int) -> RunRow:
    adaptation = {
        "method": "generation",
        "instructions": run.scenario.instruction,
        "max_train_instances": 0,
        "num_outputs": 1,
    }
    name = recorded_name(run.scenario)
    return RunRow(
        scenario_id=scenario_id,
        model_id=model_id,
        name=f"{run.scenario.name}:model={run.model}",
        adaptation=adaptation,
        adaptation_digest=_digest(adaptation),
        format="demo",
        file_name=name,
        file_sha256=content_sha256(name),
        record={"items": [_item(each) for each in run.marked], "error": run.error},
        ran_at=LAST_DAY,
    )


def _item(marked: Marked) -> dict[str, Any]:
    """Return what it takes to score an answer again."""
    return {
        "id": marked.item.id,
        "question": marked.item.question,
        "references": list(marked.item.references),
        "answer": marked.answer,
        "marks": marked.marks,
    }


def _cell(run: ScoredRun, metric: str, row: RunRow) -> CellRow:
    is_score = metric in SCORES
    first, last = run.lines
    cell = CellRow(
        run_id=row.id,
        scenario_id=row.scenario_id,
        model_id=row.model_id,
        metric=metric,
        axis=Axis.ACCURACY if is_score else Axis.CALIBRATION,
        direction=Direction.HIGHER if is_score else Direction.LOWER,
        unit="share",
        scored_by="rule",
        pointer=f"lines {first} to {last}",
        n_total=run.n_items,
        trials=1,
    )
    _say(cell, run, metric)
    return cell


def _say(cell: CellRow, run: ScoredRun, metric: str) -> None:
    """Write the value with its interval on the cell, or the reason why there is none."""
    said = run.cell(metric)
    if isinstance(said, Absence):
        cell.missing, cell.reason = said.kind, said.reason
        return
    cell.value, cell.lower, cell.upper, cell.n = said.value, said.lower, said.upper, said.n
    cell.interval_method = "wilson"


def _digest(document: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
