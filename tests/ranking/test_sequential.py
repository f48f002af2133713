"""Intervals under watching, and the verdict on two models."""

from math import inf

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from ranking import Battles, Comparison, Decision, compare, fit, sandwich, watched_interval
from ranking.battles import Floats
from ranking.sequential import FIRST_LOOK, TUNED_AT, direct_variance, standard_errors


def half_width(votes: float) -> float:
    """In logits, after so many even votes."""
    lower, upper = watched_interval(np.zeros(1), np.array([4 / votes]), level=0.95)
    return float(upper[0] - lower[0]) / 2


def test_the_boundary_is_where_the_normal_mixture_reaches_one_in_twenty() -> None:
    """Robbins: the likelihood ratio, averaged over a normal prior of drifts, is 20 there.

    By Ville's inequality it ever gets so high with a chance of 1 in 20.
    """
    votes = 700.0
    mixture = 1000 / 8.211968
    total = standard_errors(np.array([votes]), level=0.95)[0] * np.sqrt(votes)

    def ratio(drift: float) -> float:
        gain = np.exp(drift * total - drift**2 * votes / 2)
        return float(gain * norm.pdf(drift * np.sqrt(mixture)))

    average, _ = quad(ratio, -1, 1, epsabs=1e-12)

    assert average * np.sqrt(mixture) == pytest.approx(20, rel=1e-4)


def test_it_is_the_papers_formula() -> None:
    """The asymptotic confidence sequence as printed, with rho^2 one over the mixture."""
    t = np.array([60.0, 1000, 1e5])
    rho2 = 8.211968 / 1000

    printed = np.sqrt(2 * (t * rho2 + 1) / (t**2 * rho2) * np.log(np.sqrt(t * rho2 + 1) / 0.05))

    assert_allclose(standard_errors(t, level=0.95) / np.sqrt(t), printed, rtol=1e-6)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_no_other_tuning_is_tighter_at_the_stated_votes(level: float) -> None:
    """Against a search over all tunings."""

    def reach(log_tuned: float) -> float:
        votes = np.array([5000.0])
        return float(standard_errors(votes, level=level, tuned_at=np.exp(log_tuned))[0])

    best = minimize_scalar(reach, bounds=(4, 12), method="bounded", options={"xatol": 1e-6})

    assert np.exp(best.x) == pytest.approx(5000, rel=0.01)


def test_watching_costs_half_as_much_again_and_never_less_than_one_look() -> None:
    """3.04 standard errors where it is tightest, against 1.96; more before and after."""
    reach = standard_errors(np.array([100.0, TUNED_AT, 100_000.0]), level=0.95)

    assert_allclose(reach, [3.823, 3.035, 3.566], atol=0.001)


def test_it_says_nothing_before_the_first_look_and_narrows_from_then_on() -> None:
    """A limit theorem has nothing to say of a handful of votes."""
    widths = [half_width(votes) for votes in (FIRST_LOOK - 1, FIRST_LOOK, 100, 1000, 1e5)]

    assert widths[0] == inf
    assert (np.diff(widths) < 0).all()


def test_swapping_the_models_mirrors_everything() -> None:
    """B against A is A against B, seen from the other side."""
    there, back = (compare(each, 0.01, level=0.95, margin=0.05) for each in (0.2, -0.2))

    assert_allclose(back.watched, (-there.watched[1], -there.watched[0]))
    assert_allclose(back.once, (-there.once[1], -there.once[0]))
    assert back.decision is there.decision
    assert back.further == there.further


@pytest.mark.parametrize(
    ("difference", "margin", "decision"),
    [
        (0.5, 0.0, Decision.SEPARATED),
        (-0.5, 0.1, Decision.SEPARATED),
        (0.01, 0.15, Decision.PRACTICALLY_EQUAL),
        (0.15, 0.3, Decision.PRACTICALLY_EQUAL),
        (0.05, 0.1, Decision.OPEN),
        (0.0, 0.0, Decision.OPEN),
    ],
)
def test_the_watched_interval_decides(difference: float, margin: float, decision: Decision) -> None:
    """With 4000 even votes it reaches about 0.1 logits: beyond zero, within the margin, or neither.

    A difference that is sure and yet within the margin does not matter: that is what a margin says.
    """
    found = compare(difference, 0.001, level=0.95, margin=margin)

    assert found.decision is decision
    assert (found.further > 0) is (decision is Decision.OPEN)


def after_further_votes(found: Comparison, share: float, *, margin: float) -> Decision:
    """The decision when that share of the votes that were said to be needed has come in, all as before."""
    votes = found.votes + share * found.further
    return compare(found.difference, 4 / votes, level=0.95, margin=margin).decision


@pytest.mark.parametrize(
    ("difference", "margin", "decision"),
    [
        (0.1, 0.0, Decision.SEPARATED),
        (0.1, 0.15, Decision.SEPARATED),
        (0.02, 0.15, Decision.PRACTICALLY_EQUAL),
    ],
)
def test_the_votes_that_are_said_to_be_needed_decide_it(
    difference: float, margin: float, decision: Decision
) -> None:
    """No sooner and no later, if the difference stays what it is."""
    found = compare(difference, 0.01, level=0.95, margin=margin)

    assert after_further_votes(found, 0.999, margin=margin) is Decision.OPEN
    assert after_further_votes(found, 1.001, margin=margin) is decision


def test_no_number_of_votes_separates_equals_without_a_margin() -> None:
    """Zero is told from zero by nothing; a margin makes it finite."""
    assert compare(0.0, 0.01, level=0.95).further == inf
    assert compare(0.0, 0.01, level=0.95, margin=0.1).further < inf


def test_votes_of_the_board_come_at_the_present_pace() -> None:
    """Twice the even votes are twice the board's votes."""
    found = compare(0.1, 0.01, level=0.95)

    assert found.further_of_board(2000) == pytest.approx(2000 * found.further / 400)


def test_direct_votes_are_counted_by_what_one_of_them_tells(generator: np.random.Generator) -> None:
    """A pair alone: so many direct votes as are asked for make the variance that was asked for.

    300 votes, 90 of them ties. The sandwich of the pair with the further votes is the twin.
    """
    counts = np.array([120.0, 90.0, 90.0])
    found = compare(*pair_contrast(counts), level=0.95)

    further = found.further_of_pair(tie_share=0.3)

    _, variance = pair_contrast(counts * (1 + further / 300))
    assert 4 / variance == pytest.approx(found.votes + found.further, rel=1e-6)


def pair_contrast(counts: Floats) -> tuple[float, float]:
    """The difference and its variance of a pair with so many wins, ties and losses."""
    first, second = np.zeros(3, np.int32), np.ones(3, np.int32)
    pair = Battles(first, second, np.array([1.0, 0.5, 0.0]), counts, 2)
    found = fit(pair)
    covariance = sandwich(pair, found)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    return float(found.strength[0] - found.strength[1]), float(variance)


def test_one_even_decided_vote_is_the_unit() -> None:
    """Variance 4 between equals; ties tell more of a difference, unequal models less."""
    assert direct_variance(0.0, 0.0) == 4.0
    assert direct_variance(0.0, 0.5) == 2.0
    assert direct_variance(2.0, 0.0) > 4.0


@pytest.mark.parametrize(
    ("variance", "level", "margin", "complaint"),
    [
        (0.0, 0.95, 0.0, "variance is 0"),
        (np.nan, 0.95, 0.0, "variance is nan"),
        (inf, 0.95, 0.0, "variance is inf"),
        (0.1, 1.0, 0.0, "level is 1"),
        (0.1, 0.95, -1.0, "margin is -1"),
    ],
)
def test_what_makes_no_sense_is_refused(
    variance: float, level: float, margin: float, complaint: str
) -> None:
    """No spread is no certainty, and it is said by name."""
    with pytest.raises(ValueError, match=complaint):
        compare(0.1, variance, level=level, margin=margin)
