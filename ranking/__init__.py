"""Ratings from battles: numbers in, numbers out. Knows no table, no queue and no page."""

from ranking.battles import Battles
from ranking.bootstrap import Draws, bootstrap
from ranking.bradley_terry import Fit, fit
from ranking.connectivity import Split, is_connected, split, strong_groups
from ranking.errors import NotConnectedError, NotConvergedError, RankingError
from ranking.gaussian import gaussian_draws
from ranking.place_chances import top_chances
from ranking.rank_sets import RankSets, rank_sets, separable_classes
from ranking.ranks import competition_ranks, rank_intervals
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
    "RankSets",
    "RankingError",
    "Scale",
    "Split",
    "anchored",
    "bootstrap",
    "competition_ranks",
    "fit",
    "gaussian_draws",
    "is_connected",
    "rank_intervals",
    "rank_sets",
    "sandwich",
    "separable_classes",
    "split",
    "strong_groups",
    "top_chances",
    "wald_interval",
    "wilson",
]
