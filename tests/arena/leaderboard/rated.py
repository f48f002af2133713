"""Boards with published runs, made the way the product makes them."""

from sqlalchemy.orm import Session

from arena import rating_runs
from arena.keys import new_public_id
from arena.store.boards import find_board, find_source
from arena.store.tables import CellRow, ModelRow, RunRow, ScenarioRow
from arena.wiring import Wiring

PLAIN = {
    "metric": "exact_match",
    "axis": "accuracy",
    "split": "test",
    "direction": "higher",
    "unit": "share",
    "scored_by": "rule",
    "pointer": "line 1",
}


def publish(wiring: Wiring, board: str, source: str = "people") -> None:
    """Count what is settled on a board and publish a run of a source."""
    rating_runs.sweep(wiring)
    with wiring.sessions.begin() as session:
        found = find_source(session, find_board(session, board), source)
        rating_runs.request(session, found)
    rating_runs.refit(wiring, found)


def add_scenario(session: Session, name: str, **fields: object) -> ScenarioRow:
    scenario = ScenarioRow(name=name, title=name.title(), **fields)
    session.add(scenario)
    session.flush()
    return scenario


def add_run(
    session: Session,
    scenario: ScenarioRow,
    model: ModelRow,
    *cells: dict[str, object],
    **fields: object,
) -> RunRow:
    """A run with its cells, each with what a test says and the rest plain."""
    run = RunRow(
        **{
            "scenario_id": scenario.id,
            "model_id": model.id,
            "name": new_public_id(),
            "adaptation": {"num_outputs": 1},
            "adaptation_digest": "a",
            "format": "test",
            "file_name": "scores.json",
            "file_sha256": "f" * 64,
            "record": {},
        }
        | fields
    )
    session.add(run)
    session.flush()
    keys = {"run_id": run.id, "scenario_id": scenario.id, "model_id": model.id}
    session.add_all(CellRow(**PLAIN | keys | cell) for cell in cells)
    session.flush()
    return run
