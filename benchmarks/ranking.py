"""The ranking engine beside choix, evalica, FastChat's method, scikit-learn and arena-rank, in one process on one thread.

What is compared is processor time, as ratios within this run. All get the counts of (first, second, outcome),
which peers would first have to make; a peer's round is timed with its draw and without.
"""

from functools import partial

import numpy as np
from rich.console import Console

from benchmarks.made_votes import make_votes
from benchmarks.memory import peak_megabytes
from benchmarks.peers import Peer, absent_peers, installed_peers, redrawn
from benchmarks.sections import Section, publish
from benchmarks.timing import cpu_seconds, machine
from ranking import POINTS_PER_LOGIT, Battles, Fit, bootstrap, fit, sandwich

COMMAND = "python -m benchmarks ranking"
SEED = 20260801
ROUNDS = 1000
TRIES = 3
# A slow peer does as many rounds as fit into it, at least one.
PATIENCE_SECONDS = 10.0
SHORT_TRIES = 50
SIZES = ((20, 50_000), (129, 1_670_000), (300, 10_000_000))
PEER_ROUNDS = {20: 20, 129: 8, 300: 2}
BARS = {129: "5 ms", 300: "20 ms"}


def run(console: Console) -> None:
    """Measure all sizes and publish the two tables."""
    fits, rounds = [], []
    for n_models, n in SIZES:
        battles = make_votes(n_models, n, seed=SEED).battles()
        size = f"{n_models} x {n:,}"
        fits.append((size, *_time_fit(battles.paired()), BARS.get(n_models, "")))
        rounds += [(size, *row) for row in _time_rounds(battles, PEER_ROUNDS[n_models])]
    here = machine("numpy", "scipy", "choix", "evalica", "scikit-learn", "arena-rank")
    publish(console, _fits(fits, here), _rounds(rounds, here))


def _fits(rows: list[tuple[str, ...]], here: str) -> Section:
    return Section(
        "Fit and covariance, from counts",
        "Counts of pairs, as the roll-up of a board holds them, to strengths and the exact covariance of all of them. The "
        "last column is how far each strength is from the same equations solved in extended precision.",
        COMMAND,
        here,
        (
            "models x votes",
            "fit, ms",
            "covariance, ms",
            "together, ms",
            "differs by, points",
            "bar",
        ),
        rows,
    )


def _rounds(rows: list[tuple[str, ...]], here: str) -> Section:
    return Section(
        f"{ROUNDS} bootstrap rounds",
        "The peers are handed our aggregated counts, their best case; arena-rank is compiled beforehand and kept in this "
        f"process. A peer does a few rounds, scaled up to {ROUNDS}. The fourth and fifth column leave out drawing the resamples. The sixth is how "
        "far a peer's fit of the same counts is from ours; the last is the most memory that one fit took, in a process of "
        f"its own with the tool loaded.{absent_peers()} The bars are 20 times choix and 300 times FastChat's method at 129 models.",
        COMMAND,
        here,
        (
            "models x votes",
            "way",
            "s",
            "ratio",
            "s, fits alone",
            "ratio",
            "differs by, points",
            "peak MB",
        ),
        rows,
    )


def _time_fit(battles: Battles) -> list[str]:
    fitting, found = cpu_seconds(partial(fit, battles), tries=SHORT_TRIES)
    covariance, _ = cpu_seconds(partial(sandwich, battles, found), tries=SHORT_TRIES)
    times = [f"{1000 * seconds:.2f}" for seconds in (fitting, covariance, fitting + covariance)]
    return [*times, f"{_error(battles, found) * POINTS_PER_LOGIT:.0e}"]


def _error(battles: Battles, found: Fit) -> float:
    """Return how far one more Newton step goes whose gradient is taken in extended precision, in logits."""
    exact = found.strength.astype(np.longdouble)
    chance = 1 / (1 + np.exp(exact[battles.second] - exact[battles.first]))
    surprise = battles.weight * (battles.score - chance)
    gradient = np.zeros(battles.n_models, np.longdouble)
    np.add.at(gradient, battles.first, surprise)
    np.add.at(gradient, battles.second, -surprise)
    step = np.linalg.pinv(found.curvature, hermitian=True) @ gradient.astype(np.float64)
    return float(np.abs(step).max())


def _time_rounds(battles: Battles, peer_rounds: int) -> list[list[str]]:
    """Return a row for each way; ours first, since the ratios are to it."""
    found = fit(battles)
    ours, draws = cpu_seconds(lambda: bootstrap(battles, found, rounds=ROUNDS, seed=0), tries=TRIES)
    ratio = draws.strength.std(0) / np.sqrt(sandwich(battles, found).diagonal())
    memory = peak_megabytes("ours", battles.n_models)
    rows = [
        [f"ours; spread {np.median(ratio):.3f} of formula", f"{ours:.3f}", "1", "", "", "", memory]
    ]
    return rows + [
        _time_peer(peer, battles, found, (ours, peer_rounds)) for peer in installed_peers()
    ]


def _time_peer(
    peer: Peer, battles: Battles, found: Fit, ours_and_rounds: tuple[float, int]
) -> list[str]:
    """Return the row of a peer, scaled up from the few rounds that it is given."""
    ours, most = ours_and_rounds
    generator, fits = np.random.default_rng(0), peer.ready(battles)
    one, point = cpu_seconds(partial(fits, battles.weight), tries=1)
    rounds = int(np.clip(PATIENCE_SECONDS / one, 1, most))
    whole, _ = cpu_seconds(
        lambda: [fits(redrawn(battles, generator)) for _ in range(rounds)], tries=1
    )
    weights = [redrawn(battles, generator) for _ in range(rounds)]
    tries = TRIES if rounds == most else 1
    alone, _ = cpu_seconds(lambda: [fits(weight) for weight in weights], tries=tries)
    apart = np.abs(point - point.mean() - found.strength).max() * POINTS_PER_LOGIT
    times = [seconds * ROUNDS / rounds for seconds in (whole, alone)]
    cells = [cell for seconds in times for cell in (f"{seconds:.2f}", f"{seconds / ours:.0f}")]
    return [peer.name, *cells, f"{apart:.1g}", peak_megabytes(peer.name, battles.n_models)]
