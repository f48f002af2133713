"""What is said of voters: facts and findings, never who they are."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Standing(StrEnum):
    """How a voter stands: what somebody decided last, or that the examination suspects them."""

    SUSPECTED = "suspected"
    QUARANTINED = "quarantined"
    RELEASED = "released"


@dataclass(frozen=True)
class VoterEvidence:
    """What the examination says of one voter.

    Parameters
    ----------
    votes, left, right, ties : int
        How many of the voter's votes were examined, and what they were for.
    p_value : float
        Of the battery: how often an honest voter looks so odd in some of its tests.
    test : str
        The test that says most: seat, tie, likelihood or model.
    evidence : float
        The largest that it ever was, as a power of ten: 2 means a hundred to one.
    conduct : str
        What the voter seems to do, by the evidence or, where it does not speak, by that test.
    model : str or None
        The model that it is about, if it is about one.
    suspected, stands_out : bool
        Whether either part is beyond the level; and whether it would be among all voters at once.
    """

    votes: int
    left: int
    right: int
    ties: int
    p_value: float
    test: str
    evidence: float
    conduct: str
    model: str | None
    suspected: bool
    stands_out: bool


@dataclass(frozen=True)
class VoterView:
    """A voter on the list. `voter` is the short name; `reason` is what the last decision said."""

    voter: str
    standing: Standing
    evidence: VoterEvidence
    reason: str | None = None
    decided_by: str | None = None
    decided_at: datetime | None = None


@dataclass(frozen=True)
class BoardVoters:
    """The voters of a board to look at, the oddest first, and how many were examined."""

    board: str
    is_simulated: bool
    voters: int
    votes: int
    level: float
    quarantined: int
    listed: tuple[VoterView, ...]
