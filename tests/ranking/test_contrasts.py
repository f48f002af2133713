"""How far apart two models are: the difference's own standard error, never two bars."""

import math

import numpy as np
import pytest

from ranking import contrast, fit, sandwich
from tests.ranking.arena_of_voters import voter_arena

STRENGTH = np.array([0.5, -0.1, -0.4])
COVARIANCE = np.array([[0.04, -0.01, -0.03], [-0.01, 0.02, -0.01], [-0.03, -0.01, 0.04]])


def test_a_difference_has_its_own_variance() -> None:
    """0.04 + 0.02 + 2 x 0.01: what two models share counts."""
    found = contrast(STRENGTH, COVARIANCE, model=0, other=1)

    assert found.estimate == pytest.approx(0.6)
    assert found.standard_error == pytest.approx(math.sqrt(0.08))
    assert found.interval(0.95) == pytest.approx(
        (0.6 - 1.959964 * math.sqrt(0.08), 0.6 + 1.959964 * math.sqrt(0.08))
    )


def test_the_other_way_round_is_the_same_with_the_other_sign() -> None:
    """A above B by as much as B below A."""
    one = contrast(STRENGTH, COVARIANCE, model=0, other=2).interval(0.9)
    other = contrast(STRENGTH, COVARIANCE, model=2, other=0).interval(0.9)

    assert one == pytest.approx((-other[1], -other[0]))


def test_few_degrees_of_freedom_widen() -> None:
    """By Student's table: 12.706 at one degree, 2.228 at ten."""
    reaches = [
        contrast(STRENGTH, COVARIANCE, model=0, other=1, degrees=degrees).interval(0.95)[1] - 0.6
        for degrees in (1.0, 10.0)
    ]

    assert reaches == pytest.approx([12.7062 * math.sqrt(0.08), 2.22814 * math.sqrt(0.08)])


def test_an_anchor_changes_no_difference() -> None:
    """Peers anchor inside the resamples, and their intervals grow; here it is a shift of the scale."""
    battles = voter_arena(4).draw(500, np.random.default_rng(0)).battles
    found = fit(battles)
    covariance = sandwich(battles, found)
    shift = np.eye(4) - np.eye(4)[3]

    plain = contrast(found.strength, covariance, model=0, other=1)
    anchored = contrast(shift @ found.strength, shift @ covariance @ shift.T, model=0, other=1)

    assert anchored.estimate == pytest.approx(plain.estimate)
    assert anchored.standard_error == pytest.approx(plain.standard_error)


def test_no_spread_is_no_interval() -> None:
    """Zero width would claim certainty."""
    found = contrast(STRENGTH, np.zeros((3, 3)), model=0, other=1)

    assert found.interval() == (-math.inf, math.inf)


def test_only_two_models_of_the_board_have_a_difference() -> None:
    """The message says which were asked for and which there are."""
    with pytest.raises(ValueError, match="models 1 and 1; expected two of 0 to 2"):
        contrast(STRENGTH, COVARIANCE, model=1, other=1)
    with pytest.raises(ValueError, match="models 0 and 3"):
        contrast(STRENGTH, COVARIANCE, model=0, other=3)
    with pytest.raises(ValueError, match="level is 1"):
        contrast(STRENGTH, COVARIANCE, model=0, other=1).interval(1)
