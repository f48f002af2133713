"""A small category borrows from the rest: nearer to the truth on average, and as honest as before."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal, norm

from ranking.battles import Floats
from ranking.shrinkage import LARGEST_USUAL_SPREAD, Measured, shrink

MODELS = 6
CATEGORIES = 250


def centred(matrix: Floats) -> Floats:
    result: Floats = matrix - matrix.mean(0) - matrix.mean(1, keepdims=True) + matrix.mean()
    return result


def covariance_like(generator: np.random.Generator, size: float, models: int = MODELS) -> Floats:
    root = generator.normal(size=(models, 2 * models))
    return size**2 * centred(root @ root.T / (2 * models))


def drawn(generator: np.random.Generator, covariance: Floats) -> Floats:
    result: Floats = generator.multivariate_normal(
        np.zeros(len(covariance)), covariance, method="svd"
    )
    return result


@dataclass(frozen=True)
class Category:
    """A truth drawn around the rest's, and what the votes show of both."""

    truth: Floats
    own: Measured
    rest: Measured


def make_category(
    generator: np.random.Generator, *, spread: float, noise: float, models: int = MODELS
) -> Category:
    large, small = (covariance_like(generator, size, models) for size in (noise, noise / 5))
    of_rest = generator.normal(size=models)
    of_rest -= of_rest.mean()
    deviation = spread * generator.normal(size=models)
    truth = of_rest + deviation - deviation.mean()
    return Category(
        truth,
        Measured(truth + drawn(generator, large), large),
        Measured(of_rest + drawn(generator, small), small),
    )


def test_the_twin_agrees(generator: np.random.Generator) -> None:
    """Bayes by hand: at each spread a normal posterior, weighed by how likely the spread makes the data."""
    category = make_category(generator, spread=0.3, noise=0.4)
    (own, V), (rest, R) = category.own, category.rest
    basis = np.linalg.svd(np.ones((1, MODELS)))[2][1:]
    seen, V, R = basis @ (own - rest), basis @ V @ basis.T, basis @ R @ basis.T
    spreads = np.linspace(1e-4, 5, 4000)
    prior_chances = spreads * norm.pdf(spreads / LARGEST_USUAL_SPREAD)
    chances = prior_chances * [
        multivariate_normal.pdf(seen, cov=V + R + tau**2 * np.eye(len(seen))) for tau in spreads
    ]
    means, squares = 0, 0
    for chance, tau in zip(chances / chances.sum(), spreads, strict=True):
        prior = R + tau**2 * np.eye(len(seen))
        gain = prior @ np.linalg.inv(prior + V)
        mean, covariance = basis @ rest + gain @ seen, prior - gain @ prior
        means = means + chance * mean
        squares = squares + chance * (covariance + np.outer(mean, mean))

    found = shrink(category.own, category.rest)

    assert_allclose(basis @ found.strength, means, atol=1e-3)
    assert_allclose(basis @ found.covariance @ basis.T, squares - np.outer(means, means), atol=1e-3)


def test_the_answer_lies_between_what_is_known_and_what_is_seen(
    generator: np.random.Generator,
) -> None:
    """Much data of its own: the category's estimate. Next to none: the rest's."""
    category = make_category(generator, spread=0.3, noise=0.3)

    rich = shrink(Measured(category.own.strength, category.own.covariance / 1e6), category.rest)
    poor = shrink(Measured(category.own.strength, category.own.covariance * 1e6), category.rest)

    assert_allclose(rich.strength, category.own.strength, atol=1e-3)
    assert_allclose(poor.strength, category.rest.strength, atol=1e-2)
    assert rich.weight > 0.99
    assert poor.weight < 0.01


def test_a_shift_or_another_order_changes_nothing(generator: np.random.Generator) -> None:
    """Only differences are in the data, and names have no order."""
    category = make_category(generator, spread=0.2, noise=0.3)
    order = generator.permutation(MODELS)
    expected = shrink(category.own, category.rest)

    turned = shrink(
        *(
            Measured(strength[order] + 7, covariance[np.ix_(order, order)] + 3)
            for strength, covariance in (category.own, category.rest)
        )
    )

    assert_allclose(turned.strength, expected.strength[order], atol=1e-9)
    assert_allclose(turned.covariance, expected.covariance[np.ix_(order, order)], atol=1e-9)


def test_the_mean_is_certain_and_no_direction_is_narrower_than_nothing(
    generator: np.random.Generator,
) -> None:
    """Strengths sum to zero, so rows of their covariance do; and a variance is not negative."""
    category = make_category(generator, spread=0.0, noise=0.5)

    covariance = shrink(category.own, category.rest).covariance

    assert_allclose(covariance.sum(1), 0, atol=1e-12)
    assert np.linalg.eigvalsh(covariance).min() > -1e-12


def test_different_models_are_refused(generator: np.random.Generator) -> None:
    """A model that one side lacks has no place in a comparison of both."""
    own = make_category(generator, spread=0.1, noise=0.1).own
    rest = make_category(generator, spread=0.1, noise=0.1, models=5).rest

    with pytest.raises(ValueError, match="found 6 models in the category and 5 in the rest"):
        shrink(own, rest)


@pytest.mark.parametrize(
    ("spread", "models", "is_cautious"),
    [
        (0.0, 4, True),
        (0.1, 4, True),
        (0.4, 4, True),
        (0.0, 20, True),
        (0.1, 20, True),
        (0.4, 20, False),
    ],
)
def test_it_is_nearer_and_its_intervals_stay_honest(
    spread: float, models: int, is_cautious: bool, generator: np.random.Generator
) -> None:
    """Over categories drawn from one truth: the squared error falls and 95 % intervals cover.

    Where deviations are small beside the noise, intervals are too wide and never too narrow: tau is not
    known to be small. 250 categories leave an error of about 1 point.
    """
    error_own = error_shrunk = inside = 0.0
    for _ in range(CATEGORIES):
        category = make_category(generator, spread=spread, noise=0.3, models=models)
        found = shrink(category.own, category.rest)
        error_own += ((category.own.strength - category.truth) ** 2).mean()
        error_shrunk += ((found.strength - category.truth) ** 2).mean()
        reach = norm.ppf(0.975) * np.sqrt(found.covariance.diagonal())
        inside += (np.abs(found.strength - category.truth) < reach).mean()

    assert error_shrunk < error_own
    assert inside / CATEGORIES > 0.93
    assert is_cautious or inside / CATEGORIES < 0.975
