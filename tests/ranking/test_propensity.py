"""Inverse-propensity weights: what they undo, what they cost, and what they refuse."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import Battles, TieModel, fit, reweighted, sandwich


@pytest.mark.parametrize("ties", list(TieModel))
def test_equal_probabilities_change_nothing(ties: TieModel, battles: Battles) -> None:
    """Drawn evenly there is nothing to undo: each battle has a weight of one, by every model of ties."""
    found = reweighted(battles, np.full(len(battles), 1 / 28))

    assert_allclose(found.weight, 1)
    assert found.effective == pytest.approx(battles.weight.sum())
    assert_allclose(
        sandwich(found.squared, fit(found.battles, ties=ties)),
        sandwich(battles, fit(battles, ties=ties)),
        atol=1e-12,
    )


def test_a_pair_drawn_half_as_often_counts_twice() -> None:
    """100 battles at 2/3 and 50 at 1/3 then weigh the same in all, and the mean weight stays one."""
    pair = Battles(np.array([0, 1]), np.array([1, 2]), np.ones(2), np.array([100.0, 50.0]), 3)

    found = reweighted(pair, np.array([2 / 3, 1 / 3]))

    assert_allclose(found.battles.weight, 75)
    assert_allclose(found.weight, [0.75, 1.5])
    assert found.effective == pytest.approx(150**2 / (100 * 0.75**2 + 50 * 1.5**2))


def test_the_twin_agrees(battles: Battles, generator: np.random.Generator) -> None:
    """Battle by battle: a gradient enters the scatter with the square of its weight."""
    probability = generator.uniform(0.01, 0.2, len(battles))
    found = reweighted(battles, probability)
    strengths = fit(found.battles)
    scatter, total = np.zeros((8, 8)), np.zeros(8)
    for i, j, score, n, weight in zip(
        battles.first, battles.second, battles.score, battles.weight, found.weight, strict=True
    ):
        gradient = np.zeros(8)
        chance = 1 / (1 + np.exp(strengths.strength[j] - strengths.strength[i]))
        gradient[[i, j]] = score - chance, chance - score
        total += n * weight * gradient
        scatter += n * np.outer(weight * gradient, weight * gradient)
    bread = np.linalg.pinv(strengths.curvature, hermitian=True)

    assert_allclose(total, 0, atol=1e-9)
    assert_allclose(sandwich(found.squared, strengths), bread @ scatter @ bread, atol=1e-12)
    assert_allclose(found.weight * probability, (found.weight * probability)[0])


def test_a_large_weight_is_cut_and_counted() -> None:
    """One battle of a thousand, drawn with one in ten thousand, would weigh ten times all the others together.

    The mean of one over the probability is 10.999; the one is cut to twenty of those.
    """
    pair = Battles(
        np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.0]), np.array([999.0, 1.0]), 2
    )

    found = reweighted(pair, np.array([1.0, 1e-4]))

    assert found.capped == 1
    assert found.weight[1] / found.weight[0] == pytest.approx(20 * 10.999)
    assert found.battles.weight.sum() == pytest.approx(1000)


@pytest.mark.parametrize("probability", [0.0, -0.1, 1.1, np.nan])
def test_a_draw_that_cannot_have_been_is_refused_by_number(probability: float) -> None:
    """An unknown probability is not a probability of zero."""
    pair = Battles(np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.0]), np.ones(2), 2)

    with pytest.raises(ValueError, match=r"battle 1 was drawn with probability"):
        reweighted(pair, np.array([0.5, probability]))


def test_fewer_probabilities_than_rows_or_a_cap_below_the_mean_are_refused(
    battles: Battles,
) -> None:
    """A cap below the mean weight cannot be kept by weights whose mean is one."""
    with pytest.raises(ValueError, match="found 3 probabilities"):
        reweighted(battles, np.full(3, 0.1))
    with pytest.raises(ValueError, match=r"largest weight is 0\.5"):
        reweighted(battles, np.full(len(battles), 0.1), largest=0.5)
