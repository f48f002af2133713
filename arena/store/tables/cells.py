"""Static evidence: scenarios, runs and cells."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.store.tables.base import Base, BigInt, Created, Id, Json, bounded, finite, one_of
from arena.terms import Axis, Direction, Missing


class ScenarioRow(Base):
    """A set of items with a metric that says how well they were answered, as HELM has it."""

    __tablename__ = "scenario"
    __table_args__ = (bounded("name", 500),)
    id: Mapped[Id]
    name: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    language: Mapped[str | None]
    main_metric: Mapped[str | None]
    main_split: Mapped[str | None]
    created_at: Mapped[Created]


class RunRow(Base):
    """One execution of scenario x adaptation x model, with the record it can be replayed from."""

    __tablename__ = "run"
    __table_args__ = (
        UniqueConstraint("scenario_id", "model_id", "file_sha256", "name"),
        bounded("name", 1000),
    )
    id: Mapped[Id]
    scenario_id: Mapped[BigInt] = mapped_column(ForeignKey("scenario.id"), index=True)
    model_id: Mapped[BigInt] = mapped_column(ForeignKey("model.id"), index=True)
    name: Mapped[str]
    adaptation: Mapped[Json]
    adaptation_digest: Mapped[str]
    format: Mapped[str]
    tool_version: Mapped[str | None]
    file_name: Mapped[str]
    file_sha256: Mapped[str]
    record: Mapped[Json]
    ran_at: Mapped[datetime | None]
    import_batch_id: Mapped[BigInt | None] = mapped_column(ForeignKey("import_batch.id"))
    created_at: Mapped[Created]


class CellRow(Base):
    """Scenario x metric x model: a value with its interval, or a kind of missing with a sentence.

    `n` counts the items behind the value, never the trials. Two sources that disagree are two rows.
    """

    __tablename__ = "cell"
    __table_args__ = (
        UniqueConstraint(
            "run_id",
            "metric",
            "split",
            "sub_split",
            "perturbation",
            postgresql_nulls_not_distinct=True,
        ),
        bounded("metric", 300),
        one_of("axis", Axis),
        one_of("direction", Direction),
        one_of("missing", Missing),
        CheckConstraint("(value IS NULL) = (missing IS NOT NULL)", name="value_or_missing"),
        CheckConstraint("(missing IS NULL) = (reason IS NULL)", name="missing_has_reason"),
        CheckConstraint("lower <= upper", name="interval_order"),
        CheckConstraint("n >= 0 AND trials >= 1", name="counts_range"),
        finite("value", "lower", "upper", "standard_error"),
        Index("ix_cell_matrix", "scenario_id", "model_id", "metric"),
    )
    id: Mapped[Id]
    run_id: Mapped[BigInt] = mapped_column(ForeignKey("run.id"))
    scenario_id: Mapped[BigInt] = mapped_column(ForeignKey("scenario.id"))
    model_id: Mapped[BigInt] = mapped_column(ForeignKey("model.id"), index=True)
    metric: Mapped[str]
    axis: Mapped[str | None]
    split: Mapped[str | None]
    sub_split: Mapped[str | None]
    perturbation: Mapped[str | None]
    is_group: Mapped[bool] = mapped_column(default=False)
    value: Mapped[float | None]
    lower: Mapped[float | None]
    upper: Mapped[float | None]
    standard_error: Mapped[float | None]
    interval_method: Mapped[str | None]
    n: Mapped[BigInt | None]
    n_total: Mapped[BigInt | None]
    trials: Mapped[int | None]
    direction: Mapped[str]
    unit: Mapped[str]
    scored_by: Mapped[str]
    pointer: Mapped[str]
    missing: Mapped[str | None]
    reason: Mapped[str | None]
    created_at: Mapped[Created]
