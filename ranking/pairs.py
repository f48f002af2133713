"""What the pairs of a board did, what a fit expects of them, and other outcomes that it could have seen."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ranking.battles import SCORES, Battles, Floats, tally
from ranking.bradley_terry import Fit, inverse_curvature
from ranking.ranks import Places
from ranking.ties import Terms, TieModel, outcome_chances, outcome_terms

# A pair's own share of ties is drawn towards the board's as if it had so many further battles.
PRIOR_BATTLES = 50.0
# Chord Newton steps from the truth of a simulated board to its fit; the second leaves far less than noise.
REFIT_STEPS = 2


class Outcomes(NamedTuple):
    """Wins, ties and losses of the first of each of p pairs: counts, or chances in one battle."""

    win: Floats
    tie: Floats
    loss: Floats

    @property
    def meetings(self) -> Floats:
        """How often each pair met, (p,)."""
        return self.win + self.tie + self.loss

    @property
    def scored(self) -> Floats:
        """What the first of each pair scored, half for a tie, (p,)."""
        return self.win + self.tie / 2


class Expected(NamedTuple):
    """What a fit expects: (p,) differences of strengths in logits, the tie parameter, (p,) chances.

    With half ties a tie is no outcome of its own; there `chances` has none and its score is what counts.
    """

    difference: Floats
    tie: float
    chances: Outcomes


@dataclass(frozen=True, eq=False)
class Pairs:
    """The p pairs that met beside what a fit expects of them.

    Parameters
    ----------
    n_models : int
    first, second : (p,) int64
        The models of each pair, first < second.
    counts : Outcomes
        What they did.
    ties : TieModel
    expected : Expected
    chances : Outcomes
        Of each outcome of one battle. With half ties the score is the fit's and the ties are the pair's own.
    inverse : (m + e, m + e) float64
        Pseudo-inverse of the curvature; e is 1 with a tie parameter.
    """

    n_models: int
    first: Places
    second: Places
    counts: Outcomes
    ties: TieModel
    expected: Expected
    chances: Outcomes
    inverse: Floats

    @cached_property
    def variance(self) -> Floats:
        """Of the surplus of one battle, (p,); half ties vary less than the equations take them to."""
        gain = [_terms(self.ties, self.expected, score).difference for score in SCORES[::-1]]
        variance: Floats = np.einsum("op,op->p", self.chances, np.square(gain))
        return variance

    @cached_property
    def information(self) -> Floats:
        """What one battle is expected to add to the curvature in the difference, (p,)."""
        if self.ties is TieModel.HALF:
            score = self.expected.chances.scored
            return score * (1 - score)
        return self.variance

    @cached_property
    def surplus(self) -> Floats:
        """What the first of each pair gained over what the fit expects, (p,)."""
        return surplus(self, self.counts, self.expected)


def pairs(battles: Battles, fit: Fit) -> Pairs:
    """Return the pairs of these battles beside what their fit expects.

    Raises
    ------
    ValueError
        If the fit has a position or covariates: its expectation then differs from row to row of a pair.
    """
    further = [name for name in fit.extra_names if name != "tie"]
    if further:
        raise ValueError(
            f"the fit has the parameters {further}, so battles of one pair differ in what is expected. "
            "Fit without them."
        )
    paired, m = battles.paired(), battles.n_models
    met, pair_of = np.unique(paired.first.astype(np.int64) * m + paired.second, return_inverse=True)
    first, second = np.divmod(met, m)
    counts = Outcomes(
        *(
            tally(pair_of, paired.weight * (paired.score == score), len(met))
            for score in SCORES[::-1]
        )
    )
    expected = _expected(
        fit.ties, fit.strength[first] - fit.strength[second], float(fit.extra.sum())
    )
    half = fit.ties is TieModel.HALF
    return Pairs(
        n_models=m,
        first=first,
        second=second,
        counts=counts,
        ties=fit.ties,
        expected=expected,
        chances=_with_own_ties(counts, expected.chances.win) if half else expected.chances,
        inverse=inverse_curvature(fit.curvature, m),
    )


def _expected(ties: TieModel, difference: Floats, tie: float) -> Expected:
    return Expected(difference, tie, Outcomes(*outcome_chances(ties, difference, tie)))


def _with_own_ties(counts: Outcomes, score: Floats) -> Outcomes:
    """Return chances with these expected scores and each pair's share of ties, drawn towards the board's.

    The board's is in proportion to 2 sqrt(p (1 - p)), as in Davidson's model. A tie takes half a score from
    either side, so no chance of one exceeds twice the smaller expected score.
    """
    shape = 2 * np.sqrt(score * (1 - score))
    usual = shape * counts.tie.sum() / (counts.meetings @ shape)
    share = (counts.tie + PRIOR_BATTLES * usual) / (counts.meetings + PRIOR_BATTLES)
    tie = np.minimum(share, 2 * np.minimum(score, 1 - score))
    return Outcomes(score - tie / 2, tie, 1 - score - tie / 2)


def _terms(ties: TieModel, expected: Expected, score: float) -> Terms:
    """Return the derivatives at one battle of each pair that ended in this score."""
    scores = np.full_like(expected.difference, score)
    return outcome_terms(ties, expected.difference, scores, expected.tie)


def simulated(of: Pairs, generator: np.random.Generator) -> Outcomes:
    """Return what the pairs do in another board on which the fit is the truth, met as often."""
    meetings = np.rint(of.counts.meetings).astype(np.int64)
    tie = generator.binomial(meetings, of.chances.tie)
    untied = of.chances.win + of.chances.loss
    win = np.divide(of.chances.win, untied, out=np.full_like(untied, 0.5), where=untied > 0)
    wins = generator.binomial(meetings - tie, np.clip(win, 0.0, 1.0))
    return Outcomes(wins.astype(float), tie.astype(float), (meetings - tie - wins).astype(float))


def surplus(of: Pairs, counts: Outcomes, expected: Expected) -> Floats:
    """Return (p,): each pair's part of the gradient, which a fit balances for every model.

    For half ties and Davidson's model it is the score less the expected score.
    """
    win, _, loss = expected.chances
    if of.ties is TieModel.RAO_KUPPER:
        # A tie is both that the first is not below and that the second is not: see ranking.ties.
        return (counts.win + counts.tie) * (1 - win) - (counts.loss + counts.tie) * (1 - loss)
    return counts.scored - counts.meetings * expected.chances.scored


def refitted(of: Pairs, counts: Outcomes) -> Expected:
    """Return what the fit of a simulated board expects, by chord Newton steps from the truth."""
    expected = of.expected
    for _ in range(REFIT_STEPS):
        step = of.inverse @ _gradient(of, counts, expected)
        moved = expected.difference + step[of.first] - step[of.second]
        expected = _expected(of.ties, moved, expected.tie + float(step[of.n_models :].sum()))
    return expected


def net(of: Pairs, flow: Floats) -> Floats:
    """Return (m,): the flow along pairs that leaves each model, less what enters it."""
    return tally(of.first, flow, of.n_models) - tally(of.second, flow, of.n_models)


def _gradient(of: Pairs, counts: Outcomes, expected: Expected) -> Floats:
    gradient = net(of, surplus(of, counts, expected))
    if of.ties is TieModel.HALF:
        return gradient
    each = [_terms(of.ties, expected, score).tie for score in SCORES[::-1]]
    return np.append(gradient, np.vdot(np.array(counts), np.array(each)))
