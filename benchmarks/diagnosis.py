"""What it costs to look behind a board: votes to flip, goodness of fit, cycles, drift and leverage."""

from collections.abc import Callable
from functools import partial

import numpy as np
from rich.console import Console

from benchmarks.made_votes import MadeVotes, make_votes
from benchmarks.sections import Section, publish
from benchmarks.timing import cpu_seconds, machine
from ranking import (
    Battles,
    adjacent_flips,
    constancy,
    cycles,
    fit,
    goodness,
    leverage,
)

COMMAND = "python -m benchmarks diagnosis"
SEED = 20260801
SIZES = ((20, 50_000), (129, 1_670_000), (300, 10_000_000))
TOP_PAIRS = 10
PERIODS = 12
VOTES_PER_VOTER = 5
TRIES = 2


def run(console: Console) -> None:
    """Measure all sizes, print the table and write it to the page."""
    publish(
        console,
        Section(
            title="Behind a board",
            about=f"Votes to flip of the first {TOP_PAIRS} neighbours and of all, each confirmed by refits; 499 boards "
            f"simulated for goodness of fit and again for cycles; drift over {PERIODS} periods; leverage of one voter "
            f"for every {VOTES_PER_VOTER} votes. Seconds of the processor, from counts in memory; drift and leverage "
            "from single votes. The largest board leaves these two out.",
            command=COMMAND,
            machine=machine("numpy", "scipy"),
            columns=("models x votes", "what", "seconds"),
            rows=[row for size in SIZES for row in _rows(*size)],
        ),
    )


def _rows(n_models: int, n: int) -> list[tuple[str, ...]]:
    votes = make_votes(n_models, n, seed=SEED)
    steps = _from_counts(votes.battles().paired())
    if n_models < SIZES[-1][0]:
        steps |= _from_votes(votes)
    size = f"{n_models} x {n:,}"
    return [
        (size, what, f"{cpu_seconds(call, tries=TRIES)[0]:.3f}") for what, call in steps.items()
    ]


def _from_counts(counts: Battles) -> dict[str, Callable[[], object]]:
    found = fit(counts)
    return {
        f"votes to flip, {TOP_PAIRS} pairs": partial(adjacent_flips, counts, found, most=TOP_PAIRS),
        "votes to flip, all pairs": partial(adjacent_flips, counts, found),
        "goodness of fit": lambda: goodness(counts, found, np.random.default_rng(SEED)),
        "cycles": lambda: cycles(counts, found, np.random.default_rng(SEED)),
    }


def _from_votes(votes: MadeVotes) -> dict[str, Callable[[], object]]:
    n = len(votes.first)
    battles = Battles(
        votes.first.astype(np.int32),
        votes.second.astype(np.int32),
        np.array([1.0, 0.0, 0.5])[votes.outcome],
        np.ones(n),
        votes.n_models,
    )
    voter = np.random.default_rng(SEED).integers(0, n // VOTES_PER_VOTER, n)
    return {
        "drift": partial(constancy, battles, np.arange(n) * PERIODS // n),
        "leverage": partial(leverage, battles, fit(battles), voter),
    }
