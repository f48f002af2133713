"""The page of a model."""

from urllib.parse import quote

from arena.wiring import Wiring
from tests.arena.leaderboard.rated import publish
from tests.web.awkward_board import HOSTILE, SLASHED, add_awkward
from tests.web.site import Visitor


def test_a_name_with_a_slash_and_a_question_mark_has_a_page(
    wiring: Wiring, visitor: Visitor
) -> None:
    """Names of models are what their makers call them."""
    add_awkward(wiring)

    page = visitor.get(f"/models/{quote(SLASHED, safe='')}")
    twin = visitor.get(f"/api/v1/models/{quote(SLASHED, safe='')}").json()

    assert page.status_code == 200
    assert f'href="/api/v1/models/{quote(SLASHED, safe="")}"' in page.text
    assert twin["model"]["name"] == SLASHED
    assert twin["finding"]["headline"] in page.text.replace("&#39;", "'")


def test_a_name_is_shown_and_never_obeyed(wiring: Wiring, visitor: Visitor) -> None:
    """Whoever imports a file chooses the names in it."""
    add_awkward(wiring)

    page = visitor.get(f"/models/{quote(HOSTILE, safe='')}").text

    assert HOSTILE not in page
    assert "&lt;b&gt;birch&lt;/b&gt; &amp; co" in page


def test_a_model_shows_its_head_to_heads_its_judge_and_its_cells(
    wiring: Wiring, visitor: Visitor
) -> None:
    """All that is known of a model is one page away from its name."""
    add_awkward(wiring)

    page = visitor.get(f"/models/{quote(SLASHED, safe='')}").text

    assert "Judge oak ranks it" in page
    assert "12–2–4" in page
    assert '<td class="r">0.25</td>' in page
    assert '<td class="r">8</td>' in page


def test_an_absent_cell_says_which_kind_and_why(wiring: Wiring, visitor: Visitor) -> None:
    """Never 0 and never blank."""
    add_awkward(wiring)

    page = visitor.get("/models/cedar").text

    assert 'class="miss failed"' in page
    assert "stopped at item 3 of 8" in page


def test_a_model_that_never_lost_has_no_rating_and_a_reason(
    wiring: Wiring, visitor: Visitor
) -> None:
    """The reason is the headline's second half."""
    add_awkward(wiring)

    page = visitor.get("/models/dawn").text

    assert "dawn: no rating" in page
    assert "Never lost to or tied with the rated models" in page
    assert "no bound" in page


def test_two_runs_make_a_chart_with_a_table_as_its_twin(wiring: Wiring, visitor: Visitor) -> None:
    """A drawing that cannot be seen must be readable."""
    add_awkward(wiring)
    once = visitor.get("/models/cedar").text
    publish(wiring, "people")

    twice = visitor.get("/models/cedar").text

    assert "The same as a table" not in once
    assert "Rating of cedar over 2 rating runs" in twice
    assert twice.count('<th scope="row"><a href="/rating-runs/') == 2


def test_numbers_of_a_simulated_board_say_so(wiring: Wiring, visitor: Visitor) -> None:
    """A made-up history must not be quoted as a finding."""
    add_awkward(wiring, is_simulated=True)

    for address in ("/models/cedar", "/boards/people/pairs"):
        assert "simulated votes" in visitor.get(address).text


def test_an_unknown_model_is_not_found(visitor: Visitor) -> None:
    """By people and by programs alike."""
    page, twin = visitor.get("/models/no%00body"), visitor.get("/api/v1/models/nobody")

    assert (page.status_code, twin.status_code) == (404, 404)
    assert twin.json()["code"] == "unknown_model"
