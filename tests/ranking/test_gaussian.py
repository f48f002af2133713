"""Normal draws around a fit."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from ranking import Battles, fit, gaussian_draws, sandwich
from ranking.gaussian import symmetric_root


def test_draws_have_the_mean_and_covariance_they_were_given(battles: Battles) -> None:
    """20,000 draws: a covariance is met to about a hundredth of the largest."""
    found = fit(battles)
    covariance = sandwich(battles, found)

    draws = gaussian_draws(found.strength, covariance, rounds=20_000)

    largest = covariance.max()
    assert_allclose(draws.strength.mean(0), found.strength, atol=0.02 * np.sqrt(largest))
    assert_allclose(np.cov(draws.strength.T), covariance, atol=0.03 * largest)
    assert draws.identified.all()


def test_strengths_keep_their_sum(battles: Battles) -> None:
    """The covariance has no variance along the mean, and neither have the draws."""
    found = fit(battles)

    draws = gaussian_draws(found.strength, sandwich(battles, found), rounds=10)

    assert_allclose(draws.strength.sum(1), 0, atol=1e-9)


def test_a_seed_is_a_draw_and_further_parameters_are_left_alone(battles: Battles) -> None:
    """A tie parameter behind the strengths changes nothing in the draws of these."""
    found = fit(battles)
    covariance = sandwich(battles, found)
    bordered = np.pad(covariance, (0, 1), constant_values=0.5)

    first, again, other = (
        gaussian_draws(found.strength, each, rounds=5, seed=seed).strength
        for each, seed in ((covariance, 1), (bordered, 1), (covariance, 2))
    )

    assert_array_equal(first, again)
    assert (first != other).any()


def test_the_root_does_not_depend_on_the_choice_of_eigenvectors() -> None:
    """Equal eigenvalues leave the vectors open; the symmetric root of 4 on a plane is 2 all the same."""
    assert_allclose(symmetric_root(np.diag([4.0, 4.0, 0.0])), np.diag([2.0, 2.0, 0.0]), atol=1e-12)
