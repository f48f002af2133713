"""The promise made before the first vote must be the one that the fit keeps."""

import numpy as np
import pytest

from arena.leaderboard.certainty import certainty_of
from ranking import POINTS_PER_LOGIT, Battles, fit, sandwich


def test_four_times_the_votes_halve_the_interval() -> None:
    """An interval narrows with the root of the votes."""
    assert certainty_of(400).half_width == pytest.approx(certainty_of(100).half_width / 2)


def test_the_promise_is_what_a_fit_of_equals_reports() -> None:
    """Among many equal models, a rating's standard error comes near that against known opponents."""
    models, each = 40, 10
    first, second = np.triu_indices(models, 1)
    pairs = (
        np.concatenate([first, second]).astype(np.int32),
        np.concatenate([second, first]).astype(np.int32),
    )
    n = len(pairs[0])
    battles = Battles(*pairs, np.ones(n), np.full(n, float(each)), models)

    covariance = sandwich(battles, fit(battles))

    votes = each * 2 * (models - 1)
    reported = 1.96 * np.sqrt(covariance[0, 0]) * POINTS_PER_LOGIT
    assert certainty_of(votes).half_width == pytest.approx(reported, rel=0.03)


def test_more_votes_tell_a_smaller_share_from_one_half() -> None:
    """The share falls towards one half and never reaches it."""
    shares = [certainty_of(votes).share for votes in (25, 100, 400, 1600)]

    assert shares == sorted(shares, reverse=True)
    assert min(shares) > 1 / 2
