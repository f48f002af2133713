"""Queries of decisions about voters, and of the votes that they leave out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Row, func, select, text
from sqlalchemy.orm import Session

from arena.store.engine import allow_any_time
from arena.store.preferences import CountRow, Source
from arena.store.tables import VoterReviewRow
from arena.terms import Review

REVIEW_LOCK = 4_208_121
ROWS_AT_ONCE = 50_000

IN_FORCE = """
WITH newest AS (
    SELECT DISTINCT ON (voter) voter, decision FROM voter_review
    WHERE board_id = :board_id AND id <= :up_to ORDER BY voter, id DESC
), quarantined AS (
    SELECT voter FROM newest WHERE decision = 'quarantined'
)
"""
LEFT_OUT = (
    IN_FORCE
    + """
SELECT battle.model_a_id, battle.model_b_id, vote.outcome, count(*)::bigint
FROM quarantined JOIN vote ON vote.voter = quarantined.voter JOIN battle ON battle.id = vote.battle_id
WHERE battle.board_id = :board_id AND vote.sequence <= :watermark AND vote.outcome <> 'skip'
GROUP BY 1, 2, 3
"""
)
VOTERS_LEFT_OUT = (
    IN_FORCE
    + """
SELECT count(DISTINCT vote.voter)
FROM quarantined JOIN vote ON vote.voter = quarantined.voter JOIN battle ON battle.id = vote.battle_id
WHERE battle.board_id = :board_id AND vote.sequence <= :watermark AND vote.outcome <> 'skip'
"""
)
# A voter's votes in the order in which they were cast; of one moment, in the order in which they came.
VOTES = """
SELECT vote.voter, battle.model_a_id, battle.model_b_id, vote.outcome
FROM vote JOIN battle ON battle.id = vote.battle_id
WHERE battle.board_id = :board_id AND vote.sequence IS NOT NULL AND vote.outcome <> 'skip'
ORDER BY vote.voter, vote.cast_at, vote.id
"""


@dataclass(frozen=True)
class LeftOut:
    """What the decisions up to a number leave out of a source's preferences.

    Parameters
    ----------
    up_to : int
        The number of the newest decision on the board, 0 if there is none.
    rows : list of CountRow
        The counts of the quarantined voters' votes.
    voters : int
        How many quarantined voters have a vote among them.
    """

    up_to: int
    rows: list[CountRow]
    voters: int

    @property
    def votes(self) -> int:
        """How many votes are left out."""
        return sum(row.n for row in self.rows)

    def as_selection(self) -> dict[str, int]:
        """Return what a run stores of it: enough to leave out the same again."""
        return {"up_to": self.up_to, "voters": self.voters, "votes": self.votes}


def newest_review(session: Session, board_id: int) -> int:
    """Return the number of the newest decision on a board, 0 if there is none."""
    newest = select(func.max(VoterReviewRow.id)).where(VoterReviewRow.board_id == board_id)
    return session.scalar(newest) or 0


def read_left_out(session: Session, source: Source, *, watermark: int, up_to: int) -> LeftOut:
    """Return what the decisions up to a number leave out of the preferences up to a watermark.

    A judge is no voter: of its judgments nothing is left out.
    """
    if source.judge_id is not None or up_to == 0:
        return LeftOut(up_to, [], 0)
    allow_any_time(session)
    where = {"board_id": source.board_id, "watermark": watermark, "up_to": up_to}
    rows = [CountRow(*row) for row in session.execute(text(LEFT_OUT), where)]
    voters = int(session.scalars(text(VOTERS_LEFT_OUT), where).one()) if rows else 0
    return LeftOut(up_to, rows, voters)


def add_review(session: Session, review: VoterReviewRow) -> None:
    """Store a decision; numbers are drawn under one lock, so that their order is the order of commits."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": REVIEW_LOCK})
    session.add(review)
    session.flush()


def newest_reviews(session: Session, board_id: int) -> dict[str, VoterReviewRow]:
    """Return the decision in force for each voter of a board that somebody decided about."""
    of_board = select(VoterReviewRow).where(VoterReviewRow.board_id == board_id)
    rows = session.scalars(of_board.order_by(VoterReviewRow.id))
    return {row.voter: row for row in rows}


def stream_votes(session: Session, board_id: int) -> Iterator[Sequence[Row[str, int, int, str]]]:
    """Yield all counted votes of a board's people, by voter and in time, a part at once."""
    allow_any_time(session)
    options = {"yield_per": ROWS_AT_ONCE}
    yield from session.execute(
        text(VOTES), {"board_id": board_id}, execution_options=options
    ).partitions()


def is_quarantined(review: VoterReviewRow | None) -> bool:
    """Return whether a decision in force, if there is one, keeps the voter's votes out."""
    return review is not None and review.decision == Review.QUARANTINED
