"""Ratings from battles: numbers in, numbers out. Knows no table, no queue and no page."""

from ranking.agreement import (
    Agreement,
    Distance,
    Ratings,
    agreement,
    agreement_without_ties,
    alpha,
    among_themselves,
    coincidences,
    compared,
    halves,
    kappa,
    left_out,
    with_interval,
)
from ranking.anomalies import (
    Findings,
    Reference,
    VoterVotes,
    by_voter,
    e_bh,
    examine_voters,
    fit_reference,
    reference_of,
)
from ranking.battles import Battles
from ranking.bootstrap import Draws, bootstrap
from ranking.bradley_terry import Fit
from ranking.categories import CategoryFit, ShrunkCategory, fit_categories, shrink_category
from ranking.chance import Statistic
from ranking.clusters import Clustered, clustered
from ranking.connectivity import Split, is_connected, split, strong_groups
from ranking.contrasts import Contrast, contrast
from ranking.covariates import Covariates
from ranking.cycles import Cycles, Triad, cycles
from ranking.drift import Constancy, Course, constancy, course
from ranking.drop import Flip, FlipEnding, adjacent_flips, votes_to_flip
from ranking.errors import (
    NoOverlapError,
    NotConnectedError,
    NotConvergedError,
    NotIdentifiedError,
    RankingError,
)
from ranking.fitting import fit
from ranking.gaussian import gaussian_draws
from ranking.goodness import Goodness, goodness
from ranking.interval_choice import IntervalChoice, IntervalWay, choose_interval
from ranking.joint import gradients
from ranking.joint_bootstrap import bootstrap_jointly
from ranking.leverage import Leverage, leverage
from ranking.place_chances import top_chances
from ranking.prediction_powered import Estimate, PredictionPowered, prediction_powered
from ranking.propensity import Reweighted, reweighted
from ranking.quasi_variances import QuasiVariances, quasi_variances
from ranking.rank_sets import RankSets, rank_sets, separable_classes
from ranking.ranks import competition_ranks, rank_intervals
from ranking.sampling import (
    OpenPairs,
    boosted_sampling,
    rank_contrasts,
    sampling_gain,
    uniform_sampling,
    variance_sampling,
    weighted_sampling,
    with_floor,
    with_newcomers,
)
from ranking.sandwich import sandwich, wald_interval
from ranking.scale import POINTS_PER_LOGIT, POOL_MEAN, Scale, anchored
from ranking.sequential import Comparison, Decision, compare, watched_interval
from ranking.shrinkage import Measured, Shrunk, shrink
from ranking.style import StyleColumns, relative_difference, style_columns
from ranking.ties import TieModel
from ranking.verdicts import DoublyJudged, Verdicts
from ranking.wilson import wilson

__all__ = [
    "POINTS_PER_LOGIT",
    "POOL_MEAN",
    "Agreement",
    "Battles",
    "CategoryFit",
    "Clustered",
    "Comparison",
    "Constancy",
    "Contrast",
    "Course",
    "Covariates",
    "Cycles",
    "Decision",
    "Distance",
    "DoublyJudged",
    "Draws",
    "Estimate",
    "Findings",
    "Fit",
    "Flip",
    "FlipEnding",
    "Goodness",
    "IntervalChoice",
    "IntervalWay",
    "Leverage",
    "Measured",
    "NoOverlapError",
    "NotConnectedError",
    "NotConvergedError",
    "NotIdentifiedError",
    "OpenPairs",
    "PredictionPowered",
    "QuasiVariances",
    "RankSets",
    "RankingError",
    "Ratings",
    "Reference",
    "Reweighted",
    "Scale",
    "Shrunk",
    "ShrunkCategory",
    "Split",
    "Statistic",
    "StyleColumns",
    "TieModel",
    "Triad",
    "Verdicts",
    "VoterVotes",
    "adjacent_flips",
    "agreement",
    "agreement_without_ties",
    "alpha",
    "among_themselves",
    "anchored",
    "boosted_sampling",
    "bootstrap",
    "bootstrap_jointly",
    "by_voter",
    "choose_interval",
    "clustered",
    "coincidences",
    "compare",
    "compared",
    "competition_ranks",
    "constancy",
    "contrast",
    "course",
    "cycles",
    "e_bh",
    "examine_voters",
    "fit",
    "fit_categories",
    "fit_reference",
    "gaussian_draws",
    "goodness",
    "gradients",
    "halves",
    "is_connected",
    "kappa",
    "left_out",
    "leverage",
    "prediction_powered",
    "quasi_variances",
    "rank_contrasts",
    "rank_intervals",
    "rank_sets",
    "reference_of",
    "relative_difference",
    "reweighted",
    "sampling_gain",
    "sandwich",
    "separable_classes",
    "shrink",
    "shrink_category",
    "split",
    "strong_groups",
    "style_columns",
    "top_chances",
    "uniform_sampling",
    "variance_sampling",
    "votes_to_flip",
    "wald_interval",
    "watched_interval",
    "weighted_sampling",
    "wilson",
    "with_floor",
    "with_interval",
    "with_newcomers",
]
