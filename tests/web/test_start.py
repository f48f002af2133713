"""The first page and the method: where one begins, and what every term means."""

import re

from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_pool
from tests.web.rated_board import JUDGE, add_rated, rows_of, text_of
from tests.web.site import Visitor


def test_an_empty_house_says_how_to_begin(visitor: Visitor) -> None:
    """The page that most people see first must not be a blank."""
    page = visitor.get("/")

    assert page.status_code == 200
    for command in ("arena import votes", "arena import completions", "arena up --demo"):
        assert command in page.text


def test_the_board_with_most_to_tell_comes_first(wiring: Wiring, visitor: Visitor) -> None:
    """A board with ratings is worth more room than one that waits for votes."""
    with wiring.sessions.begin() as session:
        add_board(session, "another")
    add_rated(wiring)

    page = visitor.get("/").text

    first, others = page.split("Other boards")
    assert 'href="/boards/people"' in first
    assert "125 votes, 240 judgments by " + JUDGE in first
    assert "ash leads, and no other rated model could be first." in first
    assert 'href="/boards/another"' in others
    assert "no votes yet" in text_of(others)


def test_the_leading_models_are_ranges_with_bars(wiring: Wiring, visitor: Visitor) -> None:
    """How open the first place is, is seen before any board is opened."""
    add_rated(wiring)

    page = visitor.get("/").text

    assert rows_of(page) == ["1–2 ash", "2–3 birch", "3–4 cedar"]
    assert page.count('class="bar"') == 3


def test_one_gets_from_the_start_to_a_battle(wiring: Wiring, visitor: Visitor) -> None:
    """Voting is two presses away."""
    with wiring.sessions.begin() as session:
        add_pool(session, add_board(session), add_models(session, "ash", "birch"), prompts=1)
    link = re.search(r'<a class="btn go" href="([^"]+)"', visitor.get("/").text)
    assert link

    battle = visitor.submit(visitor.get(link[1]), "/battles")

    assert battle.url.path.startswith("/battles/")


def test_the_twin_lists_the_same_boards(wiring: Wiring, visitor: Visitor) -> None:
    """A program finds the boards without reading a page."""
    add_rated(wiring, is_simulated=True)

    [card] = visitor.get("/api/v1/boards").json()

    assert card["board"]["name"] == "people"
    assert card["board"]["is_simulated"] is True
    assert (card["votes"], card["judgments"], card["judges"]) == (125, 240, [JUDGE])
    assert [model["model"] for model in card["first"]] == ["ash", "birch", "cedar"]


def test_every_term_of_the_method_can_be_linked(visitor: Visitor) -> None:
    """Somebody who explains a board to somebody else needs an address for each term."""
    page = visitor.get("/method").text

    contents = re.findall(r'<li><a href="#([^"]+)">', page)
    assert contents == re.findall(r'<h2 id="([^"]+)">', page)


def test_boards_and_the_method_are_in_the_navigation(visitor: Visitor) -> None:
    """One always sees where one is."""
    for path, label in (("/", "Boards"), ("/method", "Method")):
        assert f'aria-current="page">{label}</a>' in visitor.get(path).text
