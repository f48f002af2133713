"""Four tests of a voter's votes as a whole, and one p-value for them together."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ranking.anomalies.reference import Expected, Reference, gathered
from ranking.anomalies.tails import ADDED, SMALLEST, Sums, moments, two_sided, upper_tail
from ranking.anomalies.votes import SCORES, VoterVotes
from ranking.battles import Floats, Ints
from ranking.ties import TieModel, outcome_terms

SEAT_VALUES = np.array([1.0, 0.0, -1.0])
TIE_VALUES = np.array([0.0, 1.0, 0.0])


class VoterTest(StrEnum):
    """What a voter's votes are tested for."""

    SEAT = "seat"
    TIE = "tie"
    LIKELIHOOD = "likelihood"
    MODEL = "model"


TESTS = tuple(VoterTest)


@dataclass(frozen=True, eq=False)
class Battery:
    """The p-values of v voters; 1 for a voter without a vote.

    Parameters
    ----------
    p_values : (v, 4) float64
        By test, in the order of TESTS. That of a model is the smallest of all models that the voter met,
        times their number.
    model : (v,) int32
        The model that this smallest one is of; -1 without a vote.
    excess : (v,) float64
        Points that model scored with this voter above what was expected: a win 1, a tie 0.5.
    """

    p_values: Floats
    model: Ints
    excess: Floats

    @property
    def p_value(self) -> Floats:
        """(v,) the smallest of each voter's, times the number of tests, at most 1 (Bonferroni)."""
        smallest: Floats = np.minimum(1.0, len(TESTS) * self.p_values.min(1))
        return smallest


class Scores(NamedTuple):
    """(n, 3) derivatives of the logarithm of every outcome's chance, in the difference and the tie parameter."""

    difference: Floats
    tie: Floats


def run_battery(votes: VoterVotes, expected: Expected, reference: Reference) -> Battery:
    """Return what the four tests say of every voter.

    seat         wins of the first shown less wins of the second, more or fewer than expected
    tie          ties, more or fewer than expected
    likelihood   the votes are less likely than an honest voter's are: the sum of -log chance is too large
    model        points for one model, more or fewer than expected

    A board is an estimate, and the error of what is expected by it widens every test. The error of a sum over
    one model's votes is bounded by adding the errors of its votes as if all went one way.
    """
    of_outcomes = _Context(votes, expected, _outcome_scores(reference, expected), reference)
    of_models = _test_models(of_outcomes)
    surprise = -np.log(np.maximum(expected.chances, SMALLEST))
    columns = {
        VoterTest.SEAT: _test_sum(of_outcomes, SEAT_VALUES, 1.0, two_sided),
        VoterTest.TIE: _test_sum(of_outcomes, TIE_VALUES, 1.0, two_sided),
        VoterTest.LIKELIHOOD: _test_sum(of_outcomes, surprise, 0.0, upper_tail),
        VoterTest.MODEL: of_models.p_value,
    }
    p_values = np.stack([columns[test] for test in TESTS], axis=1)
    return Battery(p_values, of_models.model, of_models.excess)


class _Context(NamedTuple):
    """What every test reads."""

    votes: VoterVotes
    expected: Expected
    scores: Scores
    reference: Reference


def _test_sum(
    context: _Context, values: Floats, step: float, tail: Callable[[Sums, Floats], Floats]
) -> Floats:
    """Return (v,) the p-value of the sum over each voter's votes of the value of the outcome."""
    votes, chances = context.votes, context.expected.chances
    values = np.broadcast_to(values, chances.shape)
    present = np.unique(votes.voter)
    observed = votes.sums(values[np.arange(len(votes)), votes.outcome])
    spread = _spread(context, values)
    p_values = np.ones(votes.n_voters)
    sums = Sums(votes.starts[present], values, chances, spread[present], step)
    p_values[present] = tail(sums, observed[present])
    return p_values


class _OfModels(NamedTuple):
    """(v,) the smallest p-value among a voter's models, which model it is of, and its excess."""

    p_value: Floats
    model: Ints
    excess: Floats


def _test_models(context: _Context) -> _OfModels:
    """Test the points of every model that a voter met. Each vote is in two sums, one a side."""
    votes, expected, scores, reference = context
    sides = votes.sides()
    values = np.where(sides.is_second[:, None], 1 - SCORES, SCORES)
    chances = expected.chances[sides.row]
    covariance = _covariance(values, chances, scores.difference[sides.row])
    deviation = reference.deviations()[votes.first, votes.second][sides.row]
    spread = np.add.reduceat(np.abs(covariance) * deviation, sides.starts) ** 2
    sums = Sums(sides.starts, values, chances, spread, 0.5)
    scored = np.add.reduceat(SCORES[sides.outcome], sides.starts)
    excess = scored - moments(sums).mean
    return _smallest(two_sided(sums, scored), excess, sides.key[sides.starts], votes)


def _smallest(
    p_values: Floats, excess: Floats, keys: NDArray[np.int64], votes: VoterVotes
) -> _OfModels:
    """Pick each voter's model with the smallest p-value, and multiply it by the number of models."""
    voter, model = np.divmod(keys, votes.n_models)
    met = np.bincount(voter, minlength=votes.n_voters)
    order = np.lexsort((p_values, voter))
    first = order[np.flatnonzero(np.diff(voter[order], prepend=-1))]
    found = _OfModels(
        np.ones(votes.n_voters), np.full(votes.n_voters, -1, np.int32), np.zeros(votes.n_voters)
    )
    found.p_value[voter[first]] = np.minimum(1.0, p_values[first] * met[voter[first]])
    found.model[voter[first]] = model[first]
    found.excess[voter[first]] = excess[first]
    return found


def _outcome_scores(reference: Reference, expected: Expected) -> Scores:
    columns = [
        outcome_terms(
            reference.fit.ties,
            expected.difference,
            np.full(len(expected.difference), score),
            reference.tie,
        )
        for score in SCORES
    ]
    return Scores(
        np.stack([terms.difference for terms in columns], axis=1),
        np.stack([terms.tie for terms in columns], axis=1)
        if reference.fit.ties is not TieModel.HALF
        else np.zeros((len(expected.difference), 3)),
    )


def _covariance(values: Floats, chances: Floats, scores: Floats) -> Floats:
    """Return (n,) how the expected value of each row changes with the parameter of the scores."""
    covariance: Floats = (chances * values * scores) @ ADDED
    return covariance


def _spread(context: _Context, values: Floats) -> Floats:
    """Return (v,) the variance of what is expected of each voter, by the covariance of the reference."""
    votes, expected, scores, reference = context
    gradient = gathered(
        votes,
        reference,
        _covariance(values, expected.chances, scores.difference),
        _covariance(values, expected.chances, scores.tie),
    )
    spread: Floats = np.einsum("vp,vp->v", gradient @ reference.covariance, gradient)
    return np.maximum(spread, 0.0)
