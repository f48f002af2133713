"""Queries of imports: their batches, the lock under which they publish, and the names they may use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session, aliased

from arena.store.engine import allow_any_time
from arena.store.tables import ImportBatchRow, ModelAliasRow, ModelRow
from arena.terms import ImportState

# Two imports publish one after the other: they may bring the same models in different orders.
IMPORT_LOCK = 4_208_118


@dataclass(frozen=True)
class Origin:
    """What is taken in: a file, the digest of its content, and the format it was read as."""

    kind: str
    file_name: str
    sha256: str
    format: str


@dataclass(frozen=True)
class RowCounts:
    """What became of the rows of a file."""

    read: int
    stored: int
    skipped: int
    rejected: int
    reasons: Mapping[str, int]


def begin_batch(session: Session, origin: Origin, *, board_id: int | None) -> int:
    """Open a batch and return its number; let its statements take as long as the file is."""
    allow_any_time(session)
    batch = ImportBatchRow(
        kind=origin.kind,
        state=ImportState.RUNNING,
        file_name=origin.file_name,
        file_sha256=origin.sha256,
        format=origin.format,
        board_id=board_id,
    )
    session.add(batch)
    session.flush()
    return batch.id


def end_batch(session: Session, batch_id: int, counts: RowCounts) -> None:
    """Publish a batch with what became of its rows."""
    session.execute(
        update(ImportBatchRow)
        .where(ImportBatchRow.id == batch_id)
        .values(
            state=ImportState.PUBLISHED,
            rows_read=counts.read,
            rows_stored=counts.stored,
            rows_skipped=counts.skipped,
            rows_rejected=counts.rejected,
            reasons=dict(counts.reasons),
        )
    )


def lock_imports(session: Session) -> None:
    """Take, until the transaction ends, the lock under which imports publish."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": IMPORT_LOCK})


def read_aliases(session: Session) -> dict[str, str]:
    """Return for each reviewed other name the name of its model."""
    rows = session.execute(
        select(ModelAliasRow.alias, ModelRow.name).join(
            ModelRow, ModelAliasRow.model_id == ModelRow.id
        )
    )
    return {row.alias: row.name for row in rows}


def add_models(session: Session, names: list[str]) -> list[str]:
    """Make the models that are not there yet, by exact name; return which these were."""
    made = session.scalars(
        text(
            "INSERT INTO model (name) SELECT DISTINCT unnest(CAST(:names AS text[]))"
            " ON CONFLICT (name) DO NOTHING RETURNING name"
        ),
        {"names": names},
    )
    return sorted(made)


def names_alike(session: Session, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of models, one of them among these, whose names differ by case alone."""
    new, other = aliased(ModelRow), aliased(ModelRow)
    rows = session.execute(
        select(new.name, other.name)
        .join(other, (func.lower(other.name) == func.lower(new.name)) & (other.name != new.name))
        .where(new.name.in_(names))
        .order_by(new.name, other.name)
    )
    return list(dict.fromkeys(_in_order(*row) for row in rows))


def _in_order(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
