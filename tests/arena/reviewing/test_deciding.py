"""Decisions about voters are kept, in order, each with who, why and what was seen."""

from collections.abc import Callable

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from arena.errors import ConflictError, InputError, UnknownVoterError
from arena.reviewing import Signed, quarantine, release
from arena.reviewing.short_names import find_voter, short_name
from arena.store.preferences import Source, read_watermark
from arena.store.reviews import newest_review, read_left_out
from arena.store.tables import EventRow, VoteRow, VoterReviewRow
from arena.wiring import Wiring
from tests.arena.reviewing.ballot_boxes import KEY, VOTES, fill_board

LEFTY = short_name(KEY, "lefty")


@pytest.fixture
def board_id(wiring: Wiring) -> int:
    return fill_board(wiring, {"lefty": "always left"})


def decide(
    wiring: Wiring, decision: Callable[..., object], typed: str = LEFTY, reason: str = "Seen."
) -> None:
    with wiring.sessions.begin() as session:
        decision(session, "people", [typed], signed=Signed("kim", reason), key=KEY)


def left_out(wiring: Wiring, board_id: int, up_to: int) -> tuple[int, int]:
    with wiring.sessions.begin() as session:
        source = Source(board_id, None)
        watermark = read_watermark(session, source) or 0
        found = read_left_out(session, source, watermark=watermark, up_to=up_to)
        return found.votes, found.voters


def test_a_decision_keeps_what_was_seen_then(wiring: Wiring, board_id: int) -> None:
    """Whoever looks at it again needs to know what it rested on."""
    decide(wiring, quarantine, reason="  Left, always left.  ")

    with wiring.sessions.begin() as session:
        review = session.scalars(select(VoterReviewRow)).one()
    assert (review.voter, review.decision, review.actor) == ("lefty", "quarantined", "kim")
    assert (review.reason, review.test) == ("Left, always left.", "seat")
    assert review.evidence["left"] == VOTES
    assert review.evidence["p_value"] < 1e-6


def test_each_decision_is_an_event_without_the_voter(wiring: Wiring, board_id: int) -> None:
    """Events are read by many: the short name is enough."""
    decide(wiring, quarantine)
    decide(wiring, release)

    with wiring.sessions.begin() as session:
        events = session.scalars(select(EventRow).order_by(EventRow.id)).all()
    assert [(event.action, event.subject) for event in events[-2:]] == [
        ("voter quarantined", f"people/{LEFTY}"),
        ("voter released", f"people/{LEFTY}"),
    ]
    assert "lefty" not in str([event.detail for event in events])


def test_no_vote_is_touched(wiring: Wiring, board_id: int) -> None:
    """Quarantine is a decision beside the votes, never a change of them."""
    with wiring.sessions.begin() as session:
        before = session.execute(select(VoteRow.__table__).order_by(VoteRow.id)).all()

    decide(wiring, quarantine)

    with wiring.sessions.begin() as session:
        assert session.execute(select(VoteRow.__table__).order_by(VoteRow.id)).all() == before


def test_what_was_in_force_at_a_number_stays_so(wiring: Wiring, board_id: int) -> None:
    """A run names the newest decision it read; what is decided later does not change what it left out."""
    numbers = [0]
    for decision in (quarantine, release, quarantine):
        decide(wiring, decision)
        with wiring.sessions.begin() as session:
            numbers.append(newest_review(session, board_id))

    found = [left_out(wiring, board_id, number) for number in numbers]

    assert found == [(0, 0), (VOTES, 1), (0, 0), (VOTES, 1)]


def test_a_judge_is_no_voter(wiring: Wiring, board_id: int) -> None:
    """Of a judge's verdicts nothing is left out."""
    decide(wiring, quarantine)

    with wiring.sessions.begin() as session:
        up_to = newest_review(session, board_id)
        found = read_left_out(session, Source(board_id, 7), watermark=10**9, up_to=up_to)
    assert found.rows == []


def test_a_decision_in_force_is_not_taken_twice(wiring: Wiring, board_id: int) -> None:
    """Two who decide the same at once: the second is told who did."""
    decide(wiring, quarantine)

    with pytest.raises(ConflictError, match="quarantined already, by kim"):
        decide(wiring, quarantine)


def test_a_suspect_can_be_let_go_at_once(wiring: Wiring, board_id: int) -> None:
    """Somebody looked and found nothing: that is written down too."""
    decide(wiring, release, reason="A left-handed tester, asked in person.")

    assert left_out(wiring, board_id, 10**9) == (0, 0)
    with pytest.raises(ConflictError, match="released already"):
        decide(wiring, release)


def test_a_decision_without_a_reason_is_refused(wiring: Wiring, board_id: int) -> None:
    """Nobody could review it."""
    with pytest.raises(InputError, match="Say what was seen"):
        decide(wiring, quarantine, reason="   ")


def test_decisions_cannot_be_rewritten(wiring: Wiring, board_id: int) -> None:
    """A run names them by number: they must stay what they were."""
    decide(wiring, quarantine)

    for statement in ("UPDATE voter_review SET decision = 'released'", "DELETE FROM voter_review"):
        with wiring.sessions() as session, pytest.raises(IntegrityError, match="append-only"):
            session.execute(text(statement))


@pytest.mark.parametrize("typed", ["", "nobody", "zzzz"])
def test_a_name_of_nobody_is_refused(wiring: Wiring, board_id: int, typed: str) -> None:
    """An empty name must not mean everybody."""
    with pytest.raises(UnknownVoterError, match="No voter of this board"):
        decide(wiring, quarantine, typed)


def test_a_beginning_that_several_share_is_refused() -> None:
    """Sixteen characters begin a thousand names."""
    voters = [f"voter-{number}" for number in range(200)]
    name = short_name(KEY, voters[7])

    assert find_voter(KEY, voters, name.upper()) == voters[7]
    with pytest.raises(UnknownVoterError, match="voters of this board begin with"):
        find_voter(KEY, voters, name[0])


def test_short_names_need_the_key() -> None:
    """Without it nobody can tell whether a voter is on a list."""
    assert short_name(KEY, "lefty") != short_name(b"another key of sixteen bytes", "lefty")
