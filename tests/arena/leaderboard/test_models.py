"""What is shown of one model."""

import pytest
from sqlalchemy.orm import Session

from arena import leaderboard
from arena.errors import UnknownBoardError, UnknownModelError
from arena.leaderboard.models import MOST_PAST, thinned
from arena.store.leaderboard import PastRating
from arena.store.tables import ModelAliasRow
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import add_run, add_scenario, publish
from tests.arena.rows import add_board, add_models


def test_a_models_place_is_that_of_its_board(voted: Wiring) -> None:
    """Two pages that rank one model differently would both be doubted."""
    with voted.sessions.begin() as session:
        model = leaderboard.read_model(session, "birch")
        row = next(
            row for row in leaderboard.read_board(session, "people").rated if row.model == "birch"
        )

    assert model.shown is not None
    assert model.shown.standing is not None
    assert model.shown.standing.rating == row.rating
    assert (
        model.finding.headline == f"birch: ranked between {row.rank_low} and {row.rank_high} of 4"
    )
    assert [pair.other for pair in model.shown.against] == ["ash", "cedar"]
    assert model.shown.shown_first == 40


def test_a_model_without_a_rating_says_why(voted: Wiring) -> None:
    """The reason is the finding."""
    with voted.sessions.begin() as session:
        dawn = leaderboard.read_model(session, "dawn")
        elm = leaderboard.read_model(session, "elm")

    assert dawn.finding.headline == "dawn: no rating"
    assert dawn.finding.lead.startswith("Never lost to")
    assert elm.finding.headline == "elm: not compared yet"


def test_each_run_adds_to_the_history(voted: Wiring) -> None:
    """How an interval narrowed is seen only if the runs before are kept."""
    publish(voted, "people")

    with voted.sessions.begin() as session:
        model = leaderboard.read_model(session, "ash")

    assert model.shown is not None
    assert [past.preferences for past in model.shown.history] == [125, 125]


def test_a_long_history_is_thinned_and_keeps_its_newest() -> None:
    """A chart of ten thousand runs shows no more than one of twenty, and costs a page."""
    past = [PastRating(run, run, 1000.0, 990.0, 1010.0) for run in range(1000)]

    kept = thinned(past)

    assert len(kept) <= MOST_PAST
    assert kept[-1].run == 999
    assert [each.run for each in thinned(past[:5])] == [0, 1, 2, 3, 4]


def test_a_reviewed_alias_leads_to_its_model(session: Session) -> None:
    """Other boards write the name otherwise."""
    ash = add_models(session, "ash")["ash"]
    session.add(ModelAliasRow(model_id=ash.id, alias="vendor/ash-1", reviewed_by="a person"))
    session.flush()

    model = leaderboard.read_model(session, "vendor/ash-1").model

    assert (model.name, model.aliases) == ("ash", ("vendor/ash-1",))


def test_a_model_with_cells_alone_shows_them(session: Session) -> None:
    """Evidence of one kind does not wait for the other."""
    ash = add_models(session, "ash")["ash"]
    add_run(session, add_scenario(session, "birds"), ash, {"value": 0.5})

    view = leaderboard.read_model(session, "ash")

    assert view.shown is None
    assert [cell.value for cell in view.cells.values()] == [0.5]


def test_unknown_names_are_refused(session: Session) -> None:
    """A page on nothing would look like a model without votes."""
    add_models(session, "ash")
    add_board(session)

    with pytest.raises(UnknownModelError, match="oak"):
        leaderboard.read_model(session, "oak")
    with pytest.raises(UnknownBoardError, match="people"):
        leaderboard.read_model(session, "ash", "people")
