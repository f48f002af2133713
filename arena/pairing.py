"""Which pair to show next. Pure: what a pool offers, what a voter has seen and a policy go in, a drawn pair comes out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from arena.terms import PolicyKind
from ranking import (
    OpenPairs,
    boosted_sampling,
    rank_contrasts,
    uniform_sampling,
    variance_sampling,
    weighted_sampling,
    with_floor,
    with_newcomers,
)

Floats = NDArray[np.float64]
Counts = NDArray[np.int32]
# The ids of two models, the smaller first.
PairOfModels = tuple[int, int]

EPSILON, TOP = 0.1, 5


@dataclass(frozen=True, eq=False)
class Offer:
    """What a pool has: m models by id, ascending, and how many prompts each two of them both answered (m, m)."""

    models: tuple[int, ...]
    shared: Counts

    def among(self, models: frozenset[int]) -> "Offer":
        """Return what is left when only these models may be drawn."""
        kept = [place for place, model in enumerate(self.models) if model in models]
        return Offer(tuple(self.models[place] for place in kept), self.shared[np.ix_(kept, kept)])

    def open_pairs(self, seen: Mapping[PairOfModels, int]) -> OpenPairs | None:
        """Return the pairs with a prompt that the voter has not seen them on; None if there is none.

        `seen` counts, for each pair, the prompts of the pool that the voter has seen them on.
        """
        left = np.triu(self.shared, 1)
        place = {model: number for number, model in enumerate(self.models)}
        for (low, high), prompts in seen.items():
            if low in place and high in place:
                left[place[low], place[high]] -= prompts
        first, second = np.nonzero(left > 0)
        if len(first) == 0:
            return None
        return OpenPairs(first.astype(np.int32), second.astype(np.int32), len(self.models))


@dataclass(frozen=True)
class Policy:
    """How a pair is drawn: a share `epsilon` of all draws is uniform, and `top` ranks matter to `top-k`."""

    kind: PolicyKind = PolicyKind.UNIFORM
    epsilon: float = EPSILON
    top: int = TOP

    def in_words(self) -> str:
        """Return the policy in one line."""
        if self.kind == PolicyKind.UNIFORM:
            return self.kind.value
        ranks = f" of {self.top} ranks" if self.kind == PolicyKind.TOP_K else ""
        return f"{self.kind.value}{ranks}, {100 * self.epsilon:g} % of draws uniform"

    @property
    def needs_ratings(self) -> bool:
        """Whether the policy looks at what is known of the models."""
        return self.kind != PolicyKind.UNIFORM


@dataclass(frozen=True, eq=False)
class Known:
    """What the newest rating run says of models by id: battles of each, strengths and covariance of the rated.

    Parameters
    ----------
    battles : mapping
        Model id -> how many battles it had.
    rated : tuple of k int
        The ids of the rated models.
    strength : (k,) float64
        In logits.
    covariance : (k, k) float64
        In logits squared.
    """

    battles: Mapping[int, int]
    rated: tuple[int, ...]
    strength: Floats
    covariance: Floats

    def placed(self, models: tuple[int, ...]) -> tuple[Floats, Floats]:
        """Return strengths (m,) and covariance (m, m) of the models that a pool offers."""
        row = {model: number for number, model in enumerate(self.rated)}
        rated = [place for place, model in enumerate(models) if model in row]
        rows = [row[models[place]] for place in rated]
        return with_newcomers(
            self.strength[rows],
            self.covariance[np.ix_(rows, rows)],
            rated=np.array(rated, dtype=np.int32),
            n_models=len(models),
        )


@dataclass(frozen=True)
class DrawnPair:
    """Two models by id, and the probability with which this pair of all open ones was drawn."""

    models: PairOfModels
    probability: float


def draw_pair(
    offer: Offer, pairs: OpenPairs, probability: Floats, generator: Generator
) -> DrawnPair:
    """Draw one of the open pairs by their probabilities."""
    drawn = int(generator.choice(len(pairs), p=probability))
    low, high = offer.models[pairs.first[drawn]], offer.models[pairs.second[drawn]]
    return DrawnPair((low, high), float(probability[drawn]))


def probabilities(policy: Policy, offer: Offer, pairs: OpenPairs, known: Known | None) -> Floats:
    """Return the probability of each open pair, all of them above zero.

    Without a rating run nothing is known that a policy could use, and all pairs are alike.
    """
    if known is None:
        return uniform_sampling(pairs)
    return with_floor(_by_policy(policy, offer, pairs, known), policy.epsilon)


def _by_policy(policy: Policy, offer: Offer, pairs: OpenPairs, known: Known) -> Floats:
    battles = np.array([known.battles.get(model, 0) for model in offer.models], dtype=np.float64)
    match policy.kind:
        case PolicyKind.UNIFORM:
            return uniform_sampling(pairs)
        case PolicyKind.WEIGHTED:
            return weighted_sampling(pairs, battles)
        case PolicyKind.BOOST_NEW:
            return boosted_sampling(pairs, battles)
        case PolicyKind.VARIANCE:
            return variance_sampling(pairs, *known.placed(offer.models))
        case PolicyKind.TOP_K:
            strength, covariance = known.placed(offer.models)
            ranks = rank_contrasts(strength, min(policy.top, len(strength) - 1))
            return variance_sampling(pairs, strength, covariance, target=ranks)
    assert_never(policy.kind)
