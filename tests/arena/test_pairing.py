"""Drawing a pair by a policy: what is open, how likely each is, and that it comes up as often."""

import numpy as np
import pytest

from arena.pairing import Known, Offer, Policy, draw_pair, probabilities
from arena.terms import PolicyKind

# Four models by id; the last shares no prompt with the first.
SHARED = np.array([[3, 2, 3, 0], [2, 2, 2, 1], [3, 2, 4, 1], [0, 1, 1, 1]], dtype=np.int32)
OFFER = Offer((11, 12, 15, 19), SHARED)
KNOWN = Known(
    battles={11: 900, 12: 900, 15: 30},
    rated=(15, 11, 12),
    strength=np.array([0.1, 0.4, -0.5]),
    covariance=np.diag([0.3, 0.01, 0.01]),
)


def open_models(offer: Offer, seen: dict[tuple[int, int], int]) -> set[tuple[int, int]]:
    pairs = offer.open_pairs(seen)
    assert pairs is not None
    return {
        (offer.models[i], offer.models[j]) for i, j in zip(pairs.first, pairs.second, strict=True)
    }


def test_a_pair_is_open_while_a_prompt_of_it_is_unseen() -> None:
    """One prompt of two seen leaves the pair open, two of two close it; a pair without a prompt never is."""
    assert open_models(OFFER, {}) == {(11, 12), (11, 15), (12, 15), (12, 19), (15, 19)}
    assert open_models(OFFER, {(11, 12): 1}) == open_models(OFFER, {})
    assert (11, 12) not in open_models(OFFER, {(11, 12): 2})
    assert OFFER.among(frozenset({11, 19})).open_pairs({}) is None


def test_what_was_seen_of_a_model_that_left_does_not_count() -> None:
    """It is retired; nothing of the others is closed by it."""
    left = OFFER.among(frozenset({11, 12, 15}))

    assert open_models(left, {(12, 19): 1}) == {(11, 12), (11, 15), (12, 15)}


@pytest.mark.parametrize("kind", list(PolicyKind))
def test_every_open_pair_can_come_up(kind: PolicyKind) -> None:
    """A share of all draws is uniform, whatever the policy thinks."""
    pairs = OFFER.open_pairs({})
    assert pairs is not None

    found = probabilities(Policy(kind, epsilon=0.2), OFFER, pairs, KNOWN)

    assert found.sum() == pytest.approx(1)
    assert found.min() >= 0.2 / 5


@pytest.mark.parametrize("kind", list(PolicyKind))
def test_with_nothing_known_all_pairs_are_alike(kind: PolicyKind) -> None:
    """The first votes of a board are drawn evenly, and their probability says so."""
    pairs = OFFER.open_pairs({})
    assert pairs is not None

    assert set(probabilities(Policy(kind), OFFER, pairs, None)) == {1 / 5}


def test_strengths_are_matched_by_model_and_not_by_place() -> None:
    """The run lists its models in another order than the pool, and 19 not at all."""
    strength, covariance = KNOWN.placed(OFFER.models)

    assert strength.tolist() == [0.4, -0.5, 0.1, 0.0]
    assert covariance.diagonal().tolist() == [0.01, 0.01, 0.3, 1.0]


def test_pairs_of_the_least_known_model_come_first() -> None:
    """19 was never fitted, 15 hardly: their meeting says most."""
    pairs = OFFER.open_pairs({})
    assert pairs is not None
    found = probabilities(Policy(PolicyKind.VARIANCE), OFFER, pairs, KNOWN)

    by_pair = dict(zip(sorted(open_models(OFFER, {})), found, strict=True))

    assert by_pair[12, 19] > by_pair[12, 15] > by_pair[11, 12]


def test_pairs_are_drawn_as_often_as_their_probability_says() -> None:
    """4000 draws: each share within four standard errors."""
    pairs = OFFER.open_pairs({})
    assert pairs is not None
    chances = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
    generator = np.random.default_rng(5)

    drawn = [draw_pair(OFFER, pairs, chances, generator) for _ in range(4000)]

    assert all(chances[list(chances).index(each.probability)] for each in drawn)
    for chance in chances:
        share = np.mean([each.probability == chance for each in drawn])
        assert share == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / 4000))
