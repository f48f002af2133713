"""Each test of the battery finds what it is for, and honest voters have honest p-values."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import kstest

from ranking import Battles
from ranking.anomalies import TESTS, Battery, VoterTest, by_voter, fit_reference
from ranking.anomalies.battery import run_battery
from ranking.anomalies.reference import expect
from tests.ranking.anomalies.voting import TARGET, Hall, hall, together, voters_of

FINDS = {
    "always left": VoterTest.SEAT,
    "90 % left": VoterTest.SEAT,
    "always tie": VoterTest.TIE,
    "coin, never tie": VoterTest.TIE,
    "inverse": VoterTest.LIKELIHOOD,
    "target only": VoterTest.MODEL,
}


@pytest.fixture
def board(generator: np.random.Generator) -> tuple[Hall, Battles]:
    honest_hall = hall(generator)
    return honest_hall, honest_hall.vote("honest", 40_000)


def battery_of(history: Battles, own: Battles) -> Battery:
    """The battery of one voter on a board of all votes."""
    reference = fit_reference(together(history, own).merged())
    votes = by_voter(np.zeros(len(own), int), own, n_voters=1)
    return run_battery(votes, expect(votes, reference), reference)


@pytest.mark.parametrize("conduct", list(FINDS))
def test_each_test_finds_what_it_is_for(conduct: str, board: tuple[Hall, Battles]) -> None:
    """The p-value of that test alone is below one in ten thousand after 100 votes."""
    honest_hall, history = board

    found = battery_of(history, honest_hall.vote(conduct, 100))

    assert found.p_values[0, TESTS.index(FINDS[conduct])] < 1e-4


def test_the_model_that_a_voter_pushes_is_named(board: tuple[Hall, Battles]) -> None:
    """With the points it was given above what was expected."""
    honest_hall, history = board

    found = battery_of(history, honest_hall.vote("target only", 50))

    assert found.model[0] == TARGET
    assert found.excess[0] > 15


def test_honest_p_values_are_no_smaller_than_chance(board: tuple[Hall, Battles]) -> None:
    """1000 honest voters of 60 votes, cast after the board was fitted: no test is below p more often than p.

    Sums of few votes are coarse, so a p-value may well be larger than uniform, never smaller.
    """
    honest_hall, history = board
    reference = fit_reference(history)
    votes = voters_of([honest_hall.vote("honest", 60) for _ in range(1000)])

    found = run_battery(votes, expect(votes, reference, own=False), reference)

    for column in found.p_values.T:
        assert kstest(column, "uniform", alternative="greater").pvalue > 0.001
    assert (found.p_value < 0.01).mean() <= 0.02
    assert (found.p_values.min(1) < 0.05).mean() > 0.02, "p-values move, or the test proves nothing"


def test_a_small_board_gives_the_benefit_of_its_own_doubt(generator: np.random.Generator) -> None:
    """With 300 votes behind it a reference is a guess: voters of 200 votes must not pay for its error."""
    flagged = 0
    for _ in range(25):
        honest_hall = hall(generator)
        history, own = honest_hall.vote("honest", 300), honest_hall.vote("honest", 200)
        flagged += int(battery_of(history, own).p_value[0] < 0.01)

    assert flagged <= 1


def test_voters_without_votes_pass(board: tuple[Hall, Battles]) -> None:
    """A p-value of 1, and no model."""
    _, history = board
    votes = by_voter(np.ones(len(history), int), history, n_voters=3)
    reference = fit_reference(history)

    found = run_battery(votes, expect(votes, reference), reference)

    assert_array_equal(found.p_value[[0, 2]], 1.0)
    assert_array_equal(found.model[[0, 2]], -1)
