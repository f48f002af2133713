"""Taking in what others have: votes, and answers to vote on. Nothing shows before all of it does."""

from arena.importing.completions import import_completions
from arena.importing.report import ImportReport, Watch
from arena.importing.staging import ImportFile
from arena.importing.votes import import_votes

__all__ = ["ImportFile", "ImportReport", "Watch", "import_completions", "import_votes"]
