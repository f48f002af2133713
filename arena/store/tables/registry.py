"""What competes and what it answered: models, other names, endpoints, prompts, completions, imports."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.store.tables.base import Base, BigInt, Created, Id, Json, bounded, one_of
from arena.terms import ImportState


class EndpointRow(Base):
    """A server that answers for models. Its key is kept encrypted and shown by its last four."""

    __tablename__ = "endpoint"
    __table_args__ = (bounded("name"),)
    id: Mapped[Id]
    name: Mapped[str] = mapped_column(unique=True)
    base_url: Mapped[str]
    key_encrypted: Mapped[bytes | None]
    key_last4: Mapped[str | None]
    abilities: Mapped[Json | None]
    created_at: Mapped[Created]


class ModelRow(Base):
    """A checkpoint with its decoder. A new checkpoint is a new model of the same family."""

    __tablename__ = "model"
    __table_args__ = (bounded("name"),)
    id: Mapped[Id]
    name: Mapped[str] = mapped_column(unique=True)
    family: Mapped[str | None]
    organization: Mapped[str | None]
    license: Mapped[str | None]
    decoder: Mapped[Json | None]
    endpoint_id: Mapped[BigInt | None] = mapped_column(ForeignKey("endpoint.id"))
    retired_at: Mapped[datetime | None]
    created_at: Mapped[Created]


class ModelAliasRow(Base):
    """A name that another source uses for a model, written by somebody who checked it."""

    __tablename__ = "model_alias"
    __table_args__ = (UniqueConstraint("alias"), bounded("alias"))
    id: Mapped[Id]
    model_id: Mapped[BigInt] = mapped_column(ForeignKey("model.id"), index=True)
    alias: Mapped[str]
    reviewed_by: Mapped[str]
    note: Mapped[str | None]
    created_at: Mapped[Created]


class ImportBatchRow(Base):
    """One file taken in: what it was, and how many of its rows were stored, skipped and rejected."""

    __tablename__ = "import_batch"
    __table_args__ = (
        one_of("state", ImportState),
        one_of("kind", ("votes", "completions", "cells", "prompts")),
        Index("ix_import_batch_file_sha256", "file_sha256"),
    )
    id: Mapped[Id]
    kind: Mapped[str]
    state: Mapped[str]
    file_name: Mapped[str]
    file_sha256: Mapped[str]
    format: Mapped[str]
    board_id: Mapped[BigInt | None] = mapped_column(ForeignKey("board.id"))
    rows_read: Mapped[BigInt] = mapped_column(default=0)
    rows_stored: Mapped[BigInt] = mapped_column(default=0)
    rows_skipped: Mapped[BigInt] = mapped_column(default=0)
    rows_rejected: Mapped[BigInt] = mapped_column(default=0)
    reasons: Mapped[Json | None]
    created_at: Mapped[Created]


class PromptRow(Base):
    """What was asked. `digest` is over the normalised text, so that one question is one row."""

    __tablename__ = "prompt"
    id: Mapped[Id]
    digest: Mapped[str] = mapped_column(unique=True)
    text: Mapped[str]
    external_key: Mapped[str | None]
    language: Mapped[str | None]
    category: Mapped[str | None]
    created_at: Mapped[Created]


class CompletionRow(Base):
    """What a model answered to a prompt. In the pool of a board it can be drawn for a battle,
    and until it leaves the pool its text is public nowhere beside the model's name.
    """

    __tablename__ = "completion"
    __table_args__ = (
        UniqueConstraint("board_id", "prompt_id", "model_id", "digest"),
        Index("ix_completion_pool", "board_id", "prompt_id", postgresql_where="in_pool"),
        Index(
            "ix_completion_of_model",
            "board_id",
            "model_id",
            "prompt_id",
            postgresql_where="in_pool",
        ),
    )
    id: Mapped[Id]
    board_id: Mapped[BigInt] = mapped_column(ForeignKey("board.id"))
    prompt_id: Mapped[BigInt] = mapped_column(ForeignKey("prompt.id"))
    model_id: Mapped[BigInt] = mapped_column(ForeignKey("model.id"))
    digest: Mapped[str]
    text: Mapped[str]
    in_pool: Mapped[bool] = mapped_column(default=True)
    decoder: Mapped[Json | None]
    served_model: Mapped[str | None]
    finish_reason: Mapped[str | None]
    prompt_tokens: Mapped[BigInt | None]
    completion_tokens: Mapped[BigInt | None]
    seconds: Mapped[float | None]
    import_batch_id: Mapped[BigInt | None] = mapped_column(ForeignKey("import_batch.id"))
    created_at: Mapped[Created]


class PoolRow(Base):
    """What the pool of a board offers: `shared` is row-major little-endian int32 over `models`, how many prompts
    each two of them both answered. A trigger drops the row when a completion changes; the next draw makes it again.
    """

    __tablename__ = "pool"
    board_id: Mapped[BigInt] = mapped_column(ForeignKey("board.id"), primary_key=True)
    models: Mapped[Json]
    shared: Mapped[bytes]


class TokenRow(Base):
    """A key for programs and for the operator, stored as a hash."""

    __tablename__ = "token"
    __table_args__ = (bounded("name"),)
    id: Mapped[Id]
    name: Mapped[str] = mapped_column(unique=True)
    hash: Mapped[str] = mapped_column(unique=True)
    last4: Mapped[str]
    scope: Mapped[str]
    created_at: Mapped[Created]
    revoked_at: Mapped[datetime | None]


class EventRow(Base):
    """Who did what to the registry. Append-only, by trigger."""

    __tablename__ = "event"
    id: Mapped[Id]
    at: Mapped[Created]
    actor: Mapped[str]
    action: Mapped[str]
    subject: Mapped[str]
    detail: Mapped[Json | None]
