"""Reviewing voters: who looks odd on a board, and whose votes its ratings leave out.

A room of its own: it examines single votes and decides about people, and rates nothing. Rating runs read its
decisions from the store.
"""

from arena.reviewing.deciding import Decided, Signed, quarantine, release
from arena.reviewing.examining import examine_board
from arena.reviewing.views import BoardVoters, VoterView

__all__ = [
    "BoardVoters",
    "Decided",
    "Signed",
    "VoterView",
    "examine_board",
    "quarantine",
    "release",
]
