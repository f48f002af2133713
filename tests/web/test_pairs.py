"""The page of pairs: who met whom."""

import pytest

from arena.wiring import Wiring
from tests.arena.leaderboard.rated import publish_as
from tests.arena.rows import add_board
from tests.web.awkward_board import HOSTILE, SLASHED, add_awkward
from tests.web.rated_board import add_rated, newest_of, text_of
from tests.web.site import Visitor


def test_two_models_are_set_against_each_other_by_the_form(
    wiring: Wiring, visitor: Visitor
) -> None:
    """The query string is the state of the page: a link to it shows the same to somebody else."""
    add_awkward(wiring)

    page = visitor.get("/boards/people/pairs", params={"model": "cedar", "other": SLASHED})

    assert page.status_code == 200
    assert "14 battles: 2 won, 2 tied, 0 both bad, 10 lost." in page.text
    assert "<option selected>cedar</option>" in page.text


def test_a_pair_has_the_verdict_of_all_pairs_at_once(wiring: Wiring, visitor: Visitor) -> None:
    """An interval of one pair among many says too much; this one holds for all of them."""
    add_rated(wiring)

    page = text_of(
        visitor.get("/boards/people/pairs", params={"model": "cedar", "other": "ash"}).text
    )
    twin = visitor.get("/api/v1/boards/people/pairs").json()

    assert "Among all pairs ash is surely above" in page
    verdicts = {
        (pair["model"], pair["other"]): pair["difference"] and pair["difference"]["surely"]
        for pair in twin["pairs"]
    }
    assert verdicts["ash", "cedar"] == "above"
    assert verdicts["ash", "dawn"] is None
    models = visitor.get("/api/v1/boards/people").json()["models"]
    lows = {model["model"]: model["rank_set_low"] for model in models}
    assert lows["cedar"] == 1 + sum(
        pair["difference"]["surely"] == "above"
        for pair in twin["pairs"]
        if pair["other"] == "cedar" and pair["difference"]
    )


def test_an_older_run_has_no_verdict_and_says_so(wiring: Wiring, visitor: Visitor) -> None:
    """Not known is not the same as not settled."""
    add_rated(wiring)
    publish_as(wiring, newest_of(wiring).id, findings=None)

    page = visitor.get("/boards/people/pairs", params={"model": "cedar", "other": "ash"})

    assert "not known: the rating run is older than this verdict" in page.text


def test_pairs_that_never_met_are_hatched_and_said(wiring: Wiring, visitor: Visitor) -> None:
    """A blank square would look like a tie, and hatching alone is not heard."""
    add_awkward(wiring)

    page = visitor.get("/boards/people/pairs")

    assert "2 of 6 pairs never met." in page.text
    assert page.text.count('<td class="none"><span class="vh">never met</span></td>') == 4


def test_the_twin_has_every_pair(wiring: Wiring, visitor: Visitor) -> None:
    """What a page shows of pairs can be computed from its twin."""
    add_awkward(wiring)

    twin = visitor.get("/api/v1/boards/people/pairs").json()

    battles = {(pair["model"], pair["other"]): pair["battles"] for pair in twin["pairs"]}
    assert battles[SLASHED, HOSTILE] == 18
    assert sum(battles.values()) == 51


def test_a_board_without_votes_has_a_page_of_pairs(wiring: Wiring, visitor: Visitor) -> None:
    """An empty board is a board."""
    with wiring.sessions.begin() as session:
        add_board(session)

    page = visitor.get("/boards/people/pairs")

    assert page.status_code == 200
    assert "No two models have met yet." in page.text


@pytest.mark.parametrize(
    ("query", "status"),
    [("?source=nobody", 422), ("?order=shoe", 422), ("?model=oak&other=cedar", 404)],
)
def test_what_is_not_there_is_refused(
    wiring: Wiring, visitor: Visitor, query: str, status: int
) -> None:
    """Another table than the one asked for would be read as it."""
    add_awkward(wiring)

    assert visitor.get(f"/boards/people/pairs{query}").status_code == status
