"""What an honest voter would say: the chances of the outcomes of each vote, by all votes but the voter's own."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ranking.anomalies.votes import SCORES, VoterVotes
from ranking.battles import Battles, Floats, tally
from ranking.bradley_terry import Fit, inverse_curvature
from ranking.errors import NotIdentifiedError
from ranking.fitting import fit
from ranking.sandwich import sandwich
from ranking.ties import TieModel, outcome_chances, outcome_terms

POSITION, TIE = "position", "tie"


@dataclass(frozen=True, eq=False)
class Reference:
    """A fitted board to hold voters against.

    Parameters
    ----------
    fit : Fit
        Of all votes, with ties as outcomes of their own; the advantage of the seat may be fitted too.
    inverse : (m + p, m + p) float64
        The pseudo-inverse of the curvature: what a vote's gradient moves.
    covariance : (m + p, m + p) float64
        Of strengths and further parameters, in logits squared.
    """

    fit: Fit
    inverse: Floats
    covariance: Floats

    @property
    def n_models(self) -> int:
        """How many models the board has."""
        return len(self.fit.strength)

    @property
    def position(self) -> float:
        """The advantage of the first seat in logits, 0 if it was not fitted."""
        return self._extra(POSITION)

    @property
    def tie(self) -> float:
        """The tie parameter's logarithm; 0, and not read, if no vote is a tie."""
        return self._extra(TIE)

    def _extra(self, name: str) -> float:
        names = self.fit.extra_names
        return float(self.fit.extra[names.index(name)]) if name in names else 0.0

    def deviations(self) -> Floats:
        """Return (m, m) the standard error of the difference, first less second, with the seat's advantage."""
        m, covariance = self.n_models, self.covariance
        own = covariance.diagonal()[:m]
        variance = own[:, None] + own - 2 * covariance[:m, :m]
        if POSITION in self.fit.extra_names:
            seat = self.fit.place(POSITION)
            along = covariance[:m, seat]
            variance = variance + covariance[seat, seat] + 2 * (along[:, None] - along)
        deviation: Floats = np.sqrt(np.maximum(variance, 0.0))
        return deviation

    def tie_deviation(self) -> float:
        """Return the standard error of the tie parameter's logarithm."""
        if TIE not in self.fit.extra_names:
            return 0.0
        place = self.fit.place(TIE)
        return float(np.sqrt(max(self.covariance[place, place], 0.0)))


def reference_of(battles: Battles, fit: Fit) -> Reference:
    """Return the reference that a fit of these battles gives.

    Raises
    ------
    ValueError
        If ties are half wins although there are some, so that a tie has no chance; or if the fit has
        covariates, which the votes examined do not carry.
    """
    if fit.ties is TieModel.HALF and (battles.score == 0.5).any():
        raise ValueError(
            "the fit counts ties as half wins, so it gives a tie no chance; "
            "expected one with ties=TieModel.DAVIDSON or RAO_KUPPER"
        )
    covariates = [name for name in fit.extra_names if name not in (POSITION, TIE)]
    if covariates:
        raise ValueError(f"the fit has the covariates {covariates}; expected a fit without any")
    inverse = inverse_curvature(fit.curvature, len(fit.strength))
    return Reference(fit, inverse, sandwich(battles, fit))


def fit_reference(battles: Battles) -> Reference:
    """Return the reference of battles in their seats: Davidson's ties, and the seat's advantage if it shows.

    Raises
    ------
    NotConnectedError, NotConvergedError
        As `fit` does.
    """
    ties = TieModel.DAVIDSON if (battles.score == 0.5).any() else TieModel.HALF
    try:
        found = fit(battles, ties=ties, position=True)
    except NotIdentifiedError:
        found = fit(battles, ties=ties)
    return reference_of(battles, found)


class Expected(NamedTuple):
    """What the reference says of n votes, each without its own voter's votes.

    Parameters
    ----------
    difference, tie : (n,) float64
        In logits, first less second with the seat's advantage; and the tie parameter's logarithm.
    chances : (n, 3) float64
        Of FIRST_WON, TIED, SECOND_WON; rows sum to 1.
    """

    difference: Floats
    tie: Floats
    chances: Floats


def expect(votes: VoterVotes, reference: Reference, *, own: bool = True) -> Expected:
    """Return what the reference says of the votes, leaving each voter's own votes out.

    One Newton step from the fit of all votes: the parameters without a voter are those with all, less the
    inverse curvature times the sum of the voter's gradients. A voter who gives the share s of the
    information on a model is left out up to a share s of the correction.

    Parameters
    ----------
    own : bool
        Whether the votes are part of the reference; False if it was fitted before they were cast.
    """
    fit = reference.fit
    difference = fit.strength[votes.first] - fit.strength[votes.second] + reference.position
    tie = np.full(len(votes), reference.tie)
    if own:
        terms = outcome_terms(fit.ties, difference, SCORES[votes.outcome], reference.tie)
        moved = -(gathered(votes, reference, terms.difference, terms.tie) @ reference.inverse)
        along = moved[votes.voter, votes.first] - moved[votes.voter, votes.second]
        difference = difference + along + _column(votes, reference, moved, POSITION)
        tie = tie + _column(votes, reference, moved, TIE)
    return Expected(difference, tie, np.stack(outcome_chances(fit.ties, difference, tie), axis=1))


def gathered(
    votes: VoterVotes, reference: Reference, of_difference: Floats, of_tie: Floats
) -> Floats:
    """Return (v, m + p): for each voter the sum of (n,) derivatives, in strengths and further parameters."""
    m, width = votes.n_models, len(reference.inverse)
    row = votes.voter.astype(np.int64) * width
    sums = tally(row + votes.first, of_difference, votes.n_voters * width)
    sums -= tally(row + votes.second, of_difference, votes.n_voters * width)
    table = sums.reshape(votes.n_voters, width)
    for name, derivative in ((POSITION, of_difference), (TIE, of_tie)):
        if name in reference.fit.extra_names:
            table[:, reference.fit.place(name)] += votes.sums(derivative)
    assert width == m + len(reference.fit.extra_names), "one column a parameter"
    return table


def _column(votes: VoterVotes, reference: Reference, moved: Floats, name: str) -> Floats:
    """Return (n,) how far a further parameter is moved for each vote, 0 if it is not in the fit."""
    if name not in reference.fit.extra_names:
        return np.zeros(len(votes))
    column: Floats = moved[votes.voter, reference.fit.place(name)]
    return column
