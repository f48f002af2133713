"""What speaks against the ratings of a board: planted faults are found, a plain board has none."""

from itertools import pairwise

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from arena import rating_runs
from arena.errors import NothingToRateError
from arena.rating_runs.diagnosing import ONE_MONTH, diagnose
from arena.rating_runs.diagnosis import Diagnosis
from arena.rating_runs.requesting import count_all
from arena.store.preferences import Source
from arena.terms import Outcome
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_votes

NAMES = ("ash", "birch", "cedar", "dogwood")
# Of ten battles each way: how often the earlier of two names won on a board that is as its ratings say.
WINS = {1: 12, 2: 14, 3: 16}


def fill(session: Session, wins: dict[tuple[str, str], int], *, of: int = 20) -> Source:
    board = add_board(session, rounds=100)
    models = add_models(session, *NAMES)
    for (a, b), n in wins.items():
        for outcome, times in ((Outcome.A, n), (Outcome.B, of - n)):
            add_votes(session, board, models[a], models[b], outcome=outcome, n=times)
    return Source(board.id, None)


def plain() -> dict[tuple[str, str], int]:
    return {
        (a, b): WINS[NAMES.index(b) - NAMES.index(a)]
        for a in NAMES
        for b in NAMES
        if NAMES.index(a) < NAMES.index(b)
    }


def circular() -> dict[tuple[str, str], int]:
    """Ash over birch over cedar over ash, eighteen times in twenty."""
    in_a_round = dict.fromkeys(pairwise(("ash", "birch", "cedar")), 18) | {("ash", "cedar"): 2}
    return plain() | in_a_round


def diagnosed(wiring: Wiring, wins: dict[tuple[str, str], int]) -> Diagnosis:
    with wiring.sessions.begin() as session:
        source = fill(session, wins)
    count_all(wiring)
    with wiring.sessions.begin() as session:
        rating_runs.request(session, source)
    assert rating_runs.refit(wiring, source) == 1
    with wiring.sessions.begin() as session:
        (found,) = diagnose(session, "people", shorten=lambda voter: voter[:4])
    return found


def test_a_plain_board_has_nothing_against_it(wiring: Wiring) -> None:
    """Chance is no finding; leads and voters are listed all the same."""
    found = diagnosed(wiring, plain())

    assert found.goodness_p > 0.05
    assert (found.surprises, found.circles, found.drifted) == ((), (), ())
    assert found.drift_absent == ONE_MONTH
    assert [(lead.above, lead.below) for lead in found.thin_leads] == list(pairwise(NAMES))
    assert all(lead.flips and lead.votes >= 1 for lead in found.thin_leads)
    assert found.pulls


def test_a_planted_circle_is_found_and_named(wiring: Wiring) -> None:
    """No rating of three models allows each to beat the next."""
    found = diagnosed(wiring, circular())

    assert found.goodness_p < 0.05
    assert set(found.circles[0].models) == {"ash", "birch", "cedar"}
    assert found.circles[0].is_cycle
    assert any(sentence.startswith("In a circle: ") for sentence in found.sentences())


def test_a_model_that_changed_behind_its_name_is_named(wiring: Wiring) -> None:
    """Dogwood loses all winter and wins in spring; the others stay as they were."""
    with wiring.sessions.begin() as session:
        source = fill(session, plain(), of=20)
    count_all(wiring)
    with wiring.sessions.begin() as session:
        session.execute(
            text(
                "INSERT INTO preference_count (board_id, judge_id, first_model_id, second_model_id, outcome,"
                " segment, day, n, last_sequence)"
                " SELECT board_id, judge_id, first_model_id, second_model_id,"
                " CASE WHEN model.name = 'dogwood' THEN CASE outcome WHEN 'a' THEN 'b' ELSE 'a' END"
                " ELSE outcome END, segment, day - 90, n, last_sequence"
                " FROM preference_count JOIN model ON model.id = second_model_id"
            )
        )
        rating_runs.request(session, source)
    assert rating_runs.refit(wiring, source) == 1

    with wiring.sessions.begin() as session:
        (found,) = diagnose(session, "people", shorten=lambda voter: voter[:4])

    assert found.drifted == ("dogwood",)


def test_a_board_without_ratings_has_nothing_to_diagnose(wiring: Wiring) -> None:
    """It says so instead of printing an empty page."""
    with wiring.sessions.begin() as session:
        add_board(session)

    with (
        wiring.sessions.begin() as session,
        pytest.raises(NothingToRateError, match="no published"),
    ):
        diagnose(session, "people", shorten=str)
