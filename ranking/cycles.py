"""Whether models beat each other in circles: what no rating, however chosen, can express.

The log-odds of the pairs are split in three parts that are orthogonal in the weights of the fit: a gradient,
which is the ratings; curl, which goes round triads of models that all met; and a harmonic part, which goes
round longer loops that no triads fill. The log-odds are linearised at the fit, so that its ratings are the
gradient exactly, a pair without a win is finite, and the squares of what remains are Pearson's statistic.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ranking.battles import Battles, Floats
from ranking.bradley_terry import Fit, inverse_curvature
from ranking.chance import Statistic, beside_chance, share_at_least
from ranking.loops import loop_flows
from ranking.pairs import Pairs, net, pairs, simulated, surplus

ROUNDS = 499


@dataclass(frozen=True)
class Triad:
    """Three models that beat each other more in one round than any ratings allow.

    Parameters
    ----------
    models : (int, int, int)
        In the direction of the surplus: the first over the second over the third over the first.
    curl : float
        The log-odds of the three pairs added up, in logits; ratings would make it 0.
    error : float
        Its standard error under the fit.
    adjusted : float
        The share of simulated boards with a triad somewhere at least as many errors out.
    scores : (float, float, float)
        What each scored against the next in a battle, half for a tie.
    """

    models: tuple[int, int, int]
    curl: float
    error: float
    adjusted: float
    scores: tuple[float, float, float]

    @property
    def is_cycle(self) -> bool:
        """Whether each did beat the next, and not only more than the ratings say."""
        return min(self.scores) > 0.5


@dataclass(frozen=True)
class Cycles:
    """The energy of the log-odds by parts; the three shares sum to 1.

    Parameters
    ----------
    gradient : float
        The share that ratings express.
    curl : Statistic or None
        The share that goes round triads, beside simulated boards; None where no three models all met.
    harmonic : Statistic or None
        The share that goes round longer loops; None where triads fill every loop.
    n_triads : int
        Triads of models that all met.
    n_loops : int
        Independent loops that no triads fill.
    triads : tuple of Triad
        Those that stand out with one error rate over all, strongest first.
    rounds : int
        Boards simulated.
    """

    gradient: float
    curl: Statistic | None
    harmonic: Statistic | None
    n_triads: int
    n_loops: int
    triads: tuple[Triad, ...]
    rounds: int


class Energies(NamedTuple):
    """Weighted sums of squares of the three parts."""

    gradient: float
    curl: float
    harmonic: float

    @property
    def shares(self) -> Floats:
        """Of the whole, (3,); where the whole is nothing, the gradient's is 1."""
        parts = np.array(self)
        return parts / parts.sum() if parts.any() else np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class Frame:
    """What the splits of all boards share.

    Parameters
    ----------
    weight : (p,) float64
        Information on each pair.
    inverse : (m, m) float64
        Pseudo-inverse of the Laplacian with these weights.
    harmonic : (p, n_loops) float64
        Basis of the harmonic flows, orthonormal in the weights.
    units : tuple of m matrices
        One over the standard error of the triads whose smallest model is i: the other two, j < k, are row and
        column, counted from i + 1. 0 where they did not all meet.
    """

    of: Pairs
    weight: Floats
    inverse: Floats
    harmonic: Floats
    units: tuple[Floats, ...]
    n_triads: int


def cycles(
    battles: Battles,
    fit: Fit,
    generator: np.random.Generator,
    *,
    rounds: int = ROUNDS,
    level: float = 0.95,
) -> Cycles:
    """Return how much of the log-odds goes in circles, and the triads that stand out.

    Parameters
    ----------
    battles : Battles
        Over m models; weights are numbers of battles.
    fit : Fit
        Their fit, without position or covariates. Boards are drawn from it as in `goodness`.
    level : float
        One less the chance that any triad is named where there is none.

    Raises
    ------
    ValueError
        If the fit has a position or covariates.

    Source
    ------
    Jiang, Lim, Yao and Ye (2011), "Statistical ranking and combinatorial Hodge theory", Mathematical
    Programming 127.
    """
    frame = _frame(pairs(battles, fit))
    shares = _energies(frame, frame.of.surplus).shares
    drawn_shares, largest = np.empty((rounds, 3)), np.empty(rounds)
    for number in range(rounds):
        over = surplus(frame.of, simulated(frame.of, generator), frame.of.expected)
        drawn_shares[number] = _energies(frame, over).shares
        largest[number] = _largest(frame, over)
    _, curl, harmonic = (
        beside_chance(float(share), drawn)
        for share, drawn in zip(shares, drawn_shares.T, strict=True)
    )
    n_loops = frame.harmonic.shape[1]
    return Cycles(
        gradient=float(shares[0]),
        curl=curl if frame.n_triads else None,
        harmonic=harmonic if n_loops else None,
        n_triads=frame.n_triads,
        n_loops=n_loops,
        triads=_standing_out(frame, largest, level),
        rounds=rounds,
    )


def _frame(of: Pairs) -> Frame:
    m = of.n_models
    weight = of.counts.meetings * of.information
    laplacian = -_square(of, weight, mirrored=weight)
    np.fill_diagonal(laplacian, -laplacian.sum(1))
    inverse = inverse_curvature(laplacian)
    met = _square(of, np.ones(len(weight)), mirrored=np.ones(len(weight)))
    variance = of.counts.meetings * of.variance / weight**2
    units = tuple(_units(met, _square(of, variance, mirrored=variance), i) for i in range(m - 2))
    return Frame(
        of=of,
        weight=weight,
        inverse=inverse,
        harmonic=_harmonic_basis(of, weight, inverse),
        units=units,
        n_triads=sum(int(np.count_nonzero(block)) for block in units),
    )


def _square(of: Pairs, flow: Floats, *, mirrored: Floats) -> Floats:
    """Return (m, m): the flow of each pair at (first, second), and `mirrored` at (second, first)."""
    square = np.zeros((of.n_models, of.n_models))
    square[of.first, of.second] = flow
    square[of.second, of.first] = mirrored
    return square


def _units(met: Floats, variance: Floats, i: int) -> Floats:
    own, rest = variance[i, i + 1 :], variance[i + 1 :, i + 1 :]
    complete = np.triu(met[i + 1 :, i + 1 :] * met[i, i + 1 :, None] * met[i, i + 1 :], 1) > 0
    total = own[:, None] + own + rest
    return np.divide(1.0, np.sqrt(total), out=np.zeros_like(total), where=complete & (total > 0))


def _harmonic_basis(of: Pairs, weight: Floats, inverse: Floats) -> Floats:
    """Return (p, loops): flows without curl or net flow at any model, orthonormal in the weights.

    Which flows have no curl does not depend on weights; taking off the weighted gradient makes them harmonic.
    """
    flows = loop_flows(of.first, of.second, of.n_models)
    if flows.shape[1] == 0:
        return flows
    pull = inverse @ np.column_stack([net(of, weight * flow) for flow in flows.T])
    basis, _ = np.linalg.qr(np.sqrt(weight)[:, None] * (flows - pull[of.first] + pull[of.second]))
    return np.asarray(basis / np.sqrt(weight)[:, None])


def _energies(frame: Frame, over: Floats) -> Energies:
    """Return the energies of the log-odds with these surpluses, the ratings given.

    What a drawn board would change of its ratings is taken off and not added to their energy: the battles'
    own has no such share of noise around it, and beside it cycles would seem rarer than they are.
    """
    of, flow = frame.of, over / frame.weight
    pull = frame.inverse @ net(of, over)
    round_about = flow - pull[of.first] + pull[of.second]
    gradient = float(frame.weight @ of.expected.difference**2)
    rest = float(frame.weight @ round_about**2)
    harmonic = float(((frame.harmonic.T @ (frame.weight * round_about)) ** 2).sum())
    return Energies(gradient, max(rest - harmonic, 0.0), harmonic)


def _round_triads(square: Floats, i: int) -> Floats:
    """Return the flow from i to j to k and back to i, j and k as in `units`."""
    own = square[i, i + 1 :]
    return np.asarray(own[:, None] + square[i + 1 :, i + 1 :] - own)


def _largest(frame: Frame, over: Floats) -> float:
    flow = over / frame.weight
    square = _square(frame.of, flow, mirrored=-flow)
    blocks = (np.abs(_round_triads(square, i) * unit).max() for i, unit in enumerate(frame.units))
    return float(max(blocks, default=0.0))


def _standing_out(frame: Frame, largest: Floats, level: float) -> tuple[Triad, ...]:
    """Return the triads that stand out, strongest first."""
    flow = frame.of.surplus / frame.weight
    square = _square(frame.of, flow, mirrored=-flow)
    mean = frame.of.counts.scored / frame.of.counts.meetings
    scores = _square(frame.of, mean, mirrored=1 - mean)
    found = []
    for i, unit in enumerate(frame.units):
        curl = _round_triads(square, i)
        out = np.abs(curl * unit)
        for j, k in np.argwhere(out > np.median(largest)):
            adjusted = float(share_at_least(out[j, k], largest))
            if adjusted <= 1 - level:
                models = (i, int(i + 1 + j), int(i + 1 + k))
                found.append(
                    _triad(
                        models,
                        float(curl[j, k]),
                        float(1 / unit[j, k]),
                        adjusted=adjusted,
                        scores=scores,
                    )
                )
    return tuple(sorted(found, key=lambda triad: -triad.curl / triad.error))


def _triad(
    models: tuple[int, int, int], curl: float, error: float, *, adjusted: float, scores: Floats
) -> Triad:
    """Return a triad, turned so that its curl is positive."""
    a, b, c = models if curl > 0 else models[::-1]
    around = (float(scores[a, b]), float(scores[b, c]), float(scores[c, a]))
    return Triad((a, b, c), abs(curl), error, adjusted, around)
