"""A run leaves out the votes of voters in quarantine, keeps the ratings with them, and can be computed again."""

from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pytest
from sqlalchemy import select, text

from arena import rating_runs
from arena.reviewing import Signed, quarantine, release
from arena.reviewing.short_names import short_name
from arena.store.preferences import Source
from arena.store.tables import BoardRow, ModelRow, RatingRow, RatingRunRow, RatingViewRow
from arena.wiring import Wiring
from tests.arena.reviewing.ballot_boxes import (
    HONEST,
    KEY,
    NAMES,
    VOTES,
    add_ballots,
    count_everything,
    fill_board,
)
from tests.ranking.anomalies.voting import TARGET, hall

PUSHER = short_name(KEY, "pusher")
HONEST_VOTES = HONEST * VOTES


@pytest.fixture
def board_id(wiring: Wiring) -> int:
    """A board on which one voter votes for one model only."""
    return fill_board(wiring, {"pusher": "target only"})


def refit(wiring: Wiring, board_id: int) -> RatingRunRow:
    """Refit the people of the board and return the published run."""
    source = Source(board_id, None)
    with wiring.sessions.begin() as session:
        rating_runs.request(session, source)
    assert rating_runs.refit(wiring, source) == 1
    with wiring.sessions.begin() as session:
        return session.scalars(select(RatingRunRow).order_by(RatingRunRow.id.desc())).first()


def decide(wiring: Wiring, decision: Callable[..., object]) -> None:
    with wiring.sessions.begin() as session:
        decision(session, "people", [PUSHER], signed=Signed("kim", "One model only."), key=KEY)


def numbers(wiring: Wiring, run: RatingRunRow) -> dict[int, tuple[float | None, ...]]:
    with wiring.sessions.begin() as session:
        rows = session.scalars(select(RatingRow).where(RatingRow.rating_run_id == run.id))
        return {row.model_id: (row.rating, row.lower, row.upper, row.rank) for row in rows}


def with_flagged(wiring: Wiring, run: RatingRunRow) -> dict[int, tuple[float | None, ...]]:
    of_view = (RatingViewRow.rating_run_id == run.id, RatingViewRow.view == "with flagged")
    with wiring.sessions.begin() as session:
        rows = session.scalars(select(RatingViewRow).where(*of_view))
        return {row.model_id: (row.rating, row.lower, row.upper, row.rank) for row in rows}


def target_id(wiring: Wiring) -> int:
    with wiring.sessions.begin() as session:
        return session.scalars(select(ModelRow.id).where(ModelRow.name == NAMES[TARGET])).one()


def replayed(wiring: Wiring, run: RatingRunRow) -> rating_runs.Replay:
    with wiring.sessions.begin() as session:
        return rating_runs.replay(session, run.id)


def test_the_main_ratings_leave_the_votes_out_and_both_are_kept(
    wiring: Wiring, board_id: int
) -> None:
    """The reading with them is that of the run before the decision, to the last digit."""
    before = refit(wiring, board_id)
    decide(wiring, quarantine)

    after = refit(wiring, board_id)

    target = target_id(wiring)
    assert with_flagged(wiring, before) == {}
    assert with_flagged(wiring, after) == numbers(wiring, before)
    assert numbers(wiring, after)[target][0] < numbers(wiring, before)[target][0] - 5


def test_the_run_says_what_it_left_out(wiring: Wiring, board_id: int) -> None:
    """How many votes of how many voters, by which decisions; its counts and its people are the others."""
    before = refit(wiring, board_id)
    decide(wiring, quarantine)

    after = refit(wiring, board_id)

    assert (before.preferences, before.voters) == (HONEST_VOTES + VOTES, HONEST + 1)
    assert before.selection["quarantined"] == {"up_to": 0, "voters": 0, "votes": 0}
    assert (after.preferences, after.voters) == (HONEST_VOTES, HONEST)
    assert after.selection["quarantined"] | {"up_to": 0} == {
        "up_to": 0,
        "voters": 1,
        "votes": VOTES,
    }
    assert after.selection["quarantined"]["up_to"] > 0
    assert after.warnings["excluded"] == {"of voters in quarantine": VOTES}


def test_a_later_decision_does_not_change_what_was_published(wiring: Wiring, board_id: int) -> None:
    """Each run is computed again with the decisions of its own time."""
    runs = [refit(wiring, board_id)]
    for decision in (quarantine, release, quarantine):
        decide(wiring, decision)
        runs.append(refit(wiring, board_id))

    found = [replayed(wiring, run) for run in runs]

    assert [each.agrees for each in found] == [True] * 4
    assert len({each.counts_digest for each in found}) == 2
    assert numbers(wiring, runs[0]) == numbers(wiring, runs[2])
    assert [run.voters for run in runs] == [HONEST + 1, HONEST, HONEST + 1, HONEST]


def test_votes_cast_in_quarantine_are_left_out_too(wiring: Wiring, board_id: int) -> None:
    """Nobody has to decide anew about every vote."""
    decide(wiring, quarantine)
    town = hall(np.random.default_rng(8))
    with wiring.sessions.begin() as session:
        board = session.get_one(BoardRow, board_id)
        models = {row.name: row for row in session.scalars(select(ModelRow))}
        more = town.vote("target only", 30)
        add_ballots(session, board, models, "pusher", more, since=datetime(2026, 6, 1, tzinfo=UTC))
    count_everything(wiring)

    run = refit(wiring, board_id)

    assert run.preferences == HONEST_VOTES
    assert run.selection["quarantined"]["votes"] == VOTES + 30


def test_a_replay_looks_at_the_other_reading_too(wiring: Wiring, board_id: int) -> None:
    """A number that was tampered with is found there as well, and its reading is named."""
    decide(wiring, quarantine)
    run = refit(wiring, board_id)
    with wiring.sessions.begin() as session:
        session.execute(text("ALTER TABLE rating_view DISABLE TRIGGER ALL"))
        session.execute(
            text("UPDATE rating_view SET lower = lower - 1 WHERE model_id = :target"),
            {"target": target_id(wiring)},
        )

    found = replayed(wiring, run)

    assert found.differing == (f"{NAMES[TARGET]} (with flagged)",)
    assert found.largest_difference == pytest.approx(1.0)
