"""How often a model is the best, or among the best k."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from ranking import Draws, top_chances


def of_all(strength: list[list[float]]) -> Draws:
    return Draws(np.array(strength), np.zeros((len(strength), len(strength[0])), bool))


def test_chances_are_shares_of_rounds() -> None:
    """Three of four rounds put the first model on top, one puts it second."""
    draws = of_all([[2.0, 1.0, 0.0], [2.0, 0.0, 1.0], [3.0, 1.0, 2.0], [1.0, 2.0, 0.0]])

    assert_allclose(top_chances(draws), [[0.75, 1.0, 1.0], [0.25, 0.5, 1.0], [0.0, 0.5, 1.0]])


def test_k_models_are_among_the_best_k(generator: np.random.Generator) -> None:
    """The sum over models is k in every column, and a wider circle holds no less."""
    draws = Draws(generator.integers(0, 4, (200, 6)).astype(float), np.zeros((200, 6), bool))

    chances = top_chances(draws)

    assert_allclose(chances.sum(0), np.arange(1, 7))
    assert (np.diff(chances, axis=1) >= -1e-12).all()


def test_equals_share_their_places() -> None:
    """Two models without an upper bound: each is the best in half of such a round."""
    draws = of_all([[np.inf, np.inf, 0.0], [np.inf, 1.0, -np.inf]])

    assert_allclose(top_chances(draws), [[0.75, 1.0, 1.0], [0.25, 1.0, 1.0], [0.0, 0.0, 1.0]])


def test_a_round_that_does_not_place_a_model_says_nothing_of_it() -> None:
    """It is first in the one round that places it; the others move up where it is absent."""
    draws = Draws(
        np.array([[5.0, 1.0, 0.0], [0.0, 0.0, -1.0]]), np.array([[False] * 3, [True, False, False]])
    )

    assert_allclose(top_chances(draws), [[1.0, 1.0, 1.0], [0.5, 1.0, 1.0], [0.0, 0.5, 1.0]])


def test_a_model_that_no_round_places_has_no_chance() -> None:
    """Neither 0 nor 1 over m: there is nothing to say."""
    draws = Draws(np.zeros((3, 2)), np.array([[True, False]] * 3))

    assert np.isnan(top_chances(draws)[0]).all()
    assert_array_equal(top_chances(draws)[1], [1, 1])


def test_the_twin_agrees(generator: np.random.Generator) -> None:
    """Counted model by model: how many are above, how many are equal."""
    strength = generator.integers(0, 5, (40, 7)).astype(float)
    absent = generator.random((40, 7)) < 0.2

    chances = top_chances(Draws(np.where(absent, 0.0, strength), absent))

    for model in range(7):
        held = []
        for values, gone in zip(strength, absent, strict=True):
            if not gone[model]:
                above = (values[~gone] > values[model]).sum()
                equal = (values[~gone] == values[model]).sum()
                held.append(np.clip((np.arange(1, 8) - above) / equal, 0, 1))
        assert_allclose(chances[model], np.mean(held, axis=0))
