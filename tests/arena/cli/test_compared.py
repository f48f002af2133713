"""`arena board compare`, as a person types it."""

import json
import subprocess
from collections.abc import Callable

import pytest

from arena.wiring import Wiring
from tests.web.rated_board import JUDGE, add_rated

Arena = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def rated(wiring: Wiring) -> Wiring:
    """A board with ratings by people and by a judge that sees it the other way round."""
    add_rated(wiring, is_simulated=True)
    return wiring


def test_each_source_says_in_a_line_who_stands_above(arena: Arena, rated: Wiring) -> None:
    """People and the judge see it the other way round, so both must be said."""
    done = arena("board", "compare", "people", "ash", "cedar", "--margin", "10")

    assert done.returncode == 0, done.stderr
    title, people, judge = done.stdout.splitlines()
    assert title == "People (simulated votes)"
    assert people.startswith("- people (125 preferences, rating run ")
    assert " for one look, " in people
    assert people.endswith(" for watching (95 %). Separated: ash stands above.")
    assert judge.startswith(f"- {JUDGE} (240 preferences, rating run ")
    assert judge.endswith("Separated: cedar stands above.")


def test_the_document_holds_the_numbers(arena: Arena, rated: Wiring) -> None:
    """A script that decides when to stop reads the verdict and not the sentence."""
    done = arena("board", "compare", "people", "ash", "birch", "--level", "0.9", "--json")

    document = json.loads(done.stdout)
    people, judge = document["sources"]
    assert (document["model"], document["other"], document["margin"]) == ("ash", "birch", 0.0)
    assert [people["source"], judge["source"]] == ["people", JUDGE]
    difference = people["difference"]
    assert difference["level"] == 0.9
    assert difference["decision"] in {"separated", "open"}
    assert difference["watched"]["lower"] < difference["once"]["lower"] < difference["points"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("people", "ash", "dawn"), "dawn has no finite rating: never lost"),
        (("people", "ash", "oak"), "No model is called 'oak'"),
        (("nowhere", "ash", "birch"), "No board is called 'nowhere'"),
    ],
)
def test_what_cannot_be_compared_is_one_clear_line(
    arena: Arena, rated: Wiring, names: tuple[str, ...], said: str
) -> None:
    """Exit 1, and the reason."""
    done = arena("board", "compare", *names)

    assert done.returncode == 1
    assert done.stdout == ""
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
