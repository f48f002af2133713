"""Ratings from battles: numbers in, numbers out. Knows no table, no queue and no page."""

from ranking.battles import Battles
from ranking.bootstrap import Draws, bootstrap
from ranking.bradley_terry import Fit, fit
from ranking.connectivity import Split, is_connected, split, strong_groups
from ranking.errors import NotConnectedError, NotConvergedError, RankingError
from ranking.ranks import competition_ranks, pairwise_support, rank_intervals
from ranking.sandwich import sandwich, wald_interval
from ranking.scale import POINTS_PER_LOGIT, POOL_MEAN, Scale, anchored
from ranking.wilson import wilson

__all__ = [
    "POINTS_PER_LOGIT",
    "POOL_MEAN",
    "Battles",
    "Draws",
    "Fit",
    "NotConnectedError",
    "NotConvergedError",
    "RankingError",
    "Scale",
    "Split",
    "anchored",
    "bootstrap",
    "competition_ranks",
    "fit",
    "is_connected",
    "pairwise_support",
    "rank_intervals",
    "sandwich",
    "split",
    "strong_groups",
    "wald_interval",
    "wilson",
]
