"""`arena board voters`, `quarantine` and `release`, as a person types them."""

import json
import subprocess
from collections.abc import Callable

import pytest
from sqlalchemy import select

from arena.store.tables import RatingRunRow
from arena.wiring import Wiring
from tests.arena.reviewing.ballot_boxes import VOTES, fill_board

Arena = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def board(wiring: Wiring) -> Wiring:
    """A board on which one voter always votes left."""
    fill_board(wiring, {"lefty": "always left"}, is_simulated=True)
    return wiring


def listed(arena: Arena) -> dict[str, object]:
    done = arena("board", "voters", "people", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_voter_is_listed_quarantined_and_released(arena: Arena, board: Wiring) -> None:
    """The whole of a review; every decision asks for a refit."""
    document = listed(arena)
    assert [each["standing"] for each in document["listed"]] == ["suspected"]
    (name,) = (each["voter"] for each in document["listed"])

    put = arena("board", "quarantine", "people", name[:8], "--reason", "Always left.")
    inside = listed(arena)
    let = arena("board", "release", "people", name, "--reason", "Asked; mouse was broken.")

    assert put.stdout == f"voter {name} in quarantine: {VOTES} votes; a refit is asked for\n"
    assert (inside["quarantined"], inside["listed"][0]["reason"]) == (1, "Always left.")
    assert let.stdout.startswith(f"voter {name} released: {VOTES} votes")
    assert listed(arena)["quarantined"] == 0
    with board.sessions.begin() as session:
        assert session.scalars(select(RatingRunRow.state)).one() == "requested"


def test_the_list_says_that_a_finding_is_no_proof(arena: Arena, board: Wiring) -> None:
    """And what is simulated says so."""
    done = arena("board", "voters", "people")

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("people (simulated votes): ")
    head, line = done.stdout.splitlines()
    assert head.endswith("a reason to look, not proof.")
    assert " suspected: always votes left; 60 votes, 60 left, 0 ties, 0 right; p-value " in line
    assert line.endswith(", stands out among all")
    assert "lefty" not in done.stdout


def test_of_several_names_one_wrong_decides_about_none(arena: Arena, board: Wiring) -> None:
    """Half a decision would have to be found out by listing."""
    (name,) = (each["voter"] for each in listed(arena)["listed"])

    done = arena("board", "quarantine", "people", name, "zzzz", "--reason", "Both.")

    assert done.returncode == 1
    assert done.stderr == (
        "error: No voter of this board is listed as 'zzzz'. `arena board voters` lists those to look at.\n"
    )
    assert listed(arena)["quarantined"] == 0


def test_a_reason_must_be_given(arena: Arena) -> None:
    """Wrong usage, exit 2."""
    assert arena("board", "quarantine", "people", "abcd").returncode == 2
