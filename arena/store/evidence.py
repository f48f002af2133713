"""Queries of static evidence for pages: which columns there are, their cells, and one run with its record."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select, tuple_
from sqlalchemy.orm import Session

from arena.errors import UnknownRunError
from arena.store.tables import CellRow, CompletionRow, ModelRow, RunRow, ScenarioRow


@dataclass(frozen=True)
class ColumnKey:
    """What two cells must share to stand in one column."""

    scenario_id: int
    metric: str
    split: str | None
    sub_split: str | None
    perturbation: str | None


@dataclass(frozen=True)
class ColumnFound:
    """A column that some models have cells in; `valued` counts those with a value."""

    key: ColumnKey
    scenario: ScenarioRow
    axis: str | None
    unit: str
    direction: str
    valued: int


@dataclass(frozen=True)
class CellFound:
    """One run's cell of a model in a column."""

    key: ColumnKey
    model_id: int
    run_id: int
    value: float | None
    lower: float | None
    upper: float | None
    n: int | None
    missing: str | None
    reason: str | None


KEY = (
    CellRow.scenario_id,
    CellRow.metric,
    CellRow.split,
    CellRow.sub_split,
    CellRow.perturbation,
)


def columns_of(
    session: Session, model_ids: Collection[int], *, whole_only: bool
) -> list[ColumnFound]:
    """Return the columns that these models have cells in, scenarios by title.

    With `whole_only` those are left out that are of a part of the items, or of perturbed ones.
    """
    query = (
        select(
            *KEY,
            func.min(CellRow.axis),
            func.min(CellRow.unit),
            func.min(CellRow.direction),
            func.count(CellRow.value),
        )
        .where(CellRow.model_id.in_(model_ids))
        .group_by(*KEY)
        .order_by(*KEY[1:])
    )
    if whole_only:
        query = query.where(CellRow.sub_split.is_(None), CellRow.perturbation.is_(None))
    rows = session.execute(query).all()
    scenarios = scenarios_by_id(session, {row[0] for row in rows})
    found = [ColumnFound(ColumnKey(*row[:5]), scenarios[row[0]], *row[5:]) for row in rows]
    return sorted(found, key=lambda each: (each.scenario.title, each.scenario.name))


def scenarios_by_id(session: Session, ids: Collection[int]) -> dict[int, ScenarioRow]:
    """Return these scenarios."""
    rows = session.scalars(select(ScenarioRow).where(ScenarioRow.id.in_(ids))).all()
    return {row.id: row for row in rows}


def cells_in(
    session: Session, model_ids: Collection[int], keys: Collection[ColumnKey]
) -> list[CellFound]:
    """Return the cells of these models in these columns, newest run first."""
    rows = session.execute(
        select(
            *KEY,
            CellRow.model_id,
            CellRow.run_id,
            CellRow.value,
            CellRow.lower,
            CellRow.upper,
            CellRow.n,
            CellRow.missing,
            CellRow.reason,
        )
        .where(CellRow.model_id.in_(model_ids), _is_in(keys))
        .order_by(CellRow.run_id.desc(), CellRow.id)
    ).all()
    return [
        CellFound(
            key=ColumnKey(*row[:5]),
            model_id=row.model_id,
            run_id=row.run_id,
            value=row.value,
            lower=row.lower,
            upper=row.upper,
            n=row.n,
            missing=row.missing,
            reason=row.reason,
        )
        for row in rows
    ]


def _is_in(keys: Collection[ColumnKey]) -> ColumnElement[bool]:
    """Whether a cell is in one of the columns; null is a value like others here."""
    wanted = [
        (key.scenario_id, key.metric, key.split or "", key.sub_split or "", key.perturbation or "")
        for key in keys
    ]
    plain = [func.coalesce(column, "") for column in KEY[2:]]
    return tuple_(KEY[0], KEY[1], *plain).in_(wanted)


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
