"""Taking in what others have: votes, and answers to vote on. Nothing shows before all of it does."""

from arena.importing.report import ImportReport
from arena.importing.votes import import_votes

__all__ = ["ImportReport", "import_votes"]
