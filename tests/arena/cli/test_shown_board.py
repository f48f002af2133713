"""`arena board show`, as a person types it."""

import json
import subprocess
from collections.abc import Callable

import pytest

from arena.wiring import Wiring
from tests.web.rated_board import JUDGE, add_cells, add_rated

Arena = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def rated(wiring: Wiring) -> Wiring:
    """A board with ratings, a judge and cells of every kind."""
    add_rated(wiring, is_simulated=True)
    add_cells(wiring)
    return wiring


def test_a_board_is_printed_with_its_finding_and_its_reasons(arena: Arena, rated: Wiring) -> None:
    """Whoever has no browser at hand reads the same sentence and the same absences."""
    done = arena("board", "show", "people")

    assert done.returncode == 0, done.stderr
    assert (
        "People (simulated votes): ash leads, and no other rated model could be first."
        in done.stdout
    )
    assert "- elm: no votes yet" in done.stdout
    [ash] = [words for line in done.stdout.splitlines() if (words := line.split())[1:2] == ["ash"]]
    assert ash[0] == "1-2"
    assert ash[3:] == ["1118-1273", "85", "65", "20", "0"]
    assert "Cells of 2 columns" in done.stdout


def test_the_document_is_the_one_of_the_site(arena: Arena, rated: Wiring) -> None:
    """A script may read either."""
    done = arena("board", "show", "people", "--source", JUDGE, "--json")

    document = json.loads(done.stdout)
    assert document["source"] == JUDGE
    assert document["run"]["preferences"] == 240
    assert [model["model"] for model in document["models"]][:3] == ["cedar", "birch", "ash"]


def test_an_unknown_source_names_those_there_are(arena: Arena, rated: Wiring) -> None:
    """One clear line, and no trace of the inside."""
    done = arena("board", "show", "people", "--source", "nobody")

    assert done.returncode == 1
    assert done.stdout == ""
    assert f"people, {JUDGE}" in done.stderr
    assert len(done.stderr.splitlines()) == 1
