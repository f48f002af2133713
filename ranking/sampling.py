"""How likely each pair is to be shown next: known for every pair, and never zero.

Every policy gives each of p open pairs a probability; they add up to 1. What is drawn by them is stored with its
probability, so that a fit can undo the policy (`ranking.propensity`).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from ranking.battles import Flags, Floats, Ints

# The published defaults: weights fall with the 0.4th power of battles, and differ threefold at most.
SMOOTHING, POWER, LARGEST_RATIO = 50.0, 0.4, 3.0
# Below so many battles a model is new, and its pairs are drawn so many times as often.
NEW_BELOW, BOOST = 500.0, 5.0
# In logits squared: how far a model without a battle may stand from the others. Its root is 174 display points.
NEWCOMER_VARIANCE = 1.0
# Gains to this power are what pairs are drawn by: it prefers good pairs, and forgives a covariance that is old.
SHARPNESS = 2.0
EPSILON = 0.1


@dataclass(frozen=True, eq=False)
class OpenPairs:
    """The p pairs that may be drawn, each once.

    Parameters
    ----------
    first, second : (p,) int32
        Two different models, 0 to n_models - 1. Which is named first means nothing.
    n_models : int

    Raises
    ------
    ValueError
        If there is no pair, or one names a model twice or one that there is not.
    """

    first: Ints
    second: Ints
    n_models: int

    def __post_init__(self) -> None:
        for name in ("first", "second"):
            column = np.array(getattr(self, name), dtype=np.int32)
            column.setflags(write=False)
            object.__setattr__(self, name, column)
        if len(self.first) == 0 or self.first.shape != self.second.shape:
            raise ValueError(
                f"found {len(self.first)} and {len(self.second)} sides of pairs; expected as many, and some"
            )
        ends = np.stack([self.first, self.second])
        if (self.first == self.second).any() or ends.min() < 0 or ends.max() >= self.n_models:
            raise ValueError(f"a pair is not of two models from 0 to {self.n_models - 1}")

    def __len__(self) -> int:
        return len(self.first)


def uniform_sampling(pairs: OpenPairs) -> Floats:
    """Return (p,) the same probability for every pair."""
    return np.full(len(pairs), 1 / len(pairs))


def weighted_sampling(pairs: OpenPairs, battles: Floats) -> Floats:
    """Return (p,) probabilities that favour models with few battles, mildly.

    A model's weight is (battles + SMOOTHING) ** -POWER, raised where it is less than the largest one
    divided by LARGEST_RATIO; a pair's is the product of its two.

    Parameters
    ----------
    battles : (m,) float64
        How many each model had.

    Source
    ------
    compar:IA, "weight model selection toward under-voted models", betagouv/ComparIA pull request 448 (2026).
    """
    weight = (battles + SMOOTHING) ** -POWER
    weight = np.maximum(weight, weight.max() / LARGEST_RATIO)
    return _in_proportion(weight[pairs.first] * weight[pairs.second])


def boosted_sampling(
    pairs: OpenPairs, battles: Floats, *, new_below: float = NEW_BELOW, boost: float = BOOST
) -> Floats:
    """Return (p,) probabilities by which pairs with a new model come up `boost` times as often as others.

    New is a model with fewer than `new_below` of the (m,) battles.
    """
    is_new: Flags = battles < new_below
    return _in_proportion(np.where(is_new[pairs.first] | is_new[pairs.second], boost, 1.0))


def variance_sampling(
    pairs: OpenPairs, strength: Floats, covariance: Floats, *, target: Floats | None = None
) -> Floats:
    """Return (p,) probabilities in proportion to the `sampling_gain` of each pair, to the power SHARPNESS."""
    gains = sampling_gain(pairs, strength, covariance, target=target)
    return (
        _in_proportion((gains / gains.max()) ** SHARPNESS)
        if gains.max() > 0
        else uniform_sampling(pairs)
    )


def sampling_gain(
    pairs: OpenPairs, strength: Floats, covariance: Floats, *, target: Floats | None = None
) -> Floats:
    """Return (p,) by how much one more vote on each pair is expected to lower the trace of target @ V.

    A vote on a pair with the contrast e adds w e e' to the curvature, with w = q (1 - q) and q the chance
    that the first wins. By the rank-one update of the inverse the covariance V loses

        V e e' V / (1 / w + e' V e).

    Parameters
    ----------
    strength : (m,) float64
        In logits.
    covariance : (m, m) float64
        Of the strengths; taken for the inverse curvature, to which it is proportional if votes vary as much
        on every pair as the fit allows for.
    target : (m, m) float64, optional
        Positive semidefinite; the sum of c c' over the contrasts c that matter. Without it all models
        matter alike: the gain is of the trace of V.

    Source
    ------
    The A-optimal design criterion, as in Atkinson, Donev and Tobias (2007), "Optimum experimental designs,
    with SAS"; sampling pairs by it: Chiang and others (2024), "Chatbot Arena", arXiv 2403.04132.
    """
    first, second = pairs.first, pairs.second
    chance = expit(strength[first] - strength[second])
    weighed = covariance @ (covariance if target is None else target @ covariance)
    lost = _of_contrasts(pairs, weighed)
    gains: Floats = lost / (1 / (chance * (1 - chance)) + _of_contrasts(pairs, covariance))
    return np.maximum(gains, 0.0)


def rank_contrasts(strength: Floats, k: int) -> Floats:
    """Return the (m, m) target of the first k ranks: the k differences between neighbours from rank 1 to k + 1.

    Raises
    ------
    ValueError
        If k is not between 1 and the number of models less one.
    """
    m = len(strength)
    if not 1 <= k < m:
        raise ValueError(f"k is {k}; expected 1 to {m - 1}, for {m} models")
    order = np.argsort(-strength, kind="stable")
    contrasts = np.zeros((k, m))
    contrasts[np.arange(k), order[:k]] = 1
    contrasts[np.arange(k), order[1 : k + 1]] = -1
    target: Floats = contrasts.T @ contrasts
    return target


def with_newcomers(
    strength: Floats, covariance: Floats, *, rated: Ints, n_models: int
) -> tuple[Floats, Floats]:
    """Return (n_models,) strengths and their covariance when only the k models `rated` have been fitted.

    The others stand in the middle with NEWCOMER_VARIANCE, whatever became of the rest.
    """
    wide, spread = np.zeros(n_models), np.eye(n_models) * NEWCOMER_VARIANCE
    wide[rated] = strength
    spread[np.ix_(rated, rated)] = covariance
    return wide, spread


def with_floor(probability: Floats, epsilon: float = EPSILON) -> Floats:
    """Return (p,) the probabilities mixed with the uniform ones: epsilon of all draws are uniform.

    No pair then has less than epsilon / p, and no inverse-propensity weight is more than 1 / epsilon times
    the one that it would have if all were drawn alike.

    Raises
    ------
    ValueError
        If epsilon is not above 0 and at most 1.
    """
    if not 0 < epsilon <= 1:
        raise ValueError(f"epsilon is {epsilon}; expected above 0 and at most 1")
    mixed: Floats = (1 - epsilon) * probability + epsilon / len(probability)
    return mixed


def _in_proportion(weights: Floats) -> Floats:
    probability: Floats = weights / weights.sum()
    return probability


def _of_contrasts(pairs: OpenPairs, matrix: Floats) -> Floats:
    """Return (p,) e' matrix e for the contrast e of each pair."""
    diagonal = matrix.diagonal()
    crossed = matrix[pairs.first, pairs.second] + matrix[pairs.second, pairs.first]
    of_pairs: Floats = diagonal[pairs.first] + diagonal[pairs.second] - crossed
    return of_pairs
