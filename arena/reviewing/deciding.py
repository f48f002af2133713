"""Putting voters in quarantine and releasing them. No vote is touched; every decision is kept."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

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
class Signed:
    """Who decides, and why, in their words."""

    actor: str
    reason: str


@dataclass(frozen=True)
class Decided:
    """A decision as it was taken: whose votes, by short name, and how many of them were examined."""

    board_id: int
    voter: str
    votes: int


def quarantine(
    session: Session, board_name: str, typed: Sequence[str], *, signed: Signed, key: bytes
) -> list[Decided]:
    """Leave the votes of voters, those to come too, out of the main ratings of a board.

    What the examination says of each is stored with the decision, whether or not it suspects them. All are
    decided about or, if one cannot be, none.

    Parameters
    ----------
    typed : sequence of str
        The voters' short names, or their beginnings.

    Raises
    ------
    UnknownBoardError, UnknownVoterError, NothingToRateError
        If there is no such board or voter, or nothing to examine.
    ConflictError
        If a voter is in quarantine already.
    InputError
        If no reason is given.
    """
    return _decide(session, board_name, typed, decision=Review.QUARANTINED, signed=signed, key=key)


def release(
    session: Session, board_name: str, typed: Sequence[str], *, signed: Signed, key: bytes
) -> list[Decided]:
    """Rate the votes of voters again; of those who were only suspected, write down that somebody looked.

    Raises
    ------
    UnknownBoardError, UnknownVoterError, NothingToRateError, InputError
        As for quarantine.
    ConflictError
        If a voter was released already.
    """
    return _decide(session, board_name, typed, decision=Review.RELEASED, signed=signed, key=key)


def _decide(
    session: Session,
    board_name: str,
    typed: Sequence[str],
    *,
    decision: Review,
    signed: Signed,
    key: bytes,
) -> list[Decided]:
    """Examine the board once, find everybody, and only then write anything."""
    signed = replace(signed, reason=_checked_reason(signed.reason))
    board = find_board(session, board_name)
    found = examine(session, board)
    voters = dict.fromkeys(find_voter(key, found.ballots.voters, each) for each in typed)
    names = {voter: short_name(key, voter) for voter in voters}
    for voter, name in names.items():
        _refuse_repetition(found, voter, decision, name)
    return [
        _write(session, board, name, review=_review_of(found, voter, board, decision, signed))
        for voter, name in names.items()
    ]


def _write(session: Session, board: BoardRow, name: str, *, review: VoterReviewRow) -> Decided:
    """Store a decision and the event of it, which names the voter shortly."""
    add_review(session, review)
    record(
        session,
        f"voter {review.decision}",
        f"{board.name}/{name}",
        actor=review.actor,
        detail={"review": review.id, "reason": review.reason, "test": review.test},
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


def _review_of(
    found: Examination, voter: str, board: BoardRow, decision: Review, signed: Signed
) -> VoterReviewRow:
    """Return the decision with what the examination says of the voter now."""
    evidence = found.evidence_of(found.ballots.voters.index(voter))
    return VoterReviewRow(
        board_id=board.id,
        voter=voter,
        decision=decision,
        reason=signed.reason,
        test=evidence.test,
        evidence=asdict(evidence),
        actor=signed.actor,
    )
