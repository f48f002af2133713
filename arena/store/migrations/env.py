"""Runs migrations on the connection that `arena.store.schema` hands over."""

from alembic import context
from sqlalchemy import text

from arena.store.tables import Base

LOCK_MILLISECONDS = 10_000
# Two processes that start at once take turns; the second finds nothing left to do.
MIGRATION_LOCK = 4_208_115


def run() -> None:
    """Apply the migrations inside the caller's transaction."""
    connection = context.config.attributes["connection"]
    connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_MILLISECONDS}"))
    connection.execute(
        text("SET LOCAL statement_timeout = 0")
    )  # an index of many votes takes its time
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
    context.configure(connection=connection, target_metadata=Base.metadata, compare_type=True)
    context.run_migrations()


run()
