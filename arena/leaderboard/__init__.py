"""The read side: what pages, their JSON twins and files show of boards, models, pairs and runs."""

from arena.leaderboard.boards import Asked, read_board
from arena.leaderboard.certainty import Certainty, certainties
from arena.leaderboard.columns import CellChoice
from arena.leaderboard.comparison_views import ComparisonView, SourceComparison, Span, Weighed
from arena.leaderboard.comparisons import AskedComparison, read_comparison
from arena.leaderboard.judged_views import JudgeBeside, Reading, ReadThreeWays
from arena.leaderboard.listing import read_boards
from arena.leaderboard.meetings import PairOrder
from arena.leaderboard.model_views import ModelView, OnBoard, Past
from arena.leaderboard.models import read_model
from arena.leaderboard.pair_views import Joints, PairsView, PairView, Verdict
from arena.leaderboard.pairs import AskedPairs, read_pairs
from arena.leaderboard.readings import said_of_reading
from arena.leaderboard.run_findings import Estimate, RunFindings, VotesToFlip
from arena.leaderboard.run_views import RatingRunView, RunCell, RunView
from arena.leaderboard.runs import read_rating_run, read_run
from arena.leaderboard.standings import Sort
from arena.leaderboard.views import (
    BoardCard,
    BoardSettings,
    BoardView,
    Cell,
    Column,
    Note,
    RunFacts,
    Standing,
)

__all__ = [
    "Asked",
    "AskedComparison",
    "AskedPairs",
    "BoardCard",
    "BoardSettings",
    "BoardView",
    "Cell",
    "CellChoice",
    "Certainty",
    "Column",
    "ComparisonView",
    "Estimate",
    "Joints",
    "JudgeBeside",
    "ModelView",
    "Note",
    "OnBoard",
    "PairOrder",
    "PairView",
    "PairsView",
    "Past",
    "RatingRunView",
    "ReadThreeWays",
    "Reading",
    "RunCell",
    "RunFacts",
    "RunFindings",
    "RunView",
    "Sort",
    "SourceComparison",
    "Span",
    "Standing",
    "Verdict",
    "VotesToFlip",
    "Weighed",
    "certainties",
    "read_board",
    "read_boards",
    "read_comparison",
    "read_model",
    "read_pairs",
    "read_rating_run",
    "read_run",
    "said_of_reading",
]
