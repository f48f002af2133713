"""The robust covariance, and the ways in which published boards get it wrong."""

import numpy as np
from numpy.testing import assert_allclose

from ranking import Battles, anchored, fit, sandwich, wald_interval
from ranking.bradley_terry import inverse_curvature
from tests.ranking.davidson import draw_battles


def test_three_wins_to_one_have_the_textbook_variance() -> None:
    """For one pair without ties it is 1 / (n p (1 - p)), the variance of a log-odds."""
    pair = Battles(
        np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.0]), np.array([30.0, 10.0]), 2
    )

    covariance = sandwich(pair, fit(pair))

    difference = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert_allclose(difference, 1 / (40 * 0.75 * 0.25))


def test_ties_narrow_it_below_the_inverse_curvature() -> None:
    """A tie varies less than the win or loss that the equations take it for: half of ties, half of that."""
    pair = Battles(
        np.array([0, 0, 0]),
        np.array([1, 1, 1]),
        np.array([1.0, 0.5, 0.0]),
        np.array([5.0, 10.0, 5.0]),
        2,
    )
    found = fit(pair)

    assert_allclose(sandwich(pair, found), inverse_curvature(found.curvature) / 2)


def test_rows_sum_to_zero(battles: Battles) -> None:
    """The strengths sum to zero without noise, so their sum has no variance."""
    assert_allclose(sandwich(battles, fit(battles)).sum(1), 0, atol=1e-12)


def test_neither_seats_nor_merging_change_it(battles: Battles) -> None:
    """Counts are all that it reads."""
    expected = sandwich(battles, fit(battles))

    for same in (battles.mirrored(), battles.paired()):
        assert_allclose(sandwich(same, fit(same)), expected, atol=1e-12)


def test_the_twin_agrees(battles: Battles) -> None:
    """Written out battle by battle: the inverse curvature around the sum of squared gradients."""
    found = fit(battles)
    scatter = np.zeros((battles.n_models, battles.n_models))
    for first, second, score, weight in zip(
        battles.first, battles.second, battles.score, battles.weight, strict=True
    ):
        chance = 1 / (1 + np.exp(found.strength[second] - found.strength[first]))
        gradient = np.zeros(battles.n_models)
        gradient[[first, second]] = score - chance, chance - score
        scatter += weight * np.outer(gradient, gradient)

    bread = np.linalg.pinv(found.curvature, hermitian=True)

    assert_allclose(sandwich(battles, found), bread @ scatter @ bread, atol=1e-12)


def test_a_new_model_in_a_big_arena_gets_its_full_width(generator: np.random.Generator) -> None:
    """A ridge that grows with all votes once cut the interval of such a model to half.

    Its own battles decide: against opponents known from a million battles the variance is that of
    estimating one number from its own 120.
    """
    strength = np.array([0.3, -0.3, 0.5, -0.5, 0.0])
    arena = draw_battles(strength, 1_000_000, generator, share=np.array([0.25] * 4 + [0.0]))
    entrant = Battles(
        np.full(12, 4),
        np.repeat(np.arange(4), 3),
        np.tile([1.0, 0.5, 0.0], 4),
        np.full(12, 10.0),
        5,
    )
    battles = Battles(
        np.concatenate([arena.first, entrant.first]),
        np.concatenate([arena.second, entrant.second]),
        np.concatenate([arena.score, entrant.score]),
        np.concatenate([arena.weight, entrant.weight]),
        5,
    )
    found = fit(battles)

    chance = 1 / (1 + np.exp(found.strength[entrant.second] - found.strength[4]))
    information = (entrant.weight * chance * (1 - chance)).sum()
    scatter = (entrant.weight * (entrant.score - chance) ** 2).sum()

    covariance = sandwich(battles, found)
    away_from_others = covariance[4, 4] + covariance[0, 0] - 2 * covariance[0, 4]
    assert_allclose(away_from_others, scatter / information**2, rtol=0.01)


def test_anchoring_changes_no_width(battles: Battles) -> None:
    """The anchor is a shift of the scale: every interval moves, none grows."""
    found = fit(battles)
    lower, upper = wald_interval(found.strength, sandwich(battles, found), level=0.95)

    scale = anchored(found.strength, 2, 1114.0)

    widths = scale.rating(upper) - scale.rating(lower)
    assert_allclose(widths, 400 / np.log(10) * (upper - lower))
    assert widths[2] > 0
