"""Boards with published runs, made the way the product makes them."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena import rating_runs
from arena.clock import now
from arena.keys import new_public_id
from arena.store.boards import find_board, find_source
from arena.store.tables import (
    Base,
    CellRow,
    ModelRow,
    RatingRow,
    RatingRunRow,
    RatingViewRow,
    RunRow,
    ScenarioRow,
)
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


def publish_as(wiring: Wiring, run_id: int, **columns: object) -> int:
    """Publish a run once more with other columns, as an older or a newer code would have; return its number."""
    with wiring.sessions.begin() as session:
        run = session.get_one(RatingRunRow, run_id)
        kept = columns_of(run) | {"published_at": now()} | columns
        copy = RatingRunRow(**{name: value for name, value in kept.items() if name != "id"})
        session.add(copy)
        session.flush()
        for kind in (RatingRow, RatingViewRow):
            for row in session.scalars(select(kind).where(kind.rating_run_id == run_id)):
                session.add(kind(**columns_of(row) | {"rating_run_id": copy.id}))
        return copy.id


def columns_of(row: Base) -> dict[str, object]:
    return {column.key: getattr(row, column.key) for column in row.__table__.columns}


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
