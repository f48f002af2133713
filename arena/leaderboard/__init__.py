"""The read side: what pages, their JSON twins and files show of boards, models, pairs and runs."""

from arena.leaderboard.boards import Asked, read_board
from arena.leaderboard.columns import CellChoice
from arena.leaderboard.listing import read_boards
from arena.leaderboard.standings import Sort
from arena.leaderboard.views import BoardCard, BoardView, Cell, Column, Note, Standing

__all__ = [
    "Asked",
    "BoardCard",
    "BoardView",
    "Cell",
    "CellChoice",
    "Column",
    "Note",
    "Sort",
    "Standing",
    "read_board",
    "read_boards",
]
