"""The schema's versions: which one the database has, which one the code wants, and the way there."""

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

from arena.store.tables import Base

MIGRATIONS = "arena.store:migrations"


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    return config


def head() -> str | None:
    """Return the version that this code wants."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def current(engine: Engine) -> str | None:
    """Return the version that the database has, or None if it has no tables of ours."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring the database to a version. Killed half-way, it has changed nothing: one transaction."""
    config = _config()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def downgrade(engine: Engine, revision: str = "base") -> None:
    """Take the database back to a version."""
    config = _config()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)


def drift(engine: Engine) -> list[object]:
    """Return what differs between the tables in the database and the tables in the code."""
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))
