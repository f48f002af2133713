"""Comparisons: boards, battles, votes and what happens to them, judges and their judgments, and the roll-up of counts."""

from datetime import date, datetime

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Sequence,
    SmallInteger,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from arena.store.tables.base import Base, BigInt, Created, Id, Json, bounded, finite, one_of
from arena.terms import (
    BattleState,
    BothBad,
    Cluster,
    Interval,
    JudgmentStatus,
    Order,
    Outcome,
    PolicyKind,
    Ties,
)

RATED = tuple(outcome for outcome in Outcome if outcome.is_rated)

# The order in which preferences were counted. Drawn under one lock, so that it is the order of commits.
PREFERENCE_SEQUENCE = Sequence("preference_sequence", metadata=Base.metadata)


class BoardRow(Base):
    """A pool, a selection of preferences, a tie rule and an anchor."""

    __tablename__ = "board"
    __table_args__ = (
        CheckConstraint("name ~ '^[a-z0-9][a-z0-9-]{0,62}$'", name="name_is_slug"),
        one_of("ties", Ties),
        one_of("both_bad", BothBad),
        one_of("interval", Interval),
        one_of("cluster", Cluster),
        CheckConstraint("rounds BETWEEN 1 AND 1000000", name="rounds_range"),
        CheckConstraint("level > 0.5 AND level < 1", name="level_range"),
        finite("anchor_points", "level"),
    )
    id: Mapped[Id]
    name: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    description: Mapped[str | None]
    ties: Mapped[str] = mapped_column(default=Ties.HALF)
    both_bad: Mapped[str] = mapped_column(default=BothBad.TIE)
    interval: Mapped[str] = mapped_column(default=Interval.BOOTSTRAP)
    rounds: Mapped[int] = mapped_column(default=1000)
    level: Mapped[float] = mapped_column(default=0.95)
    seed: Mapped[BigInt] = mapped_column(default=0)
    position: Mapped[bool] = mapped_column(default=False)
    cluster: Mapped[str] = mapped_column(default=Cluster.NONE)
    style: Mapped[Json | None]
    anchor_model_id: Mapped[BigInt | None] = mapped_column(ForeignKey("model.id"))
    anchor_points: Mapped[float] = mapped_column(default=1000.0)
    is_simulated: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[Created]


class PairPolicyRow(Base):
    """How pairs are drawn on a board; the newest row of a board is in force."""

    __tablename__ = "pair_policy"
    __table_args__ = (one_of("kind", PolicyKind),)
    id: Mapped[Id]
    board_id: Mapped[BigInt] = mapped_column(ForeignKey("board.id"), index=True)
    kind: Mapped[str]
    parameters: Mapped[Json]
    created_at: Mapped[Created]


class InviteRow(Base):
    """A link that lets a person vote on a board, so many times."""

    __tablename__ = "invite"
    id: Mapped[Id]
    board_id: Mapped[BigInt] = mapped_column(ForeignKey("board.id"))
    hash: Mapped[str] = mapped_column(unique=True)
    votes_wanted: Mapped[int]
    created_at: Mapped[Created]
    revoked_at: Mapped[datetime | None]


class BattleRow(Base):
    """Two completions of one prompt, their slots drawn by the server.

    An imported battle may lack the texts; then only the models of its slots are known.
    """

    __tablename__ = "battle"
    __table_args__ = (
        CheckConstraint("model_a_id <> model_b_id", name="two_models"),
        CheckConstraint("completion_a_id <> completion_b_id", name="two_completions"),
        CheckConstraint("(completion_a_id IS NULL) = (completion_b_id IS NULL)", name="both_texts"),
        CheckConstraint("probability > 0 AND probability <= 1", name="probability_range"),
        CheckConstraint("length(public_id) BETWEEN 22 AND 64", name="public_id_length"),
        bounded("external_key"),
        bounded("voter"),
        one_of("state", BattleState),
        UniqueConstraint("board_id", "external_key"),
        Index("ix_battle_voter", "voter", "board_id", postgresql_where="voter IS NOT NULL"),
        Index("ix_battle_unsettled", "state", postgresql_where="state IN ('open', 'voted')"),
    )
    id: Mapped[Id]
    public_id: Mapped[str] = mapped_column(unique=True)
    board_id: Mapped[BigInt] = mapped_column(ForeignKey("board.id"))
    prompt_id: Mapped[BigInt | None] = mapped_column(ForeignKey("prompt.id"))
    model_a_id: Mapped[BigInt] = mapped_column(ForeignKey("model.id"))
    model_b_id: Mapped[BigInt] = mapped_column(ForeignKey("model.id"))
    completion_a_id: Mapped[BigInt | None] = mapped_column(ForeignKey("completion.id"))
    completion_b_id: Mapped[BigInt | None] = mapped_column(ForeignKey("completion.id"))
    state: Mapped[str]
    voter: Mapped[str | None]
    policy_id: Mapped[BigInt | None] = mapped_column(ForeignKey("pair_policy.id"))
    probability: Mapped[float | None]
    expires_at: Mapped[datetime | None]
    external_key: Mapped[str | None]
    import_batch_id: Mapped[BigInt | None] = mapped_column(ForeignKey("import_batch.id"))
    created_at: Mapped[Created]


class VoteRow(Base):
    """A person's outcome of one battle. Append-only by trigger, but that it is either counted or taken back, once.

    `sequence` is null until the vote is settled and counted: the vote shows nowhere before that. A vote that was
    taken back never gets one.
    """

    __tablename__ = "vote"
    __table_args__ = (
        one_of("outcome", Outcome),
        UniqueConstraint("battle_id", "voter"),
        UniqueConstraint("idempotency_key"),
        bounded("voter"),
        bounded("idempotency_key"),
        Index("ix_vote_uncounted", "id", postgresql_where="sequence IS NULL AND NOT is_undone"),
        Index("ix_vote_voter", "voter"),
        Index("ix_vote_sequence", "sequence", postgresql_where="sequence IS NOT NULL"),
    )
    id: Mapped[Id]
    battle_id: Mapped[BigInt] = mapped_column(ForeignKey("battle.id"))
    voter: Mapped[str]
    outcome: Mapped[str]
    idempotency_key: Mapped[str | None]
    cast_at: Mapped[Created]
    cast_at_assumed: Mapped[str | None]
    language: Mapped[str | None]
    address: Mapped[str | None]
    sequence: Mapped[BigInt | None]
    is_undone: Mapped[bool] = mapped_column(server_default=text("false"))
    import_batch_id: Mapped[BigInt | None] = mapped_column(ForeignKey("import_batch.id"))


class VoteUndoRow(Base):
    """A vote taken back before its reveal."""

    __tablename__ = "vote_undo"
    id: Mapped[Id]
    vote_id: Mapped[BigInt] = mapped_column(ForeignKey("vote.id"), unique=True)
    created_at: Mapped[Created]


class VoteFlagRow(Base):
    """A mark on a vote, with its reason. Nothing deletes a vote."""

    __tablename__ = "vote_flag"
    __table_args__ = (UniqueConstraint("vote_id", "kind"),)
    id: Mapped[Id]
    vote_id: Mapped[BigInt] = mapped_column(ForeignKey("vote.id"))
    kind: Mapped[str]
    reason: Mapped[str]
    created_at: Mapped[Created]


class JudgeRow(Base):
    """A model that judges, its template and its decoder: the three are its identity."""

    __tablename__ = "judge"
    __table_args__ = (
        UniqueConstraint("model", "template_digest", "decoder_digest"),
        bounded("name"),
        bounded("model"),
    )
    id: Mapped[Id]
    name: Mapped[str] = mapped_column(unique=True)
    model: Mapped[str]
    template: Mapped[str | None]
    template_digest: Mapped[str]
    decoder: Mapped[Json]
    decoder_digest: Mapped[str]
    created_at: Mapped[Created]


class JudgmentRow(Base):
    """One reading of one battle by a judge in one order. `outcome` is by slot, whatever the order was."""

    __tablename__ = "judgment"
    __table_args__ = (
        UniqueConstraint("judge_id", "battle_id", "order", "sample"),
        one_of('"order"', Order),
        one_of("status", JudgmentStatus),
        one_of("outcome", RATED),
        CheckConstraint("(status = 'ok') = (outcome IS NOT NULL)", name="outcome_iff_ok"),
        CheckConstraint("status = 'ok' OR sequence IS NULL", name="counted_only_if_ok"),
        CheckConstraint("strength BETWEEN 0 AND 1", name="strength_range"),
        Index("ix_judgment_sequence", "sequence", postgresql_where="sequence IS NOT NULL"),
        Index(
            "ix_judgment_uncounted",
            "id",
            postgresql_where="sequence IS NULL AND status = 'ok'",
        ),
        Index("ix_judgment_battle_id", "battle_id"),
    )
    id: Mapped[Id]
    judge_id: Mapped[BigInt] = mapped_column(ForeignKey("judge.id"))
    battle_id: Mapped[BigInt] = mapped_column(ForeignKey("battle.id"))
    order: Mapped[str]
    sample: Mapped[int] = mapped_column(SmallInteger, default=0)
    status: Mapped[str]
    outcome: Mapped[str | None]
    strength: Mapped[float | None]
    raw: Mapped[str | None]
    usage: Mapped[Json | None]
    seconds: Mapped[float | None]
    sequence: Mapped[BigInt | None]
    import_batch_id: Mapped[BigInt | None] = mapped_column(ForeignKey("import_batch.id"))
    created_at: Mapped[Created]


class JudgeRunRow(Base):
    """One batch of judgments, as asked for."""

    __tablename__ = "judge_run"
    id: Mapped[Id]
    board_id: Mapped[BigInt] = mapped_column(ForeignKey("board.id"))
    judge_id: Mapped[BigInt] = mapped_column(ForeignKey("judge.id"))
    plan: Mapped[Json]
    created_at: Mapped[Created]
    ended_at: Mapped[datetime | None]


class JudgeRunItemRow(Base):
    """Joins a judge run to the judgments it wanted, made by it or reused."""

    __tablename__ = "judge_run_item"
    judge_run_id: Mapped[BigInt] = mapped_column(ForeignKey("judge_run.id"), primary_key=True)
    judgment_id: Mapped[BigInt] = mapped_column(
        BigInteger, ForeignKey("judgment.id"), primary_key=True, index=True
    )


class PreferenceCountRow(Base):
    """The roll-up: how often (first shown, second shown) ended so, by source, segment and day.

    `judge_id` is null for people. Of `outcome`, `a` means that the first shown won. `last_sequence` is the
    number of the newest preference in the row; the largest of a source is its watermark.
    """

    __tablename__ = "preference_count"
    __table_args__ = (
        UniqueConstraint(
            "board_id",
            "judge_id",
            "first_model_id",
            "second_model_id",
            "outcome",
            "segment",
            "day",
            name="uq_preference_count_key",
            postgresql_nulls_not_distinct=True,
        ),
        CheckConstraint("length(segment) <= 200", name="segment_length"),
        CheckConstraint("first_model_id <> second_model_id", name="two_models"),
        CheckConstraint("n > 0", name="n_positive"),
        one_of("outcome", Outcome),
    )
    id: Mapped[Id]
    board_id: Mapped[BigInt] = mapped_column(ForeignKey("board.id"))
    judge_id: Mapped[BigInt | None] = mapped_column(ForeignKey("judge.id"))
    first_model_id: Mapped[BigInt] = mapped_column(ForeignKey("model.id"))
    second_model_id: Mapped[BigInt] = mapped_column(ForeignKey("model.id"))
    outcome: Mapped[str]
    segment: Mapped[str]
    day: Mapped[date]
    n: Mapped[BigInt]
    last_sequence: Mapped[BigInt]
