"""The strengths that other sets of battles like these would have given.

All rounds of a block are fitted at once by chord Newton: each step uses the inverse curvature of the point
fit, scaled to what the round drew of each model. Rounds lie innermost; float32 goes most of the way and
float64 ends it. A round that this does not settle is fitted by itself.
"""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import expit

from ranking.battles import Battles, Flags, Floats
from ranking.bradley_terry import Fit, inverse_curvature, maximise
from ranking.cluster_resampling import ClusterResampler, cluster_resampler
from ranking.identification import Identification, identification
from ranking.ranks import Places
from ranking.resampling import Floats32, Resampler, resampler
from ranking.threads import in_threads

AnyFloats = NDArray[np.float32] | NDArray[np.float64]

BLOCK_ROUNDS = 32
# In logits: what steps that shrink by a constant factor may leave to go, in float32 and in float64. The
# second is a third of a millionth of a display point.
ROUGH_ERROR, FINAL_ERROR = 5e-6, 2e-9
MOST_CHORD_STEPS = 20
SMALLEST = np.finfo(np.float32).tiny


@dataclass(frozen=True, eq=False)
class Draws:
    """The strengths of all rounds.

    Parameters
    ----------
    strength : (rounds, m) float64
        In logits. -inf or +inf where the round has no bound for the model. A round's identified models
        are placed so that their mean is what it is in the point fit; in a whole round it is zero.
    absent : (rounds, m) bool
        True where the round does not place the model: it drew no battle of it. The strength there is 0
        and says nothing.
    """

    strength: Floats
    absent: Flags

    @property
    def identified(self) -> Flags:
        """Where a round has a finite strength for a model, (rounds, m)."""
        return np.isfinite(self.strength) & ~self.absent

    @property
    def degenerate(self) -> int:
        """How many rounds lack a finite strength for at least one model."""
        return int((~self.identified).any(1).sum())

    def percentiles(self, level: float) -> tuple[Floats, Floats]:
        """Return (m,) lower and (m,) upper ends that hold `level` of the rounds which place the model.

        Order statistics, so no end is made up between two rounds. An end is infinite when too many
        rounds have no bound on that side. A model that no round places has -inf and +inf.
        """
        rounds, tail = len(self.strength), (1 - level) / 2
        ordered = np.sort(np.where(self.absent, np.inf, self.strength), axis=0)
        placed = rounds - self.absent.sum(0)
        low = np.floor(tail * (placed - 1)).astype(np.int64).clip(0)
        high = np.ceil((1 - tail) * (placed - 1)).astype(np.int64).clip(0)
        models = np.arange(ordered.shape[1])
        return (
            np.where(placed > 0, ordered[low, models], -np.inf),
            np.where(placed > 0, ordered[high, models], np.inf),
        )


@dataclass(frozen=True, eq=False)
class Chord:
    """What all blocks share: the cells, sums over them as sparse products, and the point fit.

    Parameters
    ----------
    to_pairs : (pairs, cells) sparse
        Adds cells up to the battles of each pair.
    to_scores : (m, cells) sparse
        Adds cells up to the score of each model.
    to_models : (m, pairs) sparse
        Adds pairs up to their two models.
    pair_first, pair_second : (pairs,) int64
    strength : (m, 1) float32
    inverse : (m, m) float32
        Pseudo-inverse of the curvature at the point fit.
    to_information : (m, pairs) sparse
        Adds pairs up to the diagonal of the curvature at these strengths.
    information : (m, 1) float32
        That diagonal for the battles themselves.
    """

    resampler: Resampler | ClusterResampler
    identification: Identification
    to_pairs: csr_array
    to_scores: csr_array
    to_models: csr_array
    pair_first: Places
    pair_second: Places
    strength: Floats32
    inverse: Floats32
    to_information: csr_array
    information: Floats32


class Resample(NamedTuple):
    """What a fit reads of B resamples: (pairs, B) how often each pair met, (m, B) what each model scored."""

    meetings: AnyFloats
    scores: AnyFloats

    def precise(self) -> "Resample":
        """Return the same in float64."""
        return Resample(self.meetings.astype(np.float64), self.scores.astype(np.float64))


def bootstrap(
    battles: Battles,
    fit: Fit,
    *,
    rounds: int,
    seed: int,
    threads: int = 1,
    clusters: NDArray[np.integer] | None = None,
) -> Draws:
    """Return the strengths of `rounds` resamples of the battles, or of their clusters.

    Every block of rounds has its own child of the seed, so the answer does not depend on `threads`.

    Parameters
    ----------
    battles : Battles
        Over m models that are connected; weights are numbers of battles.
    fit : Fit
        Their fit, around which every round is searched.
    clusters : (n,) integers or None
        The voter of each row, or its prompt; all votes of one come up equally often.

    Source
    ------
    Efron (1979), "Bootstrap methods: another look at the jackknife"; resampling counts instead of rows
    by Poisson weights: Hanley and MacGibbon (2006), "Creating non-parametric bootstrap samples using
    Poisson frequencies"; clusters: Davison and Hinkley (1997), "Bootstrap methods and their application".
    """
    draws = resampler(battles) if clusters is None else cluster_resampler(battles, clusters)
    chord = _prepare(draws, fit)
    sizes = [min(BLOCK_ROUNDS, rounds - start) for start in range(0, rounds, BLOCK_ROUNDS)]
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))
    parts = [
        (block.strength, block.absent)
        for block in in_threads(partial(_block, chord), seeds, sizes, threads=threads)
    ]
    return Draws(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _prepare(draws: Resampler | ClusterResampler, fit: Fit) -> Chord:
    cells, m = draws.cells, draws.cells.n_models
    keys = cells.first.astype(np.int64) * m + cells.second
    pairs, pair_of = np.unique(keys, return_inverse=True)
    pair_first, pair_second = np.divmod(pairs, m)
    both = np.r_[np.arange(len(pairs)), np.arange(len(pairs))]
    chance = expit(fit.strength[pair_first] - fit.strength[pair_second])
    spread = chance * (1 - chance)
    each = np.r_[np.arange(len(cells)), np.arange(len(cells))]
    return Chord(
        resampler=draws,
        identification=identification(cells, draws.certain),
        to_pairs=_sums(np.ones(len(cells)), pair_of, np.arange(len(cells))),
        to_scores=_sums(
            np.r_[cells.score, 1 - cells.score], np.r_[cells.first, cells.second], each
        ),
        to_models=_sums(np.ones(len(both)), np.r_[pair_first, pair_second], both),
        pair_first=pair_first,
        pair_second=pair_second,
        strength=fit.strength[:, None].astype(np.float32),
        inverse=inverse_curvature(fit.curvature).astype(np.float32),
        to_information=_sums(np.r_[spread, spread], np.r_[pair_first, pair_second], both),
        information=fit.curvature.diagonal()[:, None].astype(np.float32),
    )


def _sums(values: Floats, rows: Places, columns: Places) -> csr_array:
    table = csr_array((values.astype(np.float32), (rows, columns)))
    table.eliminate_zeros()
    return table


def _block(chord: Chord, seed: np.random.SeedSequence, rounds: int) -> Draws:
    """Draw and fit one block of rounds."""
    drawn = chord.resampler.draw(np.random.SFC64(seed), rounds)
    standing = chord.identification.standing(drawn)
    if not standing.identified.all():
        cells = chord.resampler.cells
        drawn *= standing.identified[cells.first] & standing.identified[cells.second]
    strength, settled = _climb(chord, drawn)
    for number in np.flatnonzero(~settled):
        models = np.flatnonzero(standing.identified[:, number])
        strength[models, number] = _exact(chord, drawn[:, number], models)
    strength = _placed(strength, chord.strength, standing.identified)
    strength[standing.above] = np.inf
    strength[standing.below] = -np.inf
    absent = ~(standing.identified | standing.above | standing.below)
    return Draws(strength.T, absent.T)


def _climb(chord: Chord, drawn: Floats32) -> tuple[Floats, Flags]:
    """Return the (m, B) strengths that chord Newton reaches, and (B,) whether each round settled.

    Float32 carries it most of the way. Where that ends depends on how a processor rounds, so float64 goes
    on: a replay on another machine has to find the same interval.
    """
    table = Resample(chord.to_pairs @ drawn, chord.to_scores @ drawn)
    scale = _scale(chord, table.meetings)
    start = np.repeat(chord.strength, drawn.shape[1], axis=1)
    near, _ = _walk(chord, table, (scale, start), error=ROUGH_ERROR)
    found, settled = _walk(
        chord, table.precise(), (scale, near.astype(np.float64)), error=FINAL_ERROR
    )
    return found.astype(np.float64, copy=False), settled


def _walk(
    chord: Chord, table: Resample, scale_and_start: tuple[Floats32, AnyFloats], *, error: float
) -> tuple[AnyFloats, Flags]:
    """Return where chord steps lead in the precision of the table, and which rounds came to within `error`."""
    scale, start = scale_and_start
    strength = start.copy()
    total, other = np.empty_like(table.meetings), np.empty_like(table.meetings)
    left = last = np.zeros(strength.shape[1], np.float32)
    with np.errstate(over="ignore", invalid="ignore"):  # a round that runs away is not settled
        for _ in range(MOST_CHORD_STEPS):
            odds = np.exp(strength)
            np.take(odds, chord.pair_first, axis=0, out=total, mode="clip")
            np.take(odds, chord.pair_second, axis=0, out=other, mode="clip")
            total += other
            np.divide(table.meetings, total, out=total)
            gradient = table.scores - odds * (chord.to_models @ total)
            step = scale * (chord.inverse @ (scale * gradient).astype(np.float32))
            strength += step
            before, last = last, np.abs(step).max(0)
            left = last * (last / np.maximum(np.maximum(before, last), SMALLEST))
            if (left < error).all():
                break
    return strength, left < error


def _scale(chord: Chord, meetings: AnyFloats) -> Floats32:
    """Return (m, B): by how much the information on each model in a round differs from the whole's.

    With D this ratio's root, D pinv(H) D stands in for the round's own inverse. For a model of few
    battles, whose draws swing most, it is nearly that inverse; a plain chord would overshoot there.
    """
    drawn = chord.to_information @ meetings
    ratio = chord.information / np.where(drawn > 0, drawn, chord.information)
    return np.sqrt(ratio).astype(np.float32, copy=False)


def _exact(chord: Chord, drawn: Floats32, models: Places) -> Floats:
    """Return the exact strengths of the identified models in one round."""
    if len(models) == 0:
        return np.zeros(0)
    cells, came_up = chord.resampler.cells, drawn > 0
    battles = Battles(
        cells.first[came_up],
        cells.second[came_up],
        cells.score[came_up],
        drawn[came_up].astype(np.float64),
        cells.n_models,
    ).among(models)
    start = chord.strength[models, 0].astype(np.float64)
    return maximise(battles.score_table(), start).strength


def _placed(strength: Floats, point: Floats32, identified: Flags) -> Floats:
    """Return the strengths moved, round by round, to the mean of the same models in the point fit."""
    count = np.maximum(identified.sum(0), 1)
    excess = np.where(identified, strength - point, 0.0).sum(0) / count
    return np.where(identified, strength - excess, 0.0)
