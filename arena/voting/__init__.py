"""Voting: a battle is drawn, a ballot is cast, the names are shown."""

from arena.store.votes import Ballot
from arena.voting.casting import Cast, VoteWriter
from arena.voting.choosing import board_to_vote_on, boards_to_vote_on, open_generator
from arena.voting.drawing import draw_battle, read_battle
from arena.voting.revealing import Revealed, reveal_battle, settle_overdue, undo_vote
from arena.voting.views import BattleView, BoardRef, Names

__all__ = [
    "Ballot",
    "BattleView",
    "BoardRef",
    "Cast",
    "Names",
    "Revealed",
    "VoteWriter",
    "board_to_vote_on",
    "boards_to_vote_on",
    "draw_battle",
    "open_generator",
    "read_battle",
    "reveal_battle",
    "settle_overdue",
    "undo_vote",
]
