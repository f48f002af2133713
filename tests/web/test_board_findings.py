"""The page of a board says what its run found beside the ratings, and shows its other readings."""

import csv
import io

import pytest

from arena.wiring import Wiring
from tests.arena.leaderboard.rated import publish_as
from tests.web.rated_board import add_rated, add_reading, newest_of, rows_of, text_of
from tests.web.site import Visitor

SEAT = {"estimate": 16.0, "lower": 4.0, "upper": 28.0}
FLAGGED = {"selection": {"quarantined": {"up_to": 1, "voters": 1, "votes": 60}}}


@pytest.fixture
def rated(wiring: Wiring) -> Wiring:
    """The board `people` with ratings and a judge."""
    add_rated(wiring)
    return wiring


def found(wiring: Wiring, **findings: object) -> int:
    """The newest run, published once more with other findings."""
    run = newest_of(wiring)
    return publish_as(wiring, run.id, findings=(run.findings or {}) | findings)


def facts(visitor: Visitor) -> str:
    """The head of the page, on one line."""
    page = visitor.get("/boards/people").text
    return text_of(page[page.index('<dl class="facts') : page.index("</dl>")])


def test_the_set_is_the_claim_and_the_range_stands_beside(rated: Wiring, visitor: Visitor) -> None:
    """What holds for all models at once is bold; what published boards print can be compared."""
    page = visitor.get("/boards/people").text
    twin = visitor.get("/api/v1/boards/people").json()

    ash = twin["models"][1]
    assert ash["model"] == "ash"
    assert (ash["rank_set_low"], ash["rank_set_high"]) == (1, 2)
    assert (ash["rank_low"], ash["rank_high"]) == (1, 2)
    assert ash["chance_best"] > 0.99
    row = next(row for row in rows_of(page) if "ash" in row)
    assert row.startswith("1–2 (last of class 1) ash")
    assert "85 76 % 1–2 >99 %" in row.replace("\u00a0", " ")


def test_the_headline_follows_from_the_sets(rated: Wiring, visitor: Visitor) -> None:
    """A sentence by the ranges over a table by the sets would claim too much."""
    run = newest_of(rated)
    with rated.sessions.begin() as session:
        session.connection().exec_driver_sql(
            "ALTER TABLE rating DISABLE TRIGGER rating_append_only"
        )
        session.connection().exec_driver_sql(
            "UPDATE rating SET rank_set_low = 1, rank_set_high = 4 WHERE rating_run_id = "
            f"{run.id} AND status = 'rated'"
        )

    page = visitor.get("/boards/people").text

    assert "No order yet: each of the 3 rated models could be first." in page


def test_classes_are_parted_by_a_line_that_is_heard_too(rated: Wiring, visitor: Visitor) -> None:
    """A line alone says nothing to whoever does not see it; in another order it would mean nothing."""
    found(rated, indistinguishable=[["ash", "birch"], ["cedar"]])

    page = visitor.get("/boards/people").text
    by_name = visitor.get("/boards/people", params={"sort": "name"}).text

    assert page.count('class="parted"') == 1
    assert "2–3 (last of class 1) birch" in text_of(page)
    assert "2 classes can be told apart." in page
    assert 'class="parted"' not in by_name


def test_a_scale_that_half_ties_shrink_is_said_to_be(rated: Wiring, visitor: Visitor) -> None:
    """Points of two boards can be compared only if nobody has to guess at that."""
    found(rated, half_tie_slope=0.71)
    assert "half ties shrink this scale to 71 % of Davidson’s" in facts(visitor).replace(
        "\u00a0", " "
    )

    found(rated, half_tie_slope=0.99)
    assert "shrink" not in facts(visitor)


def test_a_tie_parameter_has_its_interval(wiring: Wiring, visitor: Visitor) -> None:
    """A number without one would look certain."""
    add_rated(wiring, ties="davidson")
    assert "Davidson, no parameter: it takes ties and decided votes" in facts(visitor)

    found(wiring, tie_parameter={"estimate": 0.62, "lower": 0.5, "upper": 0.75})
    assert "Davidson, parameter 0.62 (0.50 to 0.75)" in facts(visitor)


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ({"position": SEAT, "position_applied": False}, "+16 points (+4 to +28), averaged out"),
        ({"position": SEAT, "position_applied": True}, "+16 points (+4 to +28), taken out"),
        ({"position": None, "position_absent": "shown in one order"}, "not known: shown in one"),
    ],
)
def test_what_the_first_seat_gives_is_said_or_why_not(
    rated: Wiring, visitor: Visitor, findings: dict[str, object], said: str
) -> None:
    """It is there always: a reader must not have to trust that sides were judged alike."""
    found(rated, **findings)

    assert said in facts(visitor)
    position = visitor.get("/api/v1/boards/people").json()["run"]["findings"]["position"]
    assert position == findings["position"]


def test_the_rule_that_chose_the_intervals_is_stated(rated: Wiring, visitor: Visitor) -> None:
    """A choice that the numbers made must say by which numbers."""
    found(rated, interval="sandwich", interval_rule="the fewest points are 40")

    assert "by the covariance: the fewest points are 40" in facts(visitor)


def test_clusters_are_said_as_the_run_has_them(wiring: Wiring, visitor: Visitor) -> None:
    """That votes of one person go together must neither be claimed nor denied wrongly."""
    add_rated(wiring)
    alone = text_of(visitor.get("/boards/people").text)
    run = newest_of(wiring)
    publish_as(
        wiring,
        run.id,
        method=run.method | {"cluster": "voter-and-prompt"},
        findings=run.findings | {"clusters": [125, 13]},
    )
    together = text_of(visitor.get("/boards/people").text)

    assert "Votes are taken one by one." in alone
    assert "not for which prompts were asked" in alone
    assert "clustered by voter and prompt" in together
    assert "Votes of one person go together." in together
    assert "Intervals allow for which prompts were asked" in together


def test_votes_in_quarantine_lead_to_the_reading_with_them(rated: Wiring, visitor: Visitor) -> None:
    """What somebody left out must be there to be looked at."""
    run = publish_as(rated, newest_of(rated).id, **FLAGGED)
    add_reading(rated, "with flagged", run, shift=100.0)

    page = visitor.get("/boards/people")
    reading = visitor.get("/boards/people?reading=with+flagged")

    assert "60 votes of 1 voter in quarantine" in facts(visitor)
    assert 'href="/boards/people?reading=with+flagged">the reading with them' in page.text
    assert f"Another reading of rating run {run}: with the votes of voters in quarantine." in (
        reading.text
    )


def test_another_reading_takes_the_place_of_the_ratings(rated: Wiring, visitor: Visitor) -> None:
    """One reading at a time, named; what is of the ratings alone is not shown with it."""
    add_reading(rated, "category: coding", newest_of(rated).id, shift=100.0)
    main = visitor.get("/api/v1/boards/people").json()

    page = visitor.get("/boards/people", params={"reading": "category: coding", "sort": "votes"})
    twin = visitor.get("/api/v1/boards/people", params={"reading": "category: coding"}).json()
    file = visitor.get(
        "/boards/people", params={"reading": "category: coding", "format": "csv"}
    ).text

    assert main["run"]["readings"] == ["category: coding"]
    assert main["reading"] is None
    assert twin["reading"] == "category: coding"
    rated_by = {model["model"]: model["rating"] for model in main["models"] if model["rating"]}
    assert {
        model["model"]: model["rating"] - 100 for model in twin["models"] if model["rating"]
    } == pytest.approx(rated_by)
    assert "of the category coding alone" in page.text
    assert 'class="parted"' not in page.text
    assert "sort=name" in page.text
    assert "reading=category%3A+coding" in page.text
    assert [line["wins"] for line in csv.DictReader(io.StringIO(file))] == [""] * 4


def test_a_reading_that_the_run_lacks_is_refused_in_words(rated: Wiring, visitor: Visitor) -> None:
    """Another table than the one asked for would be taken for it."""
    add_reading(rated, "without style", newest_of(rated).id, shift=0.0)

    for path in ("/boards/people", "/api/v1/boards/people"):
        answer = visitor.get(path, params={"reading": "by moonlight"})
        assert answer.status_code == 422
        assert "without style" in answer.text


def test_an_older_run_says_why_it_lacks_these(rated: Wiring, visitor: Visitor) -> None:
    """Boards stay readable after an upgrade, and absent is not zero."""
    run = publish_as(rated, newest_of(rated).id, findings=None)
    with rated.sessions.begin() as session:
        session.connection().exec_driver_sql(
            "ALTER TABLE rating DISABLE TRIGGER rating_append_only"
        )
        session.connection().exec_driver_sql(
            "UPDATE rating SET rank_set_low = NULL, rank_set_high = NULL, chance_best = NULL "
            f"WHERE rating_run_id = {run}"
        )

    page = visitor.get("/boards/people")
    twin = visitor.get("/api/v1/boards/people").json()

    assert page.status_code == 200
    assert "none: This run is older than what is found beside ratings now." in facts(visitor)
    assert "First seat not fitted by this older run" in facts(visitor)
    assert "Each range stands for itself." in page.text
    assert "Is best" not in page.text
    assert twin["run"]["findings"] is None
    assert twin["run"]["findings_absent"].startswith("This run is older")
    assert visitor.get(f"/rating-runs/{run}").status_code == 200


def test_votes_to_flip_stand_beside_neighbours_where_a_run_has_them(
    rated: Wiring, visitor: Visitor
) -> None:
    """A lead that seven votes hold is another one than a lead that none do."""
    found(rated, votes_to_flip=[])
    without = visitor.get("/boards/people").text
    flips = [
        {"above": "ash", "below": "birch", "votes": 7, "confirmed": True},
        {"above": "birch", "below": "cedar", "votes": None, "confirmed": False},
    ]
    found(rated, votes_to_flip=flips)

    page = visitor.get("/boards/people").text

    assert "To flip" not in without
    rows = [row for row in rows_of(page) if "–" in row]
    assert ">99 % 7 " in rows[0].replace("\u00a0", " ")
    assert "no few votes would put cedar above" in rows[1]
    twin = visitor.get("/api/v1/boards/people").json()
    assert twin["run"]["findings"]["votes_to_flip"] == flips
