"""The pages of records: runs of scenarios, and rating runs."""

import pytest

from arena.store.tables import RunRow
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import add_run, add_scenario
from tests.arena.rows import add_models
from tests.web.awkward_board import SLASHED, add_awkward, newest_run
from tests.web.rated_board import add_rated, add_reading, newest_of, text_of
from tests.web.site import Visitor


def test_a_rating_run_shows_what_it_takes_to_compute_it_again(
    wiring: Wiring, visitor: Visitor
) -> None:
    """Inputs, method, seed and versions: without one of them nobody gets the same numbers."""
    add_awkward(wiring)
    number = newest_run(wiring)

    page = visitor.get(f"/rating-runs/{number}").text
    twin = visitor.get(f"/api/v1/rating-runs/{number}").json()

    assert f"arena replay {number}" in page
    assert twin["run"]["counts_digest"] in page
    assert twin["run"]["method"]["seed"] == 0
    assert "holistic-arena" in twin["run"]["versions"]
    assert [model["model"] for model in twin["models"]][1] == SLASHED


def test_a_rating_run_says_its_method_and_what_it_found(wiring: Wiring, visitor: Visitor) -> None:
    """In words, and as the command that comes to the same from a file."""
    add_rated(wiring)
    run = newest_of(wiring)

    page = visitor.get(f"/rating-runs/{run.id}").text
    twin = visitor.get(f"/api/v1/rating-runs/{run.id}").json()

    text = text_of(page)
    assert twin["run"]["command"] in text
    assert "--interval bootstrap --rounds 100 --level 0.95 --seed 0" in twin["run"]["command"]
    assert "Votes that go together none: each is taken by itself" in text
    assert "Classes of models ash; then birch; then cedar." in text
    assert "Scale mean of the rated models at 1000" in text


def test_a_rating_run_shows_any_of_its_readings(wiring: Wiring, visitor: Visitor) -> None:
    """Each reading has an address that can be quoted."""
    add_rated(wiring)
    run = newest_of(wiring).id
    add_reading(wiring, "without style", run, shift=50.0)

    main = visitor.get(f"/rating-runs/{run}")
    other = visitor.get(f"/rating-runs/{run}?reading=without+style")
    missing = visitor.get(f"/rating-runs/{run}?reading=nothing")
    twin = visitor.get(f"/api/v1/rating-runs/{run}?reading=without+style").json()

    assert f'href="/rating-runs/{run}?reading=without%20style#ratings"' in main.text
    assert "Ratings without the adjustment for style" in other.text
    assert missing.status_code == 422
    assert twin["reading"] == "without style"
    assert all(model["chance_best"] is None for model in twin["models"])


def test_a_run_shows_its_scores_and_where_they_stand(wiring: Wiring, visitor: Visitor) -> None:
    """The pointer is what leads from a number on the board back to its file."""
    item = {
        "id": "q1",
        "question": "<i>Two</i>?",
        "references": ["2"],
        "answer": "two",
        "marks": {"match": 0},
    }
    with wiring.sessions.begin() as session:
        ash = add_models(session, "ash")["ash"]
        cells = (
            {"value": 0.5, "n": 8},
            {"metric": "ece", "value": None, "missing": "undefined", "reason": "0 of 0"},
        )
        run = add_run(
            session, add_scenario(session, "birds"), ash, *cells, record={"items": [item]}
        ).id

    page = visitor.get(f"/runs/{run}").text
    twin = visitor.get(f"/api/v1/runs/{run}").json()

    assert "line 1" in page
    assert 'class="miss undefined"' in page
    assert "&lt;i&gt;Two&lt;/i&gt;?" in page
    assert twin["items"][0]["marks"] == {"match": 0}


def test_a_record_of_any_shape_has_a_page(wiring: Wiring, visitor: Visitor) -> None:
    """What a tool writes is not ours to choose."""
    with wiring.sessions.begin() as session:
        ash = add_models(session, "ash")["ash"]
        scenario = add_scenario(session, "birds")
        records: list[dict[str, object]] = [
            {},
            {"items": {}},
            {"items": [None, 7, {}, {"marks": "x", "references": 3, "answer": ["a"]}]},
            {"deep": [[[[{"a": None}]]]], "long": "x" * 50_000},
        ]
        for record in records:
            add_run(session, scenario, ash, record=record)
        numbers = [row.id for row in session.query(RunRow).order_by(RunRow.id)]

    for number in numbers:
        assert visitor.get(f"/runs/{number}").status_code == 200
        assert visitor.get(f"/api/v1/runs/{number}").status_code == 200


@pytest.mark.parametrize("kind", ["runs", "rating-runs"])
@pytest.mark.parametrize(
    ("number", "status"),
    [
        ("1", 404),
        (str(2**63 - 1), 404),
        (str(2**63), 422),
        ("0", 422),
        ("nan", 422),
        ("9" * 5000, 422),
        ("%00", 422),
    ],
)
def test_numbers_that_no_run_has_are_refused(
    visitor: Visitor, kind: str, number: str, status: int
) -> None:
    """No number is too large, too small or no number at all for a clear answer."""
    assert visitor.get(f"/{kind}/{number}").status_code == status
    assert visitor.get(f"/api/v1/{kind}/{number}").status_code == status
