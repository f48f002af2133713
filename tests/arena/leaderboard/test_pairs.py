"""Who met whom, and what may be said of two models."""

import pytest
from sqlalchemy.orm import Session

from arena import leaderboard
from arena.errors import UnknownModelError
from arena.leaderboard import AskedPairs
from arena.store.preferences import count_new
from arena.terms import Outcome
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_votes


def test_a_pair_is_counted_alike_from_both_sides(voted: Wiring) -> None:
    """Who is named first must not change what was seen."""
    with voted.sessions.begin() as session:
        one = leaderboard.read_pairs(session, "people", AskedPairs(model="ash", other="birch"))
        other = leaderboard.read_pairs(session, "people", AskedPairs(model="birch", other="ash"))

    a, b = one.chosen, other.chosen
    assert a is not None
    assert b is not None
    assert (a.wins, a.losses, a.shown_first) == (30, 10, 40)
    assert (b.wins, b.losses, b.shown_first) == (10, 30, 0)
    assert a.seen is not None
    assert b.seen is not None
    assert a.seen.value == pytest.approx(1 - b.seen.value)
    assert a.difference is not None
    assert b.difference is not None
    assert a.difference.points == pytest.approx(-b.difference.points)
    assert a.difference.expected.value == pytest.approx(1 - b.difference.expected.value)


def test_what_all_votes_make_us_expect_is_near_what_was_seen(voted: Wiring) -> None:
    """The board is close to a Bradley-Terry model, so the two shares must agree within the interval."""
    with voted.sessions.begin() as session:
        view = leaderboard.read_pairs(session, "people", AskedPairs(model="ash", other="cedar"))

    pair = view.chosen
    assert pair is not None
    assert pair.seen is not None
    assert pair.difference is not None
    assert pair.seen.lower is not None
    assert pair.seen.upper is not None
    assert pair.seen.lower < pair.difference.expected.value < pair.seen.upper


def test_a_model_without_a_rating_has_no_difference(voted: Wiring) -> None:
    """No number of points is far enough above for a model that never lost."""
    with voted.sessions.begin() as session:
        view = leaderboard.read_pairs(session, "people", AskedPairs(model="dawn", other="ash"))

    assert view.chosen is not None
    assert view.chosen.battles == 5
    assert view.chosen.difference is None


def test_pairs_that_never_met_are_counted(voted: Wiring) -> None:
    """Their order rests on the models between them, and the reader must know."""
    with voted.sessions.begin() as session:
        joints = leaderboard.read_pairs(session, "people").joints

    assert joints.finding.headline == "All models are joined. 2 of 6 pairs never met."
    assert [(each.least, each.pairs) for each in joints.support] == [
        (0, 2),
        (1, 0),
        (5, 1),
        (10, 0),
        (20, 3),
    ]
    assert joints.fewest_opponents == ("dawn", 1)


def test_groups_that_never_meet_are_listed(session: Session) -> None:
    """No number of votes inside of two islands says which one is better."""
    board = add_board(session)
    ash, birch, cedar, dawn = add_models(session, "ash", "birch", "cedar", "dawn").values()
    for a, b in ((ash, birch), (cedar, dawn)):
        add_votes(session, board, a, b, outcome=Outcome.A, n=2)
    count_new(session)

    joints = leaderboard.read_pairs(session, "people").joints

    assert joints.groups == (("ash", "birch"), ("cedar", "dawn"))
    assert joints.finding.headline.startswith("2 groups of models never meet.")
    assert joints.told_apart is None


def test_a_board_without_votes_has_no_pairs(session: Session) -> None:
    """An empty page is a page."""
    add_board(session)

    view = leaderboard.read_pairs(session, "people", AskedPairs(whole=True))

    assert (view.models, view.pairs, view.chosen) == ((), (), None)
    assert view.joints.finding.headline == "No two models have met yet."


def test_a_model_that_is_not_on_the_board_is_named(voted: Wiring) -> None:
    """Its pairs would all read "never met", which would be true and of no use."""
    with voted.sessions.begin() as session, pytest.raises(UnknownModelError, match="oak"):
        leaderboard.read_pairs(session, "people", AskedPairs(model="oak", other="ash"))


def test_the_whole_list_holds_each_pair_that_met_once(voted: Wiring) -> None:
    """A reader of the JSON adds the battles up and gets all of them."""
    with voted.sessions.begin() as session:
        view = leaderboard.read_pairs(session, "people", AskedPairs(whole=True))

    assert len(view.pairs) == 4
    assert sum(pair.battles for pair in view.pairs) == 125
