"""Two models of a board: apart, practically equal, or how many more votes."""

import pytest
from sqlalchemy.orm import Session

from arena import leaderboard
from arena.errors import InputError, NotRatedError, UnknownBoardError, UnknownModelError
from arena.leaderboard import AskedComparison, AskedPairs, SourceComparison, Weighed
from arena.store.tables import BoardRow, ModelRow
from arena.terms import Outcome
from arena.wiring import Wiring
from ranking import Decision
from tests.arena.leaderboard.rated import publish
from tests.arena.rows import add_board, add_models, add_votes


def by_people(wiring: Wiring, asked: AskedComparison) -> SourceComparison:
    with wiring.sessions.begin() as session:
        [people] = leaderboard.read_comparison(session, "people", asked).sources
    return people


def weighed(wiring: Wiring, asked: AskedComparison) -> Weighed:
    difference = by_people(wiring, asked).difference
    assert difference is not None
    return difference


def test_the_interval_for_one_look_is_that_of_the_page(voted: Wiring) -> None:
    """The command and the page of pairs must not tell two stories."""
    found = weighed(voted, AskedComparison("ash", "birch"))

    with voted.sessions.begin() as session:
        pair = leaderboard.read_pairs(session, "people", AskedPairs(model="ash", other="birch"))
    assert pair.chosen is not None
    shown = pair.chosen.difference
    assert shown is not None
    assert found.points == pytest.approx(shown.points)
    assert (found.once.lower, found.once.upper) == pytest.approx((shown.lower, shown.upper))


def test_models_far_apart_are_separated_while_watching(voted: Wiring) -> None:
    """70 to 10 against common opponents and each other: sure by the wider interval too."""
    found = by_people(voted, AskedComparison("ash", "cedar"))

    assert found.difference is not None
    assert found.difference.decision is Decision.SEPARATED
    assert (found.difference.further_of_pair, found.difference.further_of_board) == (0, 0)
    assert found.finding.endswith("Separated: ash stands above.")


def test_from_the_other_side_it_is_the_same_with_the_sign_turned(voted: Wiring) -> None:
    """The order of the names is the order of the subtraction and nothing else."""
    there = weighed(voted, AskedComparison("ash", "cedar"))
    back = by_people(voted, AskedComparison("cedar", "ash"))

    assert back.difference is not None
    assert back.difference.points == pytest.approx(-there.points)
    assert back.difference.once.lower == pytest.approx(-there.once.upper)
    assert back.finding.endswith("Separated: ash stands above.")


def add_ballots(session: Session, board: BoardRow, models: dict[str, ModelRow]) -> None:
    """A hundred votes on ash and birch: 50 to 30, and 20 ties."""
    for outcome, n in ((Outcome.A, 50), (Outcome.B, 30), (Outcome.TIE, 20)):
        add_votes(session, board, models["ash"], models["birch"], outcome=outcome, n=n)


def test_the_votes_that_an_open_pair_is_said_to_need_settle_it(wiring: Wiring) -> None:
    """A hundred votes leave it open; so many more of the same kind as were asked for, and it is settled.

    The two are the whole board, so that both numbers of votes are one.
    """
    with wiring.sessions.begin() as session:
        board, models = add_board(session), add_models(session, "ash", "birch")
        add_ballots(session, board, models)
    publish(wiring, "people")
    found = by_people(wiring, AskedComparison("ash", "birch"))
    assert found.difference is not None
    assert found.difference.decision is Decision.OPEN
    further = found.difference.further_of_pair
    assert further is not None
    assert further == found.difference.further_of_board
    assert 100 < further < 200
    assert f"about {round(further, -1)} more votes between the two" in found.finding

    for decision in (Decision.OPEN, Decision.SEPARATED):
        with wiring.sessions.begin() as session:
            add_ballots(session, board, models)
        publish(wiring, "people")
        assert weighed(wiring, AskedComparison("ash", "birch")).decision is decision


def test_within_a_wide_margin_models_are_practically_equal(voted: Wiring) -> None:
    """Who does not care for 900 points has an answer; sure order within the margin does not matter."""
    found = by_people(voted, AskedComparison("ash", "cedar", margin=900))

    assert found.finding.endswith("Practically equal: within 900 points either way.")


def test_a_lower_level_asks_for_less(voted: Wiring) -> None:
    """As a rule the level is that of the run."""
    usual, bold = (
        weighed(voted, AskedComparison("ash", "birch", level=level)) for level in (None, 0.5)
    )

    assert (usual.level, bold.level) == (0.95, 0.5)
    assert bold.once.upper - bold.once.lower < usual.once.upper - usual.once.lower


def test_equal_models_are_not_separated_by_any_number_of_votes(wiring: Wiring) -> None:
    """Without a margin there is no number to print, and it is said what helps."""
    with wiring.sessions.begin() as session:
        board, models = add_board(session), add_models(session, "ash", "birch")
        for outcome in (Outcome.A, Outcome.B):
            add_votes(session, board, models["ash"], models["birch"], outcome=outcome, n=30)
    publish(wiring, "people")

    found = by_people(wiring, AskedComparison("ash", "birch"))

    assert found.difference is not None
    assert found.difference.further_of_pair is None
    assert "no number of votes separates equal models" in found.finding


def test_before_the_first_look_there_is_no_interval_for_watching(wiring: Wiring) -> None:
    """A limit theorem has nothing to say of twelve votes."""
    with wiring.sessions.begin() as session:
        board, models = add_board(session), add_models(session, "ash", "birch")
        for outcome, n in ((Outcome.A, 8), (Outcome.B, 4)):
            add_votes(session, board, models["ash"], models["birch"], outcome=outcome, n=n)
    publish(wiring, "people")

    found = by_people(wiring, AskedComparison("ash", "birch", margin=10))

    assert found.difference is not None
    assert found.difference.watched is None
    assert "none yet for watching" in found.finding
    assert "Open: neither separated nor within 10 points." in found.finding


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ("dawn", "dawn has no finite rating: never lost to or tied with the rated models"),
        ("elm", "elm has no finite rating: no votes yet"),
    ],
)
def test_a_model_without_a_rating_is_refused_with_the_reason(
    voted: Wiring, other: str, reason: str
) -> None:
    """No number of points is far enough above for a model that never lost."""
    with voted.sessions.begin() as session, pytest.raises(NotRatedError, match=reason):
        leaderboard.read_comparison(session, "people", AskedComparison("ash", other))


def test_a_board_without_a_run_says_so(session: Session) -> None:
    """Nothing to compare is not an empty answer."""
    add_board(session)
    add_models(session, "ash", "birch")

    with pytest.raises(NotRatedError, match="By people: no rating run is published yet"):
        leaderboard.read_comparison(session, "people", AskedComparison("ash", "birch"))


def test_votes_that_never_differ_separate_nothing(wiring: Wiring) -> None:
    """Sixty ties have no spread; a zero width would claim certainty."""
    with wiring.sessions.begin() as session:
        board, models = add_board(session), add_models(session, "ash", "birch")
        add_votes(session, board, models["ash"], models["birch"], outcome=Outcome.TIE, n=60)
    publish(wiring, "people")

    with wiring.sessions.begin() as session, pytest.raises(NotRatedError, match="no spread"):
        leaderboard.read_comparison(session, "people", AskedComparison("ash", "birch"))


def test_what_is_not_there_is_named(voted: Wiring) -> None:
    """A board, a model, or a second model."""
    with voted.sessions.begin() as session:
        with pytest.raises(UnknownBoardError, match="nowhere"):
            leaderboard.read_comparison(session, "nowhere", AskedComparison("ash", "birch"))
        with pytest.raises(UnknownModelError, match="oak"):
            leaderboard.read_comparison(session, "people", AskedComparison("ash", "oak"))
        with pytest.raises(InputError, match="with itself"):
            leaderboard.read_comparison(session, "people", AskedComparison("ash", "ash"))


@pytest.mark.parametrize(
    ("margin", "level", "complaint"),
    [(-1.0, None, "margin"), (float("nan"), None, "margin"), (0.0, 1.5, "level")],
)
def test_a_margin_or_level_that_makes_no_sense_is_refused(
    margin: float, level: float | None, complaint: str
) -> None:
    """Before anything is read."""
    with pytest.raises(InputError, match=complaint):
        AskedComparison("ash", "birch", margin=margin, level=level)
