"""What is expected of a voter owes nothing to the voter's own votes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking.anomalies import Reference, by_voter, fit_reference, reference_of
from ranking.anomalies.reference import expect
from ranking.battles import Battles
from ranking.fitting import fit
from ranking.ties import TieModel, outcome_chances
from tests.ranking.anomalies.voting import Hall, hall, together

VOTES = 60


@pytest.fixture
def honest_hall(generator: np.random.Generator) -> Hall:
    return hall(generator)


def chances_without(others: Battles, own: Battles) -> np.ndarray:
    """The twin: fit the others' votes anew and read off the chances."""
    found = fit(others, ties=TieModel.DAVIDSON, position=True)
    lead = found.strength[own.first] - found.strength[own.second] + found.extra[0]
    return np.stack(outcome_chances(TieModel.DAVIDSON, lead, found.extra[1]), axis=1)


def examined(others: Battles, own: Battles) -> tuple[np.ndarray, Reference]:
    everyone = together(others, own)
    reference = fit_reference(everyone)
    voter = np.repeat([0, 1], [len(others), len(own)])
    votes = by_voter(voter, everyone, n_voters=2)
    return expect(votes, reference).chances[len(others) :], reference


@pytest.mark.parametrize("conduct", ["honest", "always left", "target only"])
def test_one_step_leaves_a_voter_out(conduct: str, honest_hall: Hall) -> None:
    """As a fit without the voter does, to a tenth of what the voter moved."""
    others, own = honest_hall.vote("honest", 4000), honest_hall.vote(conduct, VOTES)

    found, reference = examined(others, own)

    expected = chances_without(others, own)
    lead = reference.fit.strength[own.first] - reference.fit.strength[own.second]
    with_own = np.stack(
        outcome_chances(TieModel.DAVIDSON, lead + reference.position, reference.tie), axis=1
    )
    moved = np.abs(with_own - expected).max()
    assert moved > 0.003
    assert np.abs(found - expected).max() < 0.2 * moved


def test_the_error_of_a_difference_is_that_of_the_sandwich(honest_hall: Hall) -> None:
    """The deviations are of a difference with the seat's advantage, not of two single strengths."""
    battles = honest_hall.vote("honest", 4000)
    reference = fit_reference(battles)
    m, seat = reference.n_models, reference.fit.place("position")
    along = np.zeros(len(reference.covariance))
    along[[3, 8, seat]] = 1, -1, 1

    assert m == 20
    assert_allclose(reference.deviations()[3, 8] ** 2, along @ reference.covariance @ along)


def test_half_ties_are_no_reference(honest_hall: Hall) -> None:
    """A tie would have no chance at all, and every voter who ties would be a bot."""
    battles = honest_hall.vote("honest", 4000)

    with pytest.raises(ValueError, match="gives a tie no chance"):
        reference_of(battles, fit(battles))


def test_a_board_without_ties_has_a_reference(honest_hall: Hall) -> None:
    """Some boards do not offer a tie: nothing is expected of it then."""
    battles = honest_hall.vote("coin, never tie", 2000)

    reference = fit_reference(battles)
    votes = by_voter(np.zeros(len(battles), int), battles, n_voters=1)

    assert reference.fit.ties is TieModel.HALF
    assert_allclose(expect(votes, reference).chances[:, 1], 0.0)


def test_seats_that_cannot_be_told_from_strengths_are_left_out() -> None:
    """An imported board may show its two models in one order only."""
    battles = Battles([0] * 6, [1] * 6, [1, 1, 1, 0, 0, 0.5], np.ones(6), 2)

    assert fit_reference(battles).position == 0.0


def test_a_seat_that_everybody_favours_is_no_reason_to_suspect(honest_hall: Hall) -> None:
    """What people do on this board is what is expected of each."""
    battles = honest_hall.vote("90 % left", 4000)

    reference = fit_reference(battles)

    assert reference.position > 2.0
