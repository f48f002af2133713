"""What somebody decided about voters."""

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from arena.store.tables.base import Base, BigInt, Created, Id, Json, bounded, one_of
from arena.terms import Review


class VoterReviewRow(Base):
    """A decision about a voter of a board; append-only, the newest of a voter is in force.

    Votes are never touched: quarantine says that ratings leave all votes of the voter out, those cast later
    too. Ids are drawn under one lock, so that "everything up to number w" names the same decisions for ever.
    """

    __tablename__ = "voter_review"
    __table_args__ = (
        one_of("decision", Review),
        bounded("voter"),
        Index("ix_voter_review_newest", "board_id", "voter", "id"),
    )
    id: Mapped[Id]
    board_id: Mapped[BigInt] = mapped_column(ForeignKey("board.id"))
    voter: Mapped[str]
    decision: Mapped[str]
    reason: Mapped[str]
    test: Mapped[str | None]
    evidence: Mapped[Json | None]
    actor: Mapped[str]
    created_at: Mapped[Created]
