"""Queries of static evidence for pages: the cells of some models, and one run with its record."""

from collections.abc import Collection, Sequence

from sqlalchemy import Row, select
from sqlalchemy.orm import Session, load_only

from arena.errors import UnknownRunError
from arena.store.tables import CellRow, CompletionRow, ModelRow, RunRow, ScenarioRow

SHOWN_OF_CELL = (
    CellRow.run_id,
    CellRow.model_id,
    CellRow.metric,
    CellRow.axis,
    CellRow.split,
    CellRow.sub_split,
    CellRow.perturbation,
    CellRow.value,
    CellRow.lower,
    CellRow.upper,
    CellRow.n,
    CellRow.direction,
    CellRow.unit,
    CellRow.missing,
    CellRow.reason,
)


def cells_of(session: Session, model_ids: Collection[int]) -> Sequence[Row[CellRow, ScenarioRow]]:
    """Return every cell of these models with its scenario, newest run first."""
    return session.execute(
        select(CellRow, ScenarioRow)
        .join(ScenarioRow, ScenarioRow.id == CellRow.scenario_id)
        .where(CellRow.model_id.in_(model_ids))
        .order_by(ScenarioRow.title, ScenarioRow.name, CellRow.run_id.desc(), CellRow.id)
        .options(load_only(*SHOWN_OF_CELL))
    ).all()


def find_run(session: Session, run_id: int) -> tuple[RunRow, ScenarioRow, ModelRow]:
    """Return a run with its scenario and its model."""
    row = session.execute(
        select(RunRow, ScenarioRow, ModelRow)
        .join(ScenarioRow, ScenarioRow.id == RunRow.scenario_id)
        .join(ModelRow, ModelRow.id == RunRow.model_id)
        .where(RunRow.id == run_id)
    ).one_or_none()
    if row is None:
        raise UnknownRunError(f"There is no run {run_id}.", run=run_id)
    return row[0], row[1], row[2]


def cells_of_run(session: Session, run_id: int) -> Sequence[CellRow]:
    """Return the cells that a run gave, in the order of its record."""
    return session.scalars(
        select(CellRow).where(CellRow.run_id == run_id).order_by(CellRow.id)
    ).all()


def texts_in_pool(session: Session, model_id: int, texts: Collection[str]) -> set[str]:
    """Return which of these texts of a model can still be drawn for a battle."""
    return set(
        session.scalars(
            select(CompletionRow.text).where(
                CompletionRow.model_id == model_id,
                CompletionRow.in_pool,
                CompletionRow.text.in_(texts),
            )
        )
    )
