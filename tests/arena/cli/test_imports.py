"""`arena import` and `arena model`, as a person types them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select

from arena.store.tables import RatingRunRow, VoteRow
from arena.wiring import Wiring
from tests.arena.formats.files import VOTES, write_jsonl

Arena = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def votes(tmp_path: Path) -> str:
    return str(write_jsonl(tmp_path / "votes.jsonl", [*VOTES, VOTES[0] | {"winner": "draw"}]))


def stored(wiring: Wiring) -> tuple[int, int]:
    with wiring.sessions() as session:
        votes = session.scalars(select(func.count()).select_from(VoteRow)).one()
        return votes, session.scalars(select(func.count()).select_from(RatingRunRow)).one()


def test_an_import_reports_and_asks_for_a_refit(arena: Arena, votes: str, wiring: Wiring) -> None:
    """What came in is said, and on its way to the board."""
    done = arena("import", "votes", votes, "--board", "people", "--json")

    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["stored"], document["rejected"], document["skipped_duplicates"]) == (3, 1, 0)
    [file] = document["files"]
    assert (file["format"], file["board"], file["board_made"]) == ("plain", "people", True)
    assert file["rejections"] == [{"line": 4, "reason": "unknown_winner", "found": "'draw'"}]
    assert Path(file["rejections_file"]).exists()
    assert stored(wiring) == (3, 1)


def test_a_dry_run_reports_the_same_and_stores_nothing(
    arena: Arena, votes: str, wiring: Wiring
) -> None:
    """One can look before one leaps."""
    tried = json.loads(
        arena("import", "votes", votes, "--board", "people", "--dry-run", "--json").stdout
    )

    assert stored(wiring) == (0, 0)
    done = json.loads(arena("import", "votes", votes, "--board", "people", "--json").stdout)
    assert [tried[key] for key in ("rows_read", "stored", "rejected")] == [
        done[key] for key in ("rows_read", "stored", "rejected")
    ]
    assert tried["dry_run"]


def test_people_read_the_report(arena: Arena, votes: str) -> None:
    """Counts, the reasons, and where to find the rest."""
    done = arena("import", "votes", votes, "--board", "people")

    assert "4 rows read, 3 stored, 0 there already, 1 rejected; board people made" in done.stdout
    assert "line 4: unknown_winner, found 'draw'" in done.stdout


def test_a_bad_file_ends_with_one_line(arena: Arena, tmp_path: Path) -> None:
    """No stack reaches a person."""
    path = tmp_path / "votes.csv"
    path.write_bytes(b"model_a,model_b,winner\nash,b\xe9,tie\n")

    done = arena("import", "votes", str(path), "--board", "people")

    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert "not UTF-8 at byte 28" in line


def test_wrong_usage_ends_with_two(arena: Arena, votes: str) -> None:
    """A script can tell a mistake from a failure."""
    assert arena("import", "votes", votes).returncode == 2


def test_models_and_boards_are_kept_by_hand(arena: Arena) -> None:
    """The registry's four commands, and the list that shows what they did."""
    for arguments in (
        ("model", "add", "ash", "--family", "trees"),
        ("model", "alias", "lmx/ash", "ash"),
        ("model", "retire", "ash"),
        ("board", "create", "own"),
    ):
        done = arena(*arguments)
        assert done.returncode == 0, done.stderr

    [model] = json.loads(arena("model", "list", "--json").stdout)["models"]
    assert (model["name"], model["aliases"]) == ("ash", ["lmx/ash"])
    assert model["retired_at"]
    assert "ash" in arena("model", "list").stdout
    assert "own" in arena("board", "list").stdout
