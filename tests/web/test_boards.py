"""The page of a board says what its numbers say, and says of each number that there is not, why."""

import csv
import io
import re

import pytest
from sqlalchemy import select

from arena.store.tables import BoardRow, ModelRow
from arena.terms import Outcome
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_pool, add_votes
from tests.web.rated_board import JUDGE, REASONS, add_cells, add_rated, model_in, rows_of, text_of
from tests.web.site import Visitor


@pytest.fixture
def rated(wiring: Wiring) -> Wiring:
    """The board `people` with ratings, without cells."""
    add_rated(wiring)
    return wiring


@pytest.fixture
def full(rated: Wiring) -> Wiring:
    """The same with cells."""
    add_cells(rated)
    return rated


def test_the_headline_and_the_ranges_come_from_the_newest_run(
    rated: Wiring, visitor: Visitor
) -> None:
    """What one sees first is who leads and how sure that is."""
    page = visitor.get("/boards/people")

    assert page.status_code == 200
    assert "<h1>ash leads, and no other rated model could be first.</h1>" in page.text
    ranges = re.findall(r'<td class="rank">([^<]+)<', page.text)
    assert ranges[:3] == ["1–2", "2–3", "3–4"]


def test_facts_say_what_the_numbers_rest_on(rated: Wiring, visitor: Visitor) -> None:
    """How many votes, by how many people, by which method, and how to compute it again."""
    text = text_of(visitor.get("/boards/people").text)

    assert "Votes 125 by 125 people" in text
    assert "Bradley–Terry, ties ½, 100 resamples" in text
    assert re.search(r"arena replay \d+", text)
    assert "sha256:" in text


def test_votes_that_came_later_are_said_to_wait(rated: Wiring, visitor: Visitor) -> None:
    """The table is not the last word."""
    with rated.sessions.begin() as session:
        board = session.scalars(select(BoardRow)).one()
        ash, birch = session.scalars(select(ModelRow).order_by(ModelRow.name).limit(2))
        add_votes(session, board, ash, birch, outcome=Outcome.TIE, n=3)

    assert ", 3 newer waiting" in visitor.get("/boards/people").text


def test_a_model_without_a_rating_has_its_reason_and_no_number(
    rated: Wiring, visitor: Visitor
) -> None:
    """Neither an unbeaten model nor one without votes has a rating that anybody could know."""
    rows = rows_of(visitor.get("/boards/people").text)

    dawn = next(row for row in rows if "dawn" in row)
    elm = next(row for row in rows if "elm" in row)
    assert rows.index(dawn) > rows.index("Without a rating, each with its reason")
    assert "lost" in dawn
    assert "no votes yet" in elm
    assert not re.search(r"\b[89]\d\d\b|\b1[0-9]\d\d\b", dawn + elm)


def test_a_judge_stands_beside_with_its_ranks_only(rated: Wiring, visitor: Visitor) -> None:
    """Points of two sources are on two scales; ranks can be compared."""
    rows = rows_of(visitor.get("/boards/people").text)

    assert [row.split()[-1] for row in rows[:3]] == ["3", "2", "1"]


def test_a_judge_can_be_the_source(rated: Wiring, visitor: Visitor) -> None:
    """A judge has a board of its own, with the people beside."""
    page = visitor.get("/boards/people", params={"source": JUDGE})

    assert "<h1>cedar leads" in page.text
    assert f"Judge {JUDGE}: relative to these 3 models" in page.text
    assert "<span>People</span>" in page.text
    assert f'<option value="{JUDGE}" selected>' in page.text


def test_cells_are_shown_with_what_is_known_of_them(full: Wiring, visitor: Visitor) -> None:
    """An interval, that there is no sample size, and that two sources differ are three things."""
    rows = rows_of(visitor.get("/boards/people").text)

    shown = {model_in(row): row for row in rows}
    assert "0.75 ±0.15" in shown["ash"]
    assert "0.50 no n" in shown["birch"]
    assert "0.25 or 0.39" in shown["cedar"]


def test_each_kind_of_missing_is_told_apart(full: Wiring, visitor: Visitor) -> None:
    """Absent is never 0 and never a blank: a sign, a word, a count and a reason."""
    page = visitor.get("/boards/people").text

    for kind, reason in REASONS.items():
        mark = re.search(rf'<a class="miss {kind.replace("_", "-")}" href="#(why-\d)">', page)
        assert mark
        note = re.search(rf'<li id="{mark[1]}".*?</li>', page, re.DOTALL)
        assert note
        assert reason in note[0]
        assert kind.replace("_", " ") in note[0]
    legend = text_of(page)
    assert "not run 3 : no run" in legend
    assert "failed 1 : the run" in legend


def test_a_mark_leads_to_a_note_that_is_on_the_page(full: Wiring, visitor: Visitor) -> None:
    """Pointer, keyboard, touch and ear reach the reason the same way."""
    page = visitor.get("/boards/people").text

    wanted = set(re.findall(r'href="#([^"]+)"', page))
    assert wanted <= set(re.findall(r'id="([^"]+)"', page))


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("", ["ash", "birch", "cedar"]),
        ("name", ["ash", "birch", "cedar"]),
        ("beside", ["cedar", "birch", "ash"]),
        ("arithmetic:exact_match,split=test", ["ash", "birch", "cedar"]),
    ],
)
def test_a_table_is_sorted_by_a_link_and_says_so(
    full: Wiring, visitor: Visitor, sort: str, names: list[str]
) -> None:
    """Sorting needs no script, and a screen reader hears which column it is."""
    page = visitor.get("/boards/people", params={"sort": sort}).text

    rows = [name for row in rows_of(page) if (name := model_in(row))]
    assert rows[:3] == names
    assert page.count("aria-sort=") == 1


def test_the_filters_survive_a_change_of_order(full: Wiring, visitor: Visitor) -> None:
    """A link to another order must not show another table."""
    page = visitor.get("/boards/people", params={"source": JUDGE, "cells": "all", "q": "a"}).text

    link = re.search(r'href="(/boards/people\?[^"]*sort=votes[^"]*)"', page)
    assert link
    for part in (f"source={JUDGE}", "cells=all", "q=a"):
        assert part in link[1]


def test_part_of_a_name_narrows_the_table(rated: Wiring, visitor: Visitor) -> None:
    """On a board of hundreds one looks for one."""
    some = visitor.get("/boards/people", params={"q": "CED"}).text
    none = visitor.get("/boards/people", params={"q": "<b>"}).text

    assert len([row for row in rows_of(some) if "cedar" in row]) == 1
    assert not [row for row in rows_of(some) if "birch" in row]
    assert "<b>”" not in none
    assert "No model’s name has “&lt;b&gt;” in it." in none


@pytest.mark.parametrize(
    "params", [{"source": "nobody"}, {"sort": "luck"}, {"cells": "some"}, {"format": "pdf"}]
)
def test_what_there_is_not_is_refused_in_words(
    rated: Wiring, visitor: Visitor, params: dict[str, str]
) -> None:
    """Another table than the one that was asked for would be taken for it."""
    page = visitor.get("/boards/people", params=params)

    assert page.status_code == 422


@pytest.mark.parametrize(
    "hostile", ["%00", "%ED%A0%80", "%FF", "a" * 5000, "%F0%9F%98%80%E2%80%AE"]
)
@pytest.mark.parametrize("field", ["q", "source", "sort", "cells", "format"])
def test_no_query_breaks_a_board(
    visitor: Visitor, wiring: Wiring, field: str, hostile: str
) -> None:
    """Whatever stands in the address, the answer is a table or a refusal in words."""
    with wiring.sessions.begin() as session:
        add_board(session)

    for path in ("/boards/people", "/api/v1/boards/people"):
        assert visitor.get(f"{path}?{field}={hostile}").status_code in {200, 422}


def test_an_unknown_board_is_a_404_that_names_those_there_are(
    rated: Wiring, visitor: Visitor
) -> None:
    """A mistyped address must lead somewhere."""
    page = visitor.get("/boards/persons")

    assert page.status_code == 404
    assert "Boards here: people." in page.text


def test_simulated_stands_wherever_the_numbers_do(wiring: Wiring, visitor: Visitor) -> None:
    """A made-up history must never be quoted as a finding."""
    add_rated(wiring, is_simulated=True)

    page = visitor.get("/boards/people").text
    drawing = visitor.get("/boards/people", params={"format": "svg"}).text
    start = visitor.get("/").text

    assert "simulated votes" in text_of(page)
    assert "125 by 125 voters, a simulated history" in text_of(page)
    assert "Simulated." in text_of(page)
    assert "simulated votes" in drawing
    assert "simulated votes" in text_of(start)


def test_a_board_without_ratings_says_how_to_get_some(wiring: Wiring, visitor: Visitor) -> None:
    """An empty page that offers nothing to do is a dead end."""
    with wiring.sessions.begin() as session:
        add_pool(session, add_board(session), add_models(session, "ash", "birch"), prompts=1)

    page = visitor.get("/boards/people")
    battle = visitor.submit(page, "/battles")

    assert "<h1>Nothing has been compared yet</h1>" in page.text
    assert "arena import votes FILE --board people" in page.text
    assert battle.url.path.startswith("/battles/")


def test_votes_wanted_are_told_before_the_first_vote(wiring: Wiring, visitor: Visitor) -> None:
    """Somebody who plans a board must know what a hundred votes buy."""
    with wiring.sessions.begin() as session:
        add_board(session)

    rows = rows_of(visitor.get("/boards/people").text)

    assert "100 ±68 64 % from one half" in [row.replace("\u00a0", " ") for row in rows]


def test_the_csv_holds_exactly_what_the_page_shows(full: Wiring, visitor: Visitor) -> None:
    """Absent numbers are empty fields with the kind beside, so that no program reads them as 0."""
    answer = visitor.get("/boards/people", params={"format": "csv", "q": "a"})

    lines = list(csv.DictReader(io.StringIO(answer.text)))
    twin = visitor.get("/api/v1/boards/people", params={"q": "a"}).json()
    assert answer.headers["content-type"].startswith("text/csv")
    assert [line["model"] for line in lines] == [model["model"] for model in twin["models"]]
    ash, twin_ash = (
        next(m for m in side if m["model"] == "ash") for side in (lines, twin["models"])
    )
    assert float(ash["rating"]) == twin_ash["rating"]
    assert ash["facts:exact_match,split=test"] == ""
    assert ash["facts:exact_match,split=test,missing"] == "not_run"
    assert float(ash["arithmetic:exact_match,split=test"]) == 0.75


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2", "@sum"])
def test_a_spreadsheet_finds_no_formula_in_the_csv(
    wiring: Wiring, visitor: Visitor, name: str
) -> None:
    """Anybody may name a model; a name must not run on the desk of whoever opens the file."""
    with wiring.sessions.begin() as session:
        add_pool(session, add_board(session), add_models(session, name), prompts=1)

    answer = visitor.get("/boards/people", params={"format": "csv"})

    assert answer.text.splitlines()[1].startswith(f"'{name}")


def test_the_drawing_stands_alone(rated: Wiring, visitor: Visitor) -> None:
    """It will be pasted into a report, so it names the board, the run and every model."""
    answer = visitor.get("/boards/people", params={"format": "svg"})

    assert answer.headers["content-type"].startswith("image/svg+xml")
    for part in ("ash leads", "125 votes by people", "birch", "cedar", "rating run"):
        assert part in answer.text
    assert answer.text.count("<rect") == 4


def test_the_json_has_every_number_in_full_and_null_for_none(
    full: Wiring, visitor: Visitor
) -> None:
    """A program must never have to parse a page, nor guess what a blank means."""
    twin = visitor.get("/api/v1/boards/people").json()

    assert twin["run"]["preferences"] == 125
    assert twin["source"] == "people"
    assert [source["name"] for source in twin["sources"]] == ["people", JUDGE]
    unrated = [model for model in twin["models"] if model["status"] != "rated"]
    assert {model["model"] for model in unrated} == {"dawn", "elm"}
    assert all(model["rating"] is None and model["reason"] for model in unrated)
    elm = next(model for model in unrated if model["model"] == "elm")
    assert elm["cells"]["facts:exact_match,split=test"]["missing"] == "withheld"
    assert elm["cells"]["facts:exact_match,split=test"]["reason"] == REASONS["withheld"]


def test_the_page_links_its_twin_with_what_was_asked(rated: Wiring, visitor: Visitor) -> None:
    """The twin of a page is the twin of exactly this page."""
    page = visitor.get("/boards/people", params={"source": JUDGE, "sort": "votes"}).text

    link = re.search(r'<link rel="alternate" type="application/json" href="([^"]+)"', page)
    assert link
    twin = visitor.get(link[1].replace("&amp;", "&")).json()
    assert twin["source"] == JUDGE
    assert visitor.get("/boards/people?format=json").json()["source"] == "people"


def test_names_and_words_are_text_wherever_they_stand(wiring: Wiring, visitor: Visitor) -> None:
    """Whoever may name a board or a model must not be able to script a page."""
    add_rated(wiring)
    with wiring.sessions.begin() as session:
        session.scalars(select(BoardRow)).one().title = "<script>alert(1)</script>"
        session.scalars(select(ModelRow).where(ModelRow.name == "ash")).one().name = '"><img src=x>'

    for path in ("/", "/boards/people", "/boards/people?format=svg"):
        text = visitor.get(path).text
        assert "<script>alert" not in text
        assert "<img" not in text
