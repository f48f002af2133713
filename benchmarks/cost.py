"""How the cost of a rating grows with votes and with models, as a picture and its table."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from rich.console import Console

from benchmarks.curves import Curve, Panel, draw
from benchmarks.made_votes import make_votes
from benchmarks.sections import Section, publish
from benchmarks.timing import cpu_seconds, machine
from ranking import Battles, bootstrap, fit, sandwich

COMMAND = "python -m benchmarks cost"
PICTURE = Path(__file__).parents[1] / "docs" / "images" / "cost.svg"
SEED = 20260801
VOTES = (10_000, 100_000, 1_000_000, 10_000_000)
MODELS = (10, 30, 100, 300, 1000)
FIXED_MODELS, FIXED_VOTES = 129, 1_000_000
ROUNDS, FEW_ROUNDS, MANY_MODELS = 1000, 100, 300


def run(console: Console) -> None:
    """Measure both, draw them, and publish table and picture."""
    by_votes = {n: _times(make_votes(FIXED_MODELS, n, seed=SEED).battles()) for n in VOTES}
    by_models = {m: _times(make_votes(m, FIXED_VOTES, seed=SEED).battles()) for m in MODELS}
    panels = (
        Panel(f"{FIXED_MODELS} models, by votes", _curves(by_votes)),
        Panel(f"{FIXED_VOTES:,} votes, by models", _curves(by_models)),
    )
    PICTURE.write_text(draw(panels))
    rows = [
        (f"{models:,} x {votes:,}", *(f"{seconds:.4f}" for seconds in times.values()))
        for models, votes, times in (
            *((FIXED_MODELS, n, times) for n, times in by_votes.items()),
            *((m, FIXED_VOTES, times) for m, times in by_models.items()),
        )
    ]
    names = tuple(next(iter(by_votes.values())))
    publish(
        console,
        Section(
            "Cost by size",
            f"Seconds of processor time from counts; for more than {MANY_MODELS} models, {FEW_ROUNDS} rounds are measured and scaled up. Votes cost "
            "next to nothing once they are counts: cells do, and models.",
            COMMAND,
            machine("numpy", "scipy"),
            ("models x votes", *names),
            rows,
            picture="![Cost against votes, and against models, on logarithmic axes](../images/cost.svg)",
        ),
    )


def _times(battles: Battles) -> dict[str, float]:
    """Return the seconds of each step."""
    rounds = ROUNDS if battles.n_models <= MANY_MODELS else FEW_ROUNDS
    read = battles.paired()
    found = fit(read)
    steps: dict[str, tuple[Callable[[], object], int]] = {
        "fit": (partial(fit, read), 1),
        "covariance": (partial(sandwich, read, found), 1),
        f"{ROUNDS} rounds": (
            partial(bootstrap, read, found, rounds=rounds, seed=0),
            ROUNDS // rounds,
        ),
    }
    return {name: times * cpu_seconds(call, tries=2)[0] for name, (call, times) in steps.items()}


def _curves(times: dict[int, dict[str, float]]) -> tuple[Curve, ...]:
    sizes = np.array(list(times), np.float64)
    names = next(iter(times.values()))
    return tuple(
        Curve(name, sizes, np.array([each[name] for each in times.values()])) for name in names
    )
