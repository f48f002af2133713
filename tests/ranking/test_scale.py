"""Display points: a shift and a factor, and nothing that changes a difference."""

import numpy as np
from numpy.testing import assert_allclose

from ranking import POOL_MEAN, Scale, anchored


def test_ten_times_the_odds_are_400_points() -> None:
    """The scale that readers of such boards know."""
    assert_allclose(np.diff(Scale().rating(np.array([0.0, np.log(10)]))), 400)


def test_the_mean_of_the_pool_stands_at_1000() -> None:
    """Strengths are centred, so their mean shows as the scale's own point."""
    assert Scale().rating(np.array([-0.5, 0.5])).mean() == POOL_MEAN


def test_an_anchor_stands_exactly_where_it_was_put() -> None:
    """1114 must read 1114.0, not 1113.9999999."""
    strength = np.array([0.1, 0.7, -0.8])

    assert anchored(strength, 1, 1114.0).rating(strength)[1] == 1114.0


def test_an_anchor_is_a_pure_shift() -> None:
    """Anchoring inside the resamples once widened every interval but the anchor's."""
    strength = np.array([0.1, 0.7, -0.8])

    moved = anchored(strength, 2, 0.0).rating(strength) - Scale().rating(strength)

    assert_allclose(moved, moved[0])


def test_no_rating_is_minus_zero() -> None:
    """-0.0 on a page or in JSON looks like a sign that is not there."""
    rating = Scale(points=0.0).rating(np.array([-0.0, 0.0]))

    assert not np.signbit(rating).any()
