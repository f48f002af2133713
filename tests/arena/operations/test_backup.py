"""A backup gives back everything, and a restore that fails changes nothing."""

import stat
from pathlib import Path

import pytest
from sqlalchemy import make_url, select, text
from sqlalchemy.exc import DBAPIError

from arena.errors import ConflictError, InputError, UnavailableError
from arena.operations.backup import back_up, restore
from arena.settings import Settings
from arena.store import schema
from arena.store.engine import open_engine
from arena.store.tables import BoardRow, VoteRow
from arena.terms import Outcome
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_votes


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "arena.backup"


def add_people(wiring: Wiring, *, votes: int) -> None:
    """A board with votes."""
    with wiring.sessions.begin() as session:
        board = add_board(session, "people")
        models = add_models(session, "one", "two")
        add_votes(session, board, models["one"], models["two"], outcome=Outcome.A, n=votes)


def add_later(wiring: Wiring) -> None:
    """A board that no backup has."""
    with wiring.sessions.begin() as session:
        add_board(session, "later")


def boards(wiring: Wiring) -> list[str]:
    with wiring.sessions() as session:
        return list(session.scalars(select(BoardRow.name).order_by(BoardRow.name)))


def voters(wiring: Wiring) -> set[str]:
    with wiring.sessions() as session:
        return set(session.scalars(select(VoteRow.voter)))


def databases_of(wiring: Wiring) -> list[str]:
    """The databases whose names begin with the name of ours."""
    name = wiring.engine.url.database
    query = text("SELECT datname FROM pg_database WHERE starts_with(datname, :name)")
    with wiring.engine.connect() as connection:
        return list(connection.scalars(query, {"name": name}))


def test_what_was_backed_up_comes_back(wiring: Wiring, file: Path) -> None:
    """The round trip: votes and all, in the place of what is there now, which is kept under another name."""
    add_people(wiring, votes=3)
    before = voters(wiring)
    back_up(wiring.settings, file)
    add_later(wiring)

    kept = restore(wiring.settings, file, force=True)

    assert boards(wiring) == ["people"]
    assert voters(wiring) == before
    assert len(before) == 3
    assert kept in databases_of(wiring)


def test_what_was_restored_is_guarded_as_before(wiring: Wiring, file: Path) -> None:
    """Triggers and constraints are part of a backup: a restored vote can still not be changed."""
    add_people(wiring, votes=1)
    back_up(wiring.settings, file)
    restore(wiring.settings, file, force=True)

    with pytest.raises(DBAPIError, match="append-only"), wiring.engine.begin() as connection:
        connection.execute(text("DELETE FROM vote"))
    assert schema.drift(wiring.engine) == []


def test_an_empty_database_is_filled_without_force(wiring: Wiring, file: Path) -> None:
    """Moving to another machine: `arena up`, `arena restore`; the empty tables are not worth keeping."""
    back_up(wiring.settings, file)

    assert restore(wiring.settings, file, force=False) == ""
    assert databases_of(wiring) == [wiring.engine.url.database]


def test_a_full_database_is_not_replaced_unasked(wiring: Wiring, file: Path) -> None:
    """The wrong terminal must not cost a board."""
    add_people(wiring, votes=1)
    back_up(wiring.settings, file)

    with pytest.raises(ConflictError, match="--force"):
        restore(wiring.settings, file, force=False)


def test_somebody_elses_tables_count_as_full(wiring: Wiring, file: Path) -> None:
    """ARENA_DATABASE_URL may name a database that others use, too."""
    back_up(wiring.settings, file)
    with wiring.engine.begin() as connection:
        connection.execute(text("CREATE SCHEMA theirs"))
        connection.execute(text("CREATE TABLE theirs.invoice (number int)"))

    with pytest.raises(ConflictError, match="not empty"):
        restore(wiring.settings, file, force=False)


def test_a_torn_file_changes_nothing(wiring: Wiring, file: Path) -> None:
    """A copy that broke off looks like a backup at its beginning."""
    add_people(wiring, votes=2)
    back_up(wiring.settings, file)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    with pytest.raises(UnavailableError, match="pg_restore"):
        restore(wiring.settings, file, force=True)

    assert boards(wiring) == ["people"]
    assert databases_of(wiring) == [wiring.engine.url.database]


@pytest.mark.parametrize("content", [None, b"", b"INSERT INTO board"])
def test_what_is_no_backup_is_refused(wiring: Wiring, file: Path, content: bytes | None) -> None:
    """It is said at once, with what was expected."""
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(InputError, match=r"no file|written by `arena backup`"):
        restore(wiring.settings, file, force=True)


def test_a_restore_goes_on_while_somebody_reads(wiring: Wiring, file: Path) -> None:
    """The site stays up: its connections are cut, and the next request finds the restored board."""
    add_people(wiring, votes=1)
    back_up(wiring.settings, file)
    add_later(wiring)
    reader = wiring.engine.connect()
    reader.execute(text("SELECT 1"))

    restore(wiring.settings, file, force=True)

    assert boards(wiring) == ["people"]
    reader.invalidate()
    reader.close()


def test_a_backup_is_whole_or_not_there(settings: Settings, file: Path) -> None:
    """Yesterday's file must not be lost to a backup that fails today."""
    file.write_bytes(b"yesterday")
    url = make_url(settings.database_url.get_secret_value()).set(database="no_such_database")
    elsewhere = url.render_as_string(hide_password=False)
    broken = settings.model_copy(update={"database_url": type(settings.database_url)(elsewhere)})

    with pytest.raises(UnavailableError, match="no_such_database"):
        back_up(broken, file)

    assert file.read_bytes() == b"yesterday"
    assert list(file.parent.glob("*.unfinished")) == []


def test_a_backup_is_for_its_owners_eyes(settings: Settings, file: Path) -> None:
    """It holds every vote and every hashed token."""
    assert back_up(settings, file) == file.stat().st_size > 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_folder_that_is_not_there_is_said(settings: Settings, tmp_path: Path) -> None:
    """A typing error ends in a sentence."""
    with pytest.raises(InputError, match="no folder"):
        back_up(settings, tmp_path / "nowhere" / "arena.backup")


def test_an_older_backup_is_brought_up_to_date(wiring: Wiring, file: Path) -> None:
    """A backup of an earlier version is restored by a later one, migrations and all."""
    schema.downgrade(wiring.engine)
    back_up(wiring.settings, file)

    restore(wiring.settings, file, force=True)

    restored = open_engine(wiring.engine.url.render_as_string(hide_password=False))
    assert schema.current(restored) == schema.head()
    restored.dispose()
