"""Evidence against a voter that may be looked at after every vote: a mixture of likelihood ratios.

An honest voter's evidence starts at 1 and is, by Ville's inequality, ever at or above 1 / level with a chance of
at most `level`, whenever one looks and however long the voter goes on.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ranking.anomalies.reference import Expected, Reference
from ranking.anomalies.votes import FIRST_WON, SECOND_WON, TIED, VoterVotes
from ranking.battles import Floats, Ints, tally
from ranking.ties import outcome_chances

# How sure an alternative is of its outcome. Not wholly: one slip of the hand must not acquit a script.
SURE = 0.98
# A voter who leans votes like the alternative in this share of the votes and honestly in the others.
LEANING = 0.5
# Standard errors of the reference within which a voter gets the benefit of the doubt.
BAND = 2.0
# Evidence is held below e to this: far beyond what anyone asks for, far within float64.
MOST_LOG = 60.0


class Alternative(StrEnum):
    """What else a voter may be doing than comparing answers."""

    NEVER_TIES = "tosses a coin and never ties"
    LEFT = "always votes left"
    RIGHT = "always votes right"
    LEANS_LEFT = "leans left"
    LEANS_RIGHT = "leans right"
    ALWAYS_TIES = "always ties"
    INVERTED = "votes for the weaker"
    RANDOM = "votes at random"
    PROMOTES = "promotes a model"
    DEMOTES = "votes against a model"


ALTERNATIVES = tuple(Alternative)
OF_A_MODEL = (Alternative.PROMOTES, Alternative.DEMOTES)
WHOLE = tuple(each for each in ALTERNATIVES if each not in OF_A_MODEL)
WEIGHT = 1 / len(ALTERNATIVES)
COIN = np.array([0.5, 0.0, 0.5])
EVEN = np.full(3, 1 / 3)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The evidence against v voters.

    Parameters
    ----------
    log_e_value : (v,) float64
        Natural logarithm at the last vote, or at the first vote that took it to the ceiling: an e-value, for
        stopping there is decided by the past alone.
    log_peak : (v,) float64
        Its largest value so far; comparing that to -log(level) holds the level at every time.
    votes_to_peak : (v,) int64
        After how many votes that was; 0 if it never rose above its start.
    alternative : (v,) int32
        Place in ALTERNATIVES of what weighed most then; -1 without a vote.
    model : (v,) int32
        Which model, if the alternative is of one; else -1.
    """

    log_e_value: Floats
    log_peak: Floats
    votes_to_peak: NDArray[np.int64]
    alternative: Ints
    model: Ints


def weigh(
    votes: VoterVotes, expected: Expected, reference: Reference, *, log_ceiling: float
) -> Evidence:
    """Return the evidence against every voter.

    Parameters
    ----------
    log_ceiling : float
        Where evidence may stop: the most that anyone will ask of an e-value, as a logarithm.

    Notes
    -----
    In each ratio stands, below, the largest chance of the outcome for any truth within BAND standard errors
    of the reference. The level therefore holds for every honest voter of such a truth, not only for one who
    votes exactly as the estimate says.

    Source
    ------
    Ville (1939), "Etude critique de la notion de collectif"; Ramdas, Grunwald, Vovk and Shafer (2023),
    "Game-theoretic statistics and safe anytime-valid inference".
    """
    honest = _benefit_of_the_doubt(votes, expected, reference)
    whole = _whole_alternatives(votes, expected, honest)
    of_models = _model_alternatives(votes, honest)
    total = np.exp(np.minimum(whole, MOST_LOG)).sum(1) * WEIGHT + of_models.total
    return _looked_at(votes, total, whole, of_models, log_ceiling=log_ceiling)


def _benefit_of_the_doubt(votes: VoterVotes, expected: Expected, reference: Reference) -> Floats:
    """Return (n,) the logarithm of the largest chance of each vote within the band around the reference."""
    ties = reference.fit.ties
    reach = BAND * reference.deviations()[votes.first, votes.second]
    tie_reach = BAND * reference.tie_deviation()
    nearer = np.sign(expected.difference) * np.maximum(np.abs(expected.difference) - reach, 0.0)
    largest = np.stack(
        [
            outcome_chances(ties, expected.difference + reach, expected.tie - tie_reach)[FIRST_WON],
            outcome_chances(ties, nearer, expected.tie + tie_reach)[TIED],
            outcome_chances(ties, expected.difference - reach, expected.tie - tie_reach)[
                SECOND_WON
            ],
        ],
        axis=1,
    )
    logs: Floats = np.log(largest[np.arange(len(votes)), votes.outcome])
    return logs


def _surely(outcome: int) -> Floats:
    """Return (3,) the chances of one who all but always votes so."""
    chances = np.full(3, (1 - SURE) / 2)
    chances[outcome] = SURE
    return chances


def _whole_alternatives(votes: VoterVotes, expected: Expected, honest: Floats) -> Floats:
    """Return (n, len(WHOLE)) the logarithm of each likelihood ratio after each vote."""
    rows = np.arange(len(votes))
    seen = expected.chances[rows, votes.outcome]
    inverted = expected.chances[rows, SECOND_WON - votes.outcome]
    left, right = (_surely(outcome)[votes.outcome] for outcome in (FIRST_WON, SECOND_WON))
    chances = {
        Alternative.NEVER_TIES: COIN[votes.outcome],
        Alternative.LEFT: left,
        Alternative.RIGHT: right,
        Alternative.LEANS_LEFT: LEANING * left + (1 - LEANING) * seen,
        Alternative.LEANS_RIGHT: LEANING * right + (1 - LEANING) * seen,
        Alternative.ALWAYS_TIES: _surely(TIED)[votes.outcome],
        Alternative.INVERTED: inverted,
        Alternative.RANDOM: EVEN[votes.outcome],
    }
    columns = np.stack([chances[alternative] for alternative in WHOLE], axis=1)
    ratios = np.log(np.maximum(columns, np.exp(-MOST_LOG))) - honest[:, None]
    return _running(ratios, votes.starts[votes.voter])


class _OfModels(NamedTuple):
    """The alternatives of single models.

    Parameters
    ----------
    total : (n,) float64
        Their weighted ratios added up, after each vote.
    log_ratio : (2n, 2) float64
        After each side of a vote the logarithm of the ratio for its model, promoted and voted against.
    key, row : (2n,) int64
        Voter times m plus model, and which vote it is a side of.
    """

    total: Floats
    log_ratio: Floats
    key: NDArray[np.int64]
    row: NDArray[np.int64]


def _model_alternatives(votes: VoterVotes, honest: Floats) -> _OfModels:
    """Follow the ratio of each pair of a voter and a model; it changes only at votes on that model."""
    sides = votes.sides()
    lengths = np.diff(np.append(sides.starts, len(sides.key)))
    begin = np.repeat(sides.starts, lengths)
    chances = np.stack([_surely(FIRST_WON), _surely(SECOND_WON)], axis=1)[sides.outcome]
    logs = _running(np.log(chances) - honest[sides.row][:, None], begin)
    ratio = np.exp(np.minimum(logs, MOST_LOG))
    change = np.diff(ratio, axis=0, prepend=1.0)
    change[sides.starts] = ratio[sides.starts] - 1
    of_vote = tally(sides.row, change.sum(1), len(votes)) * (WEIGHT / votes.n_models)
    total = _running(of_vote[:, None], votes.starts[votes.voter])[:, 0] + len(OF_A_MODEL) * WEIGHT
    return _OfModels(np.maximum(total, 0.0), logs, sides.key, sides.row)


def _running(values: Floats, begin: NDArray[np.int64]) -> Floats:
    """Return (n, k) the sums of the rows from `begin`, the first row of each one's group, up to each row."""
    sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    running: Floats = sums[1:] - sums[begin]
    return running


def _looked_at(
    votes: VoterVotes, total: Floats, whole: Floats, of_models: _OfModels, *, log_ceiling: float
) -> Evidence:
    """Read the evidence of every voter where it stops and where it is largest."""
    logs = np.log(np.maximum(total, np.exp(-MOST_LOG)))
    present = np.unique(votes.voter)
    starts, last = votes.starts[present], votes.starts[present + 1] - 1
    rows = np.arange(len(votes))
    stop = np.minimum(
        np.minimum.reduceat(np.where(logs >= log_ceiling, rows, len(votes)), starts), last
    )
    peak = np.maximum.reduceat(logs, starts)
    is_peak = logs == np.repeat(peak, last - starts + 1)
    at = np.minimum.reduceat(np.where(is_peak, rows, len(votes)), starts)
    found = Evidence(
        np.zeros(votes.n_voters),
        np.zeros(votes.n_voters),
        np.zeros(votes.n_voters, np.int64),
        np.full(votes.n_voters, -1, np.int32),
        np.full(votes.n_voters, -1, np.int32),
    )
    found.log_e_value[present] = logs[stop]
    found.log_peak[present] = np.maximum(peak, 0.0)
    found.votes_to_peak[present] = np.where(peak > 0, at - starts + 1, 0)
    _name_the_heaviest(votes, found, whole, of_models, at=at)
    return found


def _name_the_heaviest(
    votes: VoterVotes,
    found: Evidence,
    whole: Floats,
    of_models: _OfModels,
    *,
    at: NDArray[np.int64],
) -> None:
    """Fill in which alternative weighed most at each present voter's row `at`."""
    present = votes.voter[at]
    until = np.zeros(votes.n_voters, np.int64)
    until[present] = at
    seen = np.flatnonzero(of_models.row <= until[of_models.key // votes.n_models])
    newest = seen[np.append(np.diff(of_models.key[seen]) != 0, True)]
    voter, model = np.divmod(of_models.key[newest], votes.n_models)
    ratios = of_models.log_ratio[newest]
    by_size = np.lexsort((-ratios.max(1), voter))
    top = by_size[np.flatnonzero(np.diff(voter[by_size], prepend=-1))]
    of_whole, best = whole[at].max(1), ratios[top].max(1) - np.log(votes.n_models)
    places = np.array([ALTERNATIVES.index(each) for each in (*WHOLE, *OF_A_MODEL)], np.int32)
    is_of_model = best > of_whole
    pick = np.where(is_of_model, len(WHOLE) + ratios[top].argmax(1), whole[at].argmax(1))
    found.alternative[present] = places[pick]
    found.model[present] = np.where(is_of_model, model[top], -1)
