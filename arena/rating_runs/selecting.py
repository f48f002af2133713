"""Which votes of a file are rated: those of a stretch of time, of a category, or all."""

from dataclasses import dataclass
from datetime import datetime

from arena.errors import InputError
from arena.formats.vote_records import VoteRecord

OUTSIDE = "outside of the window"
UNTIMED = "without a time"
OTHER = "of other categories"


@dataclass(frozen=True)
class Selection:
    """What a vote must be to be rated; None asks for nothing.

    Parameters
    ----------
    since, until : datetime or None
        The vote was cast at `since` or later, and before `until`: half-open, so that windows side by side
        share no vote.
    category : str or None
        The category that the file names for the vote, or its language.

    Raises
    ------
    InputError
        If the window ends before it begins.
    """

    since: datetime | None = None
    until: datetime | None = None
    category: str | None = None

    def __post_init__(self) -> None:
        if self.since is not None and self.until is not None and self.until <= self.since:
            raise InputError(
                f"The window ends at {self.until.isoformat()} and begins at {self.since.isoformat()}; "
                "expected an end after the beginning."
            )

    @property
    def is_all(self) -> bool:
        """Whether every vote is rated."""
        return self == Selection()

    def against(self, vote: VoteRecord) -> str | None:
        """Return why a vote is not rated, None if it is."""
        if self.category is not None and self.category not in (vote.category, vote.language):
            return OTHER
        if self.since is None and self.until is None:
            return None
        if vote.cast_at is None:
            return UNTIMED
        is_early = self.since is not None and vote.cast_at < self.since
        is_late = self.until is not None and vote.cast_at >= self.until
        return OUTSIDE if is_early or is_late else None
