"""People's votes and a judge's verdicts in one rating whose intervals hold for people's preferences.

The judge is never believed: on battles that both decided it is seen how far it is off, and what it says of the
many battles that people did not see is corrected by that. A judge that is no use gets a share of zero.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from ranking.battles import Battles, Floats
from ranking.bradley_terry import Fit, inverse_curvature, maximise
from ranking.connectivity import is_table_connected, strong_groups
from ranking.errors import NoOverlapError, NotConnectedError
from ranking.verdicts import DoublyJudged, Verdicts


@dataclass(frozen=True, eq=False)
class Estimate:
    """Strengths (m,) in logits, mean zero, and their covariance (m, m) in logits squared."""

    strength: Floats
    covariance: Floats


@dataclass(frozen=True, eq=False)
class PredictionPowered:
    """The same models by people alone, by the judge alone, and by both together.

    Parameters
    ----------
    human : Estimate
        By all people's votes.
    judge : Estimate or None
        By all verdicts as if they were votes. Its intervals hold for the judge's taste and for nothing else.
        None if the verdicts do not tie all models together.
    combined : Estimate
        By both, with intervals that hold for people's preferences.
    share : float
        How much of the judge is used, 0 to 1: lambda in the paper.
    human_votes : float
        How many battles people decided.
    """

    human: Estimate
    judge: Estimate | None
    combined: Estimate
    share: float
    human_votes: float

    @property
    def worth(self) -> float:
        """How many further human votes would have narrowed the intervals as the judge did.

        Variances fall as one over the number of votes, so it is the votes times (ratio of variances - 1),
        for the median model. Negative if a share that was not tuned made the intervals wider.
        """
        ratio = self.human.covariance.diagonal() / self.combined.covariance.diagonal()
        return self.human_votes * float(np.median(ratio) - 1)


def prediction_powered(
    both: DoublyJudged,
    judge_only: Verdicts,
    *,
    human_only: Battles | None = None,
    share: float | None = None,
) -> PredictionPowered:
    """Return ratings by people, by the judge, and by both: PPI++ with the judge's mean taken pair by pair.

    With h what people say, j what the judge says, and p the pair of a battle, the strengths solve

        sum over human votes of score(h) + share * sum over both of (mean of j on p - score(j)) = 0,

    the mean being over all verdicts on the pair. If all pairs have the same proportion of battles that only
    the judge decided, that is the published equation; otherwise it holds where that one does not, since
    which pairs the judge was sent is no matter. Within a pair, the battles that people decided must be like
    the ones that only the judge did. Ties are half a win.

    Parameters
    ----------
    both : DoublyJudged
        Over m models.
    judge_only : Verdicts
        Of the same judge, over the same m models, on battles without a human vote.
    human_only : Battles, optional
        Human votes on battles that the judge did not decide. They count in full.
    share : float, optional
        How much of the judge to use, 0 to 1. Without it the share that makes the trace of the covariance of
        the combined strengths least, estimated from the data.

    Raises
    ------
    ValueError
        If the three have other numbers of models, or the share is not between 0 and 1.
    NoOverlapError
        If no battle has both, if no pair of these has a further verdict, or if the battles with both leave
        the models in separate groups.
    NotConnectedError
        If people's votes do not tie all models together.

    Source
    ------
    Angelopoulos, Duchi and Zrnic (2023), "PPI++: efficient prediction-powered inference", arXiv 2311.01453;
    for ranks of models: Chatzi, Straitouri, Thejaswi and Gomez Rodriguez (2024), "Prediction-powered
    ranking of large language models", arXiv 2402.17826; pair by pair: Fisch and others (2024), "Stratified
    prediction-powered inference for hybrid language model evaluation", arXiv 2406.04291.
    """
    _refuse_other_models(both, judge_only, human_only)
    _refuse_without_overlap(both, judge_only)
    if share is not None and not 0 <= share <= 1:
        raise ValueError(f"share is {share}; expected 0 to 1, or none to have it tuned")
    people = both.by_people()
    if human_only is not None:
        people = people.joined(Verdicts.of(human_only))
    correction = _correction(both.by_judge(), judge_only)
    votes = people.score_table()
    human = _fitted(votes)
    spread = _spread(people, correction, human.strength)
    chosen = _tuned(spread, inverse_curvature(human.curvature)) if share is None else share
    combined = maximise(votes + chosen * correction.points, human.strength)
    after = _spread(people, correction, combined.strength)
    return PredictionPowered(
        human=Estimate(human.strength, _covariance(human.curvature, spread.at(0.0))),
        judge=_by_judge_alone(both.by_judge().joined(judge_only)),
        combined=Estimate(combined.strength, _covariance(combined.curvature, after.at(chosen))),
        share=chosen,
        human_votes=float(people.weight.sum()),
    )


@dataclass(frozen=True, eq=False)
class _Correction:
    """What the judge adds at a share of one, and what its verdicts contribute to the noise.

    Parameters
    ----------
    points : (m, m) float64
        What is added to the row's model's score against the column's. Antisymmetric: no battle is added.
    seen : Verdicts
        The n verdicts on battles of both.
    distance : (n,) float64
        How far each of them is from the mean of its pair, times its weight in the correction.
    noise : (m, m) float64
        The squares of that, of all verdicts, added up by pair.
    """

    points: Floats
    seen: Verdicts
    distance: Floats
    noise: Floats


def _correction(seen: Verdicts, other: Verdicts) -> _Correction:
    """Return what the verdicts on battles of both, and the other ones, make of a pair's score."""
    table, table_of_seen = seen.joined(other).score_table(), seen.score_table()
    on_pair, seen_on_pair = table + table.T, table_of_seen + table_of_seen.T
    mean, share_seen = _ratio(table, on_pair), _ratio(seen_on_pair, on_pair)
    # Bessel's correction: the mean was found from the same verdicts.
    widening = np.sqrt(_ratio(on_pair, on_pair - 1))

    def distance(rows: Verdicts, weights: Floats) -> Floats:
        pair = rows.first, rows.second
        away: Floats = (rows.score - mean[pair]) * (weights * widening)[pair]
        return away

    of_seen, of_other = distance(seen, 1 - share_seen), distance(other, share_seen)
    return _Correction(
        points=seen_on_pair * mean - table_of_seen,
        seen=seen,
        distance=of_seen,
        noise=seen.tabled(of_seen**2) + other.tabled(of_other**2),
    )


@dataclass(frozen=True, eq=False)
class _Spread:
    """Squares of the gradients of single battles, added up by pair, each (m, m): people's, the judge's, mixed."""

    human: Floats
    judge: Floats
    mixed: Floats

    def at(self, share: float) -> Floats:
        """Return the (m, m) scatter of the gradients when the judge has this share."""
        return _scatter(self.human - 2 * share * self.mixed + share**2 * self.judge)


def _spread(people: Verdicts, correction: _Correction, strength: Floats) -> _Spread:
    residual = people.score - expit(strength[people.first] - strength[people.second])
    on_seen = residual[: len(correction.seen)]
    return _Spread(
        human=people.tabled(residual**2),
        judge=correction.noise,
        mixed=correction.seen.tabled(on_seen * correction.distance),
    )


def _tuned(spread: _Spread, bread: Floats) -> float:
    """Return the share, 0 to 1, at which the trace of the covariance of the strengths is least."""
    square = bread @ bread
    noise = float((_scatter(spread.judge) * square).sum())
    if noise <= 0:
        return 0.0
    return float(np.clip((_scatter(spread.mixed) * square).sum() / noise, 0, 1))


def _covariance(curvature: Floats, scatter: Floats) -> Floats:
    bread = inverse_curvature(curvature)
    covariance: Floats = bread @ scatter @ bread
    return covariance


def _scatter(squares: Floats) -> Floats:
    """Return the (m, m) sum of outer products of gradients, from their squares by pair."""
    between = squares + squares.T
    scatter: Floats = np.diag(between.sum(1)) - between
    return scatter


def _by_judge_alone(verdicts: Verdicts) -> Estimate | None:
    table = verdicts.score_table()
    if not is_table_connected(table):
        return None
    found = _fitted(table)
    expected = expit(found.strength[verdicts.first] - found.strength[verdicts.second])
    squares = verdicts.tabled((verdicts.score - expected) ** 2)
    return Estimate(found.strength, _covariance(found.curvature, _scatter(squares)))


def _fitted(scores: Floats) -> Fit:
    """Return the fit of an (m, m) table of scores, or say which models it does not tie together."""
    if not is_table_connected(scores):
        winner, loser = np.nonzero(scores)
        won = scores[winner, loser]
        sides = winner.astype(np.int32), loser.astype(np.int32)
        battles = Battles(*sides, np.ones(len(won)), won, len(scores))
        raise NotConnectedError([group.tolist() for group in strong_groups(battles)])
    return maximise(scores, np.zeros(len(scores)))


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Return part / whole, and 0 where the whole is not positive."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _refuse_other_models(
    both: DoublyJudged, judge_only: Verdicts, human_only: Battles | None
) -> None:
    given = [both.n_models, judge_only.n_models]
    given += [] if human_only is None else [human_only.n_models]
    if len(set(given)) > 1:
        raise ValueError(f"the columns number {given} models; expected the same models in each")


def _refuse_without_overlap(both: DoublyJudged, judge_only: Verdicts) -> None:
    seen, other = (rows.score_table() for rows in (both.by_judge(), judge_only))
    met = seen + seen.T
    count, label = connected_components(csr_array(met), directed=False)
    groups = [np.flatnonzero(label == group).tolist() for group in range(count)]
    if len(both) == 0 or not ((met > 0) & (other + other.T > 0)).any():
        raise NoOverlapError(
            f"found {len(both)} rows that people and the judge both decided and {len(judge_only)} that only the "
            "judge did, with no pair of models in common. Have the judge decide battles that have votes, "
            "and further battles of the same pairs.",
            groups,
        )
    if count > 1:
        raise NoOverlapError(
            f"the battles that people and the judge both decided leave {count} groups of models that never "
            "meet. Have the judge decide battles with votes between the groups, or rate each by itself.",
            groups,
        )
