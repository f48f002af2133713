"""Putting voters in quarantine and releasing them. No vote is touched; every decision is kept."""

from dataclasses import asdict, dataclass

from sqlalchemy.orm import Session

from arena.errors import ConflictError, InputError
from arena.reviewing.examining import Examination, examine
from arena.reviewing.short_names import find_voter, short_name
from arena.store.boards import find_board
from arena.store.registry import cleaned, record
from arena.store.reviews import add_review, is_quarantined
from arena.store.tables import BoardRow, VoterReviewRow
from arena.terms import Review

LONGEST_REASON = 2000


@dataclass(frozen=True)
class Decided:
    """A decision as it was taken: whose votes, and how many of them the next rating run reads differently."""

    board_id: int
    voter: str
    votes: int


def quarantine(
    session: Session, board_name: str, typed: str, *, actor: str, reason: str, key: bytes
) -> Decided:
    """Leave a voter's votes, those to come too, out of the main ratings of a board.

    What the examination says of the voter is stored with the decision, whether or not it suspects them.

    Parameters
    ----------
    typed : str
        The voter's short name, or its beginning.
    reason : str
        Why, in the words of whoever decides.

    Raises
    ------
    UnknownBoardError, UnknownVoterError, NothingToRateError
        If there is no such board or voter, or nothing to examine.
    ConflictError
        If the voter is in quarantine already.
    InputError
        If no reason is given.
    """
    return _decide(
        session, board_name, typed, Review.QUARANTINED, actor=actor, reason=reason, key=key
    )


def release(
    session: Session, board_name: str, typed: str, *, actor: str, reason: str, key: bytes
) -> Decided:
    """Rate a voter's votes again; of one who was only suspected, write down that somebody looked.

    Raises
    ------
    UnknownBoardError, UnknownVoterError, NothingToRateError, InputError
        As for quarantine.
    ConflictError
        If the voter was released already.
    """
    return _decide(session, board_name, typed, Review.RELEASED, actor=actor, reason=reason, key=key)


def _decide(
    session: Session,
    board_name: str,
    typed: str,
    decision: Review,
    *,
    actor: str,
    reason: str,
    key: bytes,
) -> Decided:
    reason = _checked_reason(reason)
    board = find_board(session, board_name)
    found = examine(session, board)
    voter = find_voter(key, found.ballots.voters, typed)
    name = short_name(key, voter)
    _refuse_repetition(found, voter, decision, name)
    review = _review_of(found, voter, board)
    review.decision, review.reason, review.actor = decision, reason, actor
    add_review(session, review)
    record(
        session,
        f"voter {decision}",
        f"{board.name}/{name}",
        actor=actor,
        detail={"review": review.id, "reason": reason, "test": review.test},
    )
    return Decided(board.id, name, (review.evidence or {}).get("votes", 0))


def _checked_reason(reason: str) -> str:
    reason = (cleaned(reason) or "").strip()
    if not 0 < len(reason) <= LONGEST_REASON:
        raise InputError(
            f"The reason has {len(reason)} characters; expected 1 to {LONGEST_REASON}. Say what was seen, for whoever "
            "looks at it again."
        )
    return reason


def _refuse_repetition(found: Examination, voter: str, decision: Review, name: str) -> None:
    """Refuse a decision that is in force already."""
    review = found.reviews.get(voter)
    if review is not None and is_quarantined(review) == (decision is Review.QUARANTINED):
        raise ConflictError(
            f"Voter {name} is {review.decision} already, by {review.actor} on {review.created_at:%Y-%m-%d}: "
            f"{review.reason}"
        )


def _review_of(found: Examination, voter: str, board: BoardRow) -> VoterReviewRow:
    """Return a decision about a voter with what the examination says, all but the decision itself."""
    evidence = found.evidence_of(found.ballots.voters.index(voter))
    return VoterReviewRow(
        board_id=board.id, voter=voter, test=evidence.test, evidence=asdict(evidence)
    )
