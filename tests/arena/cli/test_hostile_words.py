"""Whatever stands on the command line or in the database, a person reads one clear line and no traceback."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import select

from arena import rating_runs
from arena.store import schema
from arena.store.preferences import Source
from arena.store.tables import BoardRow, ImportBatchRow, JudgeRow, RatingRunRow
from arena.terms import Outcome
from arena.wiring import Wiring
from tests.arena.formats.files import VOTES, write_jsonl
from tests.arena.rows import add_board, add_models, add_votes

Arena = Callable[..., "subprocess.CompletedProcess[str]"]

# A byte that is no UTF-8, as the shell hands it on.
RAW = os.fsdecode(b"\xff")


def test_a_replay_is_said_in_one_line_with_names_as_they_are(arena: Arena, wiring: Wiring) -> None:
    """A digest broken over two lines cannot be copied, and brackets in a name are no colours."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        models = add_models(session, "ash[/red]", "birch")
        ash, birch = models.values()
        add_votes(session, board, ash, birch, outcome=Outcome.A, n=3)
        add_votes(session, board, ash, birch, outcome=Outcome.B, n=2)
        source = Source(board.id, None)
        rating_runs.request(session, source)
    assert rating_runs.refit(wiring, source) == 1
    with wiring.sessions() as session:
        run = session.scalars(select(RatingRunRow)).one()

    done = arena("replay", str(run.id))

    assert done.returncode == 0, done.stderr
    assert f"the same counts ({run.counts_digest})" in done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_a_database_without_tables_is_said_in_one_line(arena: Arena, wiring: Wiring) -> None:
    """Whoever brings their own Postgres meets this first."""
    schema.downgrade(wiring.engine)

    done = arena("board", "list")

    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert "arena db upgrade" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_words_of_a_board_and_a_model_are_cleaned(arena: Arena, wiring: Wiring) -> None:
    """No database stores half a character; the board says that one was there."""
    made = arena("board", "create", "people", "--title", f"P{RAW}", "--description", RAW)
    added = arena("model", "add", f"ash{RAW}", "--family", RAW, "--license", RAW)
    named = arena("model", "alias", f"esche{RAW}", f"ash{RAW}", "--note", RAW)

    assert [each.stderr for each in (made, added, named)] == [""] * 3
    with wiring.sessions() as session:
        assert session.scalars(select(BoardRow.title)).one() == "P\ufffd"


def test_a_title_that_deceives_is_refused(arena: Arena) -> None:
    """A title turned round by a direction mark would stand on every page."""
    done = arena("board", "create", "people", "--title", "a\u202eb")

    assert done.returncode == 1
    assert "error: " in done.stderr
    assert "title" in done.stderr


def test_a_file_may_bear_any_name(arena: Arena, wiring: Wiring, tmp_path: Path) -> None:
    """What a file system takes must not stop an import."""
    path = write_jsonl(tmp_path / f"votes{RAW}.jsonl", [*VOTES])

    done = arena("import", "votes", str(path), "--board", "people")

    assert done.returncode == 0, done.stderr
    with wiring.sessions() as session:
        assert session.scalars(select(ImportBatchRow.file_name)).one() == "votes\ufffd.jsonl"


def test_a_judge_is_called_by_a_name(arena: Arena, wiring: Wiring, tmp_path: Path) -> None:
    """As in a column of a file: cleaned, and refused if it is none."""
    path = str(write_jsonl(tmp_path / "votes.jsonl", [*VOTES]))

    refused = [
        arena("import", "votes", path, "--board", "people", "--judge", name)
        for name in ("", "j" * 300)
    ]
    done = arena("import", "votes", path, "--board", "people", "--judge", " gavel ")

    assert [each.returncode for each in refused] == [1, 1]
    assert all(each.stderr.startswith("error: A judge cannot be called") for each in refused)
    assert done.returncode == 0, done.stderr
    with wiring.sessions() as session:
        assert session.scalars(select(JudgeRow.name)).one() == "gavel"
