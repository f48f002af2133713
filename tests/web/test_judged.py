"""The page of a board shows people, a judge and both side by side, and says what the judge was worth."""

import re

import pytest

from arena.wiring import Wiring
from tests.arena.leaderboard.rated import publish
from tests.arena.rating_runs.judged_board import STRENGTHS, add_judged
from tests.arena.rows import add_board, add_judge, add_models
from tests.web.rated_board import add_rated, text_of
from tests.web.site import Visitor

JUDGE = "strict"


@pytest.fixture
def judged(wiring: Wiring) -> Wiring:
    """The board `people`, with a judge that read 300 battles of people and 1,500 more."""
    with wiring.sessions.begin() as session:
        board, judge = add_board(session), add_judge(session, JUDGE)
        models = add_models(session, *STRENGTHS)
        add_judged(session, board, judge, models, both=300, judge_only=1500)
    publish(wiring, "people")
    publish(wiring, "people", JUDGE)
    return wiring


def section_of(page: str) -> str:
    found = re.search(r'<section aria-labelledby="judged">(.*?)</section>', page, re.DOTALL)
    return found[1] if found else ""


def test_three_readings_stand_side_by_side_with_what_the_judge_was_worth(
    judged: Wiring, visitor: Visitor
) -> None:
    """The page and its twin say the same."""
    section = section_of(visitor.get("/boards/people").text)
    (twin,) = visitor.get("/api/v1/boards/people").json()["judged"]

    text = text_of(section)
    assert f"The judge was worth about {round(twin['worth'])} human votes." in text
    assert "It read 300 battles that people decided and 1,500 that they did not" in text
    assert "People decided 300 battles." in text
    assert (twin["judge"], twin["both"], twin["judge_only"]) == (JUDGE, 300, 1500)
    rows = re.findall(r"<tr>(.*?)</tr>", section, re.DOTALL)[1:]
    assert len(rows) == len(twin["models"]) == len(STRENGTHS)
    for row, model in zip(rows, twin["models"], strict=True):
        readings = [model[name] for name in ("people", "judge", "together")]
        shown = [f"{round(each['lower'])}–{round(each['upper'])}" for each in readings]
        assert [part for part in text_of(row).split() if "–" in part] == shown
        assert text_of(row).startswith(model["model"])
        assert row.count("<svg") == 3


def test_both_together_are_a_reading_that_can_be_asked_for(
    judged: Wiring, visitor: Visitor
) -> None:
    """Its numbers are those of the section."""
    board = visitor.get("/api/v1/boards/people").json()
    reading = visitor.get(
        "/api/v1/boards/people", params={"reading": f"human and judge: {JUDGE}"}
    ).json()

    together = {row["model"]: row["together"]["rating"] for row in board["judged"][0]["models"]}
    assert {row["model"]: row["rating"] for row in reading["models"]} == together


def test_a_judges_own_table_combines_nothing(judged: Wiring, visitor: Visitor) -> None:
    """It is the judge's ratings; people stand beside it with their ranks."""
    page = visitor.get("/boards/people", params={"source": JUDGE})

    assert page.status_code == 200
    assert section_of(page.text) == ""


def test_without_battles_of_both_the_page_says_so(wiring: Wiring, visitor: Visitor) -> None:
    """No number stands where none can be had, and the reason says what would help."""
    add_rated(wiring)

    text = text_of(section_of(visitor.get("/boards/people").text))

    assert "No combined reading: found 0 rows that people and the judge both decided" in text
    assert "worth" not in text
