"""The ranking engine beside choix, evalica and FastChat's method, in one process on one thread.

What is compared is processor time, as ratios within this run. All get the counts of (first, second, outcome),
which peers would first have to make; a peer's round is timed with its draw and without.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.made_votes import make_votes
from benchmarks.peers import ByEvalica, by_choix, by_quasi_newton, redrawn
from benchmarks.timing import cpu_seconds, machine
from ranking import POINTS_PER_LOGIT, Battles, Fit, bootstrap, fit, sandwich
from ranking.battles import Floats

ROUNDS = 1000
TRIES = 3
SIZES = ((20, 50_000), (129, 1_670_000), (300, 10_000_000))
PEER_ROUNDS = {20: 20, 129: 8, 300: 2}


@dataclass(frozen=True)
class Peer:
    """A tool's way to fit counts, given new weights for them."""

    name: str
    fit: Callable[[Floats], Floats]


def run(console: Console) -> None:
    """Measure all sizes and print the two tables."""
    console.print(machine("numpy", "scipy", "choix", "evalica"), highlight=False, soft_wrap=True)
    fits = Table(
        "models x votes", "fit ms", "covariance ms", "together ms", title="From counts of pairs"
    )
    rounds = Table(
        "models x votes",
        "way",
        "s",
        "ratio",
        "s, fits alone",
        "ratio",
        "differs by, points",
        title=f"{ROUNDS} bootstrap rounds",
        caption="spread: of our rounds, beside the robust covariance",
    )
    for n_models, n in SIZES:
        battles = make_votes(n_models, n, seed=20260801).battles()
        size = f"{n_models} x {n:,}"
        fits.add_row(size, *_time_fit(battles.paired()))
        for row in _time_rounds(battles, PEER_ROUNDS[n_models]):
            rounds.add_row(size, *row)
    console.print(fits)
    console.print(rounds)


def _time_fit(battles: Battles) -> list[str]:
    fitting, found = cpu_seconds(partial(fit, battles), tries=10)
    covariance, _ = cpu_seconds(partial(sandwich, battles, found), tries=10)
    return [f"{1000 * seconds:.2f}" for seconds in (fitting, covariance, fitting + covariance)]


def _time_rounds(battles: Battles, peer_rounds: int) -> list[list[str]]:
    """Return a row for each way; ours first, since the ratios are to it."""
    found = fit(battles)
    ours, draws = cpu_seconds(lambda: bootstrap(battles, found, rounds=ROUNDS, seed=0), tries=TRIES)
    ratio = draws.strength.std(0) / np.sqrt(sandwich(battles, found).diagonal())
    rows = [[f"ours, spread {np.median(ratio):.3f}", f"{ours:.3f}", "1", "", "", ""]]
    peers = (
        Peer("choix", partial(by_choix, battles)),
        Peer("evalica", ByEvalica(battles)),
        Peer("L-BFGS, as FastChat", partial(by_quasi_newton, battles)),
    )
    return rows + [_time_peer(peer, battles, found, (ours, peer_rounds)) for peer in peers]


def _time_peer(
    peer: Peer, battles: Battles, found: Fit, ours_and_rounds: tuple[float, int]
) -> list[str]:
    """Return the row of a peer, scaled up from the few rounds that it is given."""
    ours, rounds = ours_and_rounds
    generator = np.random.default_rng(0)
    whole, _ = cpu_seconds(
        lambda: [peer.fit(redrawn(battles, generator)) for _ in range(rounds)], tries=TRIES
    )
    weights = [redrawn(battles, generator) for _ in range(rounds)]
    alone, _ = cpu_seconds(lambda: [peer.fit(weight) for weight in weights], tries=TRIES)
    point = peer.fit(battles.weight)
    apart = np.abs(point - point.mean() - found.strength).max() * POINTS_PER_LOGIT
    times = [seconds * ROUNDS / rounds for seconds in (whole, alone)]
    cells = [cell for seconds in times for cell in (f"{seconds:.2f}", f"{seconds / ours:.0f}")]
    return [peer.name, *cells, f"{apart:.1g}"]
