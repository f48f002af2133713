"""The interval of a proportion."""

import math

import pytest
from scipy.special import ndtri
from scipy.stats import binom

from ranking import wilson


def test_eight_failures_leave_room_up_to_a_third() -> None:
    """All values equal is no reason for an interval of zero width, nor for NaN."""
    lower, upper = wilson(0, 8)

    assert lower == 0.0
    assert upper == pytest.approx(0.3244, abs=5e-5)


def test_success_and_failure_mirror_each_other() -> None:
    """Counting the other side must give the other side's interval."""
    lower, upper = wilson(3, 17)

    assert wilson(14, 17) == pytest.approx((1 - upper, 1 - lower))


def test_an_end_is_where_the_score_test_just_rejects() -> None:
    """That is its definition: (p - share)^2 = z^2 share (1 - share) / n."""
    for end in wilson(7, 40, level=0.9):
        distance = abs(7 / 40 - end) / math.sqrt(end * (1 - end) / 40)
        assert distance == pytest.approx(ndtri(0.95))


def test_it_covers_about_as_often_as_it_says() -> None:
    """Exact binomial probabilities, averaged over shares: 95 % within a point."""
    shares = [step / 200 for step in range(10, 191)]
    covered = [
        sum(
            float(binom.pmf(successes, 60, share))
            for successes in range(61)
            if wilson(successes, 60)[0] <= share <= wilson(successes, 60)[1]
        )
        for share in shares
    ]

    assert sum(covered) / len(covered) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize(
    ("successes", "n", "level"), [(0, 0, 0.95), (-1, 5, 0.95), (6, 5, 0.95), (1, 5, 1.0)]
)
def test_what_is_no_proportion_is_refused(successes: float, n: int, level: float) -> None:
    """An interval of nothing is absent, and a share above one is a fault upstream."""
    with pytest.raises(ValueError, match=r"expected|at least"):
        wilson(successes, n, level=level)
