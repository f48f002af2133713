"""One variance a model: exact where models are independent, near where they are not, absent where it cannot be."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import least_squares

from ranking import fit, sandwich
from ranking.battles import Floats
from ranking.quasi_variances import quasi_variances
from tests.ranking.arena_of_voters import voter_arena

# Ship damage, types A to E, over-dispersed Poisson model: McCullagh and Nelder (1989), "Generalized linear
# models", section 6.3.2, covariance as printed in Firth's notes on quasi-variances; A is the reference.
SHIPS = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0533, 0.0428, 0.0390, 0.0404],
        [0.0, 0.0428, 0.1824, 0.0384, 0.0412],
        [0.0, 0.0390, 0.0384, 0.1428, 0.0387],
        [0.0, 0.0404, 0.0412, 0.0387, 0.0941],
    ]
)
SHIP_ERRORS = np.array([0.2309, 0.4271, 0.3779, 0.3067])


@pytest.fixture
def covariance(generator: np.random.Generator) -> Floats:
    """That of twelve models met unevenly."""
    battles = voter_arena(12).draw(4000, generator).battles
    return sandwich(battles, fit(battles))


def test_ships_are_as_published() -> None:
    """The printed standard errors of B to E against A, which differ by the reference, come back within 1 %."""
    found = quasi_variances(SHIPS)

    assert_allclose(np.sqrt(found.variance[0] + found.variance[1:]), SHIP_ERRORS, rtol=0.01)
    assert -0.01 < found.of_pairs.low < 0 < found.of_pairs.high < 0.01


def test_independent_models_have_their_own_variance() -> None:
    """Nothing is approximate then, whatever all models share."""
    own = np.array([0.1, 0.4, 0.2, 0.3])

    found = quasi_variances(np.diag(own) + 0.7)

    assert_allclose(found.variance, own, rtol=1e-9)
    assert_allclose([*found.of_pairs, *found.of_contrasts], 0, atol=1e-7)


def test_the_reference_changes_nothing(covariance: Floats) -> None:
    """Strengths relative to their mean or to the first model: differences are the same."""
    shift = np.eye(12) - np.eye(12)[0]

    found = quasi_variances(shift @ covariance @ shift.T)

    assert_allclose(found.variance, quasi_variances(covariance).variance, rtol=1e-6)


def test_no_other_variances_are_nearer(covariance: Floats) -> None:
    """Beside a general search for the least squares of logarithms."""
    one, other = np.triu_indices(12, 1)
    target = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]

    def misses(variance: Floats) -> Floats:
        miss: Floats = np.log((variance[one] + variance[other]) / target)
        return miss

    twin = least_squares(
        misses,
        np.full(12, target.min() / 2),
        bounds=(1e-9, np.inf),
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
    ).x

    assert_allclose(quasi_variances(covariance).variance, twin, rtol=1e-4)


def test_errors_are_the_worst_there_are(covariance: Floats, generator: np.random.Generator) -> None:
    """No contrast that is tried goes beyond them, and one reaches them."""
    found = quasi_variances(covariance)
    contrasts = generator.standard_normal((5000, 12))
    contrasts -= contrasts.mean(1, keepdims=True)

    quasi = (contrasts**2) @ found.variance
    ratio = np.sqrt(quasi / ((contrasts @ covariance) * contrasts).sum(1)) - 1
    pairs = np.sqrt(found.variance[0] + found.variance[1]) / np.sqrt(
        covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    )

    assert found.of_contrasts.low <= ratio.min() < ratio.max() <= found.of_contrasts.high
    assert found.of_pairs.low <= pairs - 1 <= found.of_pairs.high
    assert found.of_contrasts.low <= found.of_pairs.low
    assert found.of_pairs.high <= found.of_contrasts.high


def test_bars_of_an_arena_are_true(covariance: Floats) -> None:
    """What a plot shows of any two models is within a twentieth of what their covariance says."""
    found = quasi_variances(covariance)

    assert max(-found.of_pairs.low, found.of_pairs.high) < 0.05
    assert found.errors is not None


def test_a_model_between_two_has_no_bar() -> None:
    """Known best where the others are known worst, its variance would be negative: there is nothing to draw."""
    covariance = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, -0.75], [0.0, -0.75, 1.0]])

    found = quasi_variances(covariance)

    assert_allclose(found.variance, [-0.75, 1.75, 1.75], rtol=1e-6)
    assert found.errors is None


def test_a_contrast_without_variance_is_infinitely_wrong() -> None:
    """As of fewer voters than models: bars cannot say what the covariance says of it."""
    causes = np.array([[1.0, 0, 0], [0, 1, 0], [0.5, 0.5, 1], [0.5, 0.5, -1]])

    assert quasi_variances(causes @ causes.T).of_contrasts.high == np.inf


def test_two_models_share_their_variance() -> None:
    """Only the sum is in the data."""
    assert_allclose(quasi_variances(np.array([[0.3, -0.3], [-0.3, 0.3]])).variance, 0.6)


def test_what_has_no_variance_is_refused() -> None:
    """Its logarithm is not a number; the two models are named."""
    with pytest.raises(ValueError, match="at least two"):
        quasi_variances(np.ones((1, 1)))
    with pytest.raises(ValueError, match="models 0 and 2"):
        quasi_variances(np.array([[1.0, 0, 1], [0, 1, 0], [1, 0, 1]]))
