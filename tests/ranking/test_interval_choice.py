"""The rule that chooses between covariance and resamples, and that it names its numbers."""

import numpy as np
import pytest

from ranking import Battles
from ranking.interval_choice import ENOUGH_POINTS, IntervalWay, choose_interval


def board(wins: float, losses: float, ties: float) -> Battles:
    """Models 0 and 1 with hundreds of battles, and model 2 with these against 1."""
    return Battles(
        np.array([0, 0, 2, 2, 2]),
        np.array([1, 1, 1, 1, 1]),
        np.array([1.0, 0.0, 1.0, 0.0, 0.5]),
        np.array([400.0, 300.0, wins, losses, ties]),
        3,
    )


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "way", "fewest"),
    [
        (20, 500, 20, IntervalWay.GAUSSIAN, 30),
        (19, 500, 20, IntervalWay.BOOTSTRAP, 29),
        (500, 20, 20, IntervalWay.GAUSSIAN, 30),
        (500, 1, 1, IntervalWay.BOOTSTRAP, 1.5),
    ],
)
def test_every_model_needs_enough_on_both_sides(
    wins: float, losses: float, ties: float, way: IntervalWay, fewest: float
) -> None:
    """Wins without losses say as little of an upper end as losses without wins of a lower one."""
    choice = choose_interval(board(wins, losses, ties))

    assert (choice.way, choice.fewest, choice.model) == (way, fewest, 2)
    assert choice.enough == ENOUGH_POINTS


def test_what_is_enough_may_be_set() -> None:
    """A stricter board asks for more, and says so."""
    choice = choose_interval(board(40, 40, 20), enough=60)

    assert choice.way is IntervalWay.BOOTSTRAP
    assert choice.enough == 60
