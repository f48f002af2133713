"""How a board is rated is chosen setting by setting, checked, and written down."""

import pytest
from sqlalchemy import select

from arena.errors import InputError, UnknownModelError
from arena.rating_runs.board_methods import Anchoring, MethodChange, change_method
from arena.rating_runs.inputs import method_of
from arena.rating_runs.method import Method
from arena.store.boards import find_board
from arena.store.tables import EventRow, RatingRunRow
from arena.terms import BothBad, Cluster, Interval, Outcome, Ties
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import publish
from tests.arena.rows import add_board, add_models, add_votes

EVERYTHING = MethodChange(
    ties=Ties.DAVIDSON,
    both_bad=BothBad.EXCLUDE,
    interval=Interval.SANDWICH,
    rounds=50,
    level=0.9,
    seed=7,
    position=True,
    cluster=Cluster.NONE,
    anchor=Anchoring("ash", 1200.0),
)


@pytest.fixture
def board(wiring: Wiring) -> Wiring:
    """A board of two models with votes of every outcome, each pair shown in both orders."""
    with wiring.sessions.begin() as session:
        people = add_board(session)
        ash, birch = add_models(session, "ash", "birch").values()
        for outcome, n in ((Outcome.A, 6), (Outcome.B, 3), (Outcome.TIE, 4)):
            add_votes(session, people, ash, birch, outcome=outcome, n=n)
            add_votes(session, people, birch, ash, outcome=outcome, n=n)
    return wiring


def change(wiring: Wiring, wanted: MethodChange) -> Method:
    with wiring.sessions.begin() as session:
        return change_method(session, "people", wanted, actor="kim")


def stored(wiring: Wiring) -> Method:
    with wiring.sessions() as session:
        return method_of(session, find_board(session, "people"))


def test_the_next_run_is_by_the_new_method(board: Wiring) -> None:
    """A setting that no run reads would be a promise only."""
    said = change(board, EVERYTHING)
    publish(board, "people")

    assert stored(board) == said
    with board.sessions() as session:
        run = session.scalars(select(RatingRunRow)).one()
    assert run.method["ties"] == "davidson"
    assert run.method["anchor"] == ["ash", 1200.0]
    assert run.findings["tie_parameter"] is not None
    assert run.findings["position_applied"] is True
    assert run.rounds_degenerate is None


def test_what_is_not_named_stays_as_it_was(board: Wiring) -> None:
    """A change of one setting must not put others back to a default."""
    change(board, EVERYTHING)

    after = change(board, MethodChange(level=0.8))

    assert after == change(board, MethodChange(level=0.8))
    assert (after.level, after.seed, after.position, after.anchor) == (0.8, 7, True, ("ash", 1200))


def test_an_anchor_is_taken_away_by_none(board: Wiring) -> None:
    """Without an anchor the mean of the rated models stands at 1000 again."""
    change(board, EVERYTHING)

    assert change(board, MethodChange(anchor=Anchoring(None))).anchor is None
    assert stored(board).anchor is None


def test_every_change_stands_in_the_events_with_what_was(board: Wiring) -> None:
    """Whoever finds the ratings changed can find out by whom, and from what."""
    change(board, MethodChange(ties=Ties.DAVIDSON, level=0.95))
    change(board, MethodChange(ties=Ties.DAVIDSON))

    with board.sessions() as session:
        event = session.scalars(select(EventRow).where(EventRow.action == "board.method")).one()
    assert (event.actor, event.subject) == ("kim", "people")
    assert event.detail == {"ties": {"was": "half", "is": "davidson"}}


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (MethodChange(rounds=0), "rounds is 0"),
        (MethodChange(seed=-1), "seed is -1"),
        (MethodChange(level=1.0), "level is 1.0"),
        (MethodChange(level=0.5), "level is 0.5"),
        (MethodChange(level=float("nan")), "level is nan"),
        (MethodChange(anchor=Anchoring("ash", float("inf"))), "the anchor stands at inf"),
    ],
)
def test_a_number_out_of_range_changes_nothing(
    board: Wiring, wanted: MethodChange, found: str
) -> None:
    """A board must never hold a method by which no run could be made."""
    before = stored(board)

    with pytest.raises(InputError, match=found):
        change(board, wanted)

    assert stored(board) == before


def test_an_anchor_must_be_a_model_that_there_is(board: Wiring) -> None:
    """A scale fixed at a typing error would be fixed at nothing."""
    with pytest.raises(UnknownModelError, match="'oak'"):
        change(board, MethodChange(anchor=Anchoring("oak")))
