"""Rating runs and the ratings they published."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from arena.store.tables.base import Base, BigInt, Created, Id, Json, bounded, finite, one_of
from arena.terms import RatingStatus, RunState


class RatingRunRow(Base):
    """One fit of one source on one board: what went in, how, and how the search ended.

    `attempt` is the fence: a worker may publish only under the attempt that it claimed.
    """

    __tablename__ = "rating_run"
    __table_args__ = (
        one_of("state", RunState),
        CheckConstraint("(state = 'failed') = (reason IS NOT NULL)", name="failed_has_reason"),
        CheckConstraint(
            "state <> 'published' OR (published_at IS NOT NULL AND watermark IS NOT NULL"
            " AND counts_digest IS NOT NULL AND method IS NOT NULL)",
            name="published_is_whole",
        ),
        finite("gradient_norm"),
        Index(
            "uq_rating_run_open",
            "board_id",
            "judge_id",
            unique=True,
            postgresql_nulls_not_distinct=True,
            postgresql_where="state = 'requested'",
        ),
        Index("ix_rating_run_newest", "board_id", "judge_id", "published_at"),
    )
    id: Mapped[Id]
    board_id: Mapped[BigInt] = mapped_column(ForeignKey("board.id"))
    judge_id: Mapped[BigInt | None] = mapped_column(ForeignKey("judge.id"))
    state: Mapped[str]
    attempt: Mapped[int] = mapped_column(default=0)
    requested_at: Mapped[Created]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    published_at: Mapped[datetime | None]
    reason: Mapped[str | None]
    watermark: Mapped[BigInt | None]
    selection: Mapped[Json | None]
    counts_digest: Mapped[str | None]
    preferences: Mapped[BigInt | None]
    voters: Mapped[BigInt | None]
    method: Mapped[Json | None]
    versions: Mapped[Json | None]
    warnings: Mapped[Json | None]
    gradient_norm: Mapped[float | None]
    iterations: Mapped[int | None]
    rounds_degenerate: Mapped[int | None]
    findings: Mapped[Json | None]
    covariance_models: Mapped[Json | None]
    covariance: Mapped[bytes | None]


class RatingRow(Base):
    """What a run says of one model: numbers, or the kind of absence and its reason."""

    __tablename__ = "rating"
    __table_args__ = (
        one_of("status", RatingStatus),
        CheckConstraint(
            "(status = 'rated') = (strength IS NOT NULL AND rating IS NOT NULL)",
            name="number_iff_rated",
        ),
        CheckConstraint("(status = 'rated') = (reason IS NULL)", name="reason_iff_absent"),
        CheckConstraint("lower <= rating AND rating <= upper", name="point_inside_interval"),
        CheckConstraint("rank_low <= rank AND rank <= rank_high", name="rank_inside_range"),
        CheckConstraint("rank_set_low <= rank AND rank <= rank_set_high", name="rank_inside_set"),
        CheckConstraint("chance_best BETWEEN 0 AND 1", name="chance_is_share"),
        CheckConstraint("wins + losses + ties + both_bad = battles", name="battles_add_up"),
        finite("strength", "rating", "lower", "upper", "chance_best", "quasi_error"),
    )
    rating_run_id: Mapped[BigInt] = mapped_column(ForeignKey("rating_run.id"), primary_key=True)
    model_id: Mapped[BigInt] = mapped_column(ForeignKey("model.id"), primary_key=True, index=True)
    strength: Mapped[float | None]
    rating: Mapped[float | None]
    lower: Mapped[float | None]
    upper: Mapped[float | None]
    rank: Mapped[int | None]
    rank_low: Mapped[int | None]
    rank_high: Mapped[int | None]
    rank_set_low: Mapped[int | None]
    rank_set_high: Mapped[int | None]
    chance_best: Mapped[float | None]
    quasi_error: Mapped[float | None]
    battles: Mapped[BigInt]
    wins: Mapped[BigInt]
    losses: Mapped[BigInt]
    ties: Mapped[BigInt]
    both_bad: Mapped[BigInt]
    status: Mapped[str]
    reason: Mapped[str | None]


class RatingViewRow(Base):
    """Another reading of a run's preferences, one row a model: with flagged votes, without style, of a category."""

    __tablename__ = "rating_view"
    __table_args__ = (
        bounded("view"),
        one_of("status", RatingStatus),
        CheckConstraint(
            "(status = 'rated') = (strength IS NOT NULL AND rating IS NOT NULL)",
            name="number_iff_rated",
        ),
        CheckConstraint("(status = 'rated') = (reason IS NULL)", name="reason_iff_absent"),
        CheckConstraint("lower <= rating AND rating <= upper", name="point_inside_interval"),
        CheckConstraint("rank_low <= rank AND rank <= rank_high", name="rank_inside_range"),
        finite("strength", "rating", "lower", "upper"),
    )
    rating_run_id: Mapped[BigInt] = mapped_column(ForeignKey("rating_run.id"), primary_key=True)
    view: Mapped[str] = mapped_column(primary_key=True)
    model_id: Mapped[BigInt] = mapped_column(ForeignKey("model.id"), primary_key=True, index=True)
    strength: Mapped[float | None]
    rating: Mapped[float | None]
    lower: Mapped[float | None]
    upper: Mapped[float | None]
    rank: Mapped[int | None]
    rank_low: Mapped[int | None]
    rank_high: Mapped[int | None]
    battles: Mapped[BigInt]
    status: Mapped[str]
    reason: Mapped[str | None]
