"""Queries that store runs and their cells, each run of a file once."""

from collections.abc import Iterable

from sqlalchemy import insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from arena.store.tables import CellRow, RunRow, ScenarioRow
from arena.store.tables.base import Json


def ensure_scenario(session: Session, name: str, values: Json) -> int:
    """Return the id of a scenario, made with these values if there is none of its name."""
    statement = upsert(ScenarioRow).values(name=name, **values)
    session.execute(statement.on_conflict_do_nothing(index_elements=["name"]))
    return session.scalars(select(ScenarioRow.id).where(ScenarioRow.name == name)).one()


def add_run(session: Session, values: Json) -> int | None:
    """Store a run and return its id, or None if the same run of the same file is there."""
    statement = upsert(RunRow).values(values).on_conflict_do_nothing().returning(RunRow.id)
    return session.scalar(statement)


def add_cells(session: Session, rows: Iterable[Json]) -> None:
    """Store the cells of a run."""
    session.execute(insert(CellRow), list(rows))
