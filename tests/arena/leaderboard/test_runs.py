"""The records behind the numbers."""

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from arena import leaderboard
from arena.errors import UnknownRatingRunError, UnknownRunError
from arena.store.tables import CompletionRow, RatingRunRow
from arena.terms import Missing, RunState
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import add_run, add_scenario
from tests.arena.rows import add_board, add_models, add_pool

ITEM = {"id": "1", "question": "Two and two?", "references": ["4"], "marks": {"exact_match": 1}}


def test_a_run_shows_its_scores_with_their_place_in_the_file(session: Session) -> None:
    """A number that cannot be found in its source cannot be checked."""
    ash = add_models(session, "ash")["ash"]
    scored = {"value": 0.5, "lower": 0.2, "upper": 0.8, "n": 8, "pointer": "line 7"}
    absent = {"metric": "ece", "value": None, "missing": "not_applicable", "reason": "no odds"}
    run = add_run(session, add_scenario(session, "birds"), ash, scored, absent)

    view = leaderboard.read_run(session, run.id)

    assert view.finding.headline == "Birds by ash: exact match 0.50"
    assert view.finding.lead == "Between 0.20 and 0.80, from 8 items."
    assert [cell.pointer for cell in view.cells] == ["line 7", "line 1"]
    assert view.cells[1].missing is Missing.NOT_APPLICABLE


def test_an_answer_that_can_be_drawn_is_withheld(session: Session) -> None:
    """Beside its model's name it would unblind every battle that it is in."""
    models = add_models(session, "ash", "birch")
    add_pool(session, add_board(session), models, prompts=1)
    secret = session.query(CompletionRow).filter_by(model_id=models["ash"].id).one()
    items = [ITEM | {"answer": secret.text}, ITEM | {"answer": "4"}]
    run = add_run(session, add_scenario(session, "sums"), models["ash"], record={"items": items})

    before = leaderboard.read_run(session, run.id)
    session.execute(update(CompletionRow).values(in_pool=False))
    after = leaderboard.read_run(session, run.id)

    assert ([item.answer for item in before.items], before.withheld) == ([None, "4"], 1)
    assert ([item.answer for item in after.items], after.withheld) == ([secret.text, "4"], 0)
    assert secret.text not in str(before)


def test_a_record_of_another_shape_is_kept_as_it_is(session: Session) -> None:
    """Each tool writes its own; what is not a list of items is no list of items."""
    ash = add_models(session, "ash")["ash"]
    record = {"items": "none", "run_spec": {"seed": 1}}
    run = add_run(session, add_scenario(session, "birds"), ash, record=record)

    view = leaderboard.read_run(session, run.id)

    assert view.items == ()
    assert view.record == {"run_spec": {"seed": 1}}
    assert view.finding.lead == "This run has no score of its whole test set."


def test_a_published_rating_run_names_its_inputs(voted: Wiring) -> None:
    """What is needed to compute it again is on its page."""
    with voted.sessions.begin() as session:
        board = leaderboard.read_board(session, "people")
        assert board.run is not None
        view = leaderboard.read_rating_run(session, board.run.id)

    assert view.state is RunState.PUBLISHED
    assert view.run == board.run
    assert view.finding.headline == f"Rating run {view.id}: 3 of 4 models rated"
    assert [model.rating for model in view.models if model.is_rated] == [
        model.rating for model in board.rated
    ]


def test_a_failed_rating_run_keeps_its_reason(session: Session) -> None:
    """A run that is not there at all would look like one that nobody asked for."""
    board = add_board(session)
    run = RatingRunRow(board_id=board.id, state=RunState.FAILED, reason="Out of memory.")
    session.add(run)
    session.flush()

    view = leaderboard.read_rating_run(session, run.id)

    assert (view.run, view.reason, view.models) == (None, "Out of memory.", ())


def test_numbers_that_no_run_has_are_refused(session: Session) -> None:
    """The error says which kind of run was looked for."""
    with pytest.raises(UnknownRunError):
        leaderboard.read_run(session, 1)
    with pytest.raises(UnknownRatingRunError):
        leaderboard.read_rating_run(session, 1)
