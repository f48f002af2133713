"""How far it carries: 25 categories in one call, a board of 300 models from its roll-up, voters by the million."""

from functools import partial

import numpy as np
from rich.console import Console

from benchmarks.made_votes import MadeVotes, make_votes
from benchmarks.sections import Section, publish
from benchmarks.timing import cpu_seconds, machine
from ranking import (
    Battles,
    bootstrap,
    clustered,
    fit,
    fit_categories,
    sandwich,
    shrink_category,
)

COMMAND = "python -m benchmarks scale"
SEED = 20260801
CATEGORIES = 25
TRIES = 5
VOTES_PER_VOTER = 5
ROUNDS = 100


def run(console: Console) -> None:
    """Measure all and publish the table."""
    rows = [*_categories(), _roll_up(), *_voters()]
    publish(
        console,
        Section(
            "Scale",
            "Everything from counts but the last two rows, which read votes one by one with the number of their voter.",
            COMMAND,
            machine("numpy", "scipy"),
            ("what", "s of processor time", "bar"),
            rows,
        ),
    )


def _categories() -> list[tuple[str, ...]]:
    """Split one arena into categories of very different size."""
    votes = make_votes(129, 1_670_000, seed=SEED)
    share = np.arange(1.0, CATEGORIES + 1)
    of_vote = np.random.default_rng(0).choice(CATEGORIES, len(votes.first), p=share / share.sum())
    parts = [_some(votes, of_vote == number).battles() for number in range(CATEGORIES)]
    whole = votes.battles()
    near = fit(whole).strength
    fitting, found = cpu_seconds(partial(fit_categories, parts, near), tries=TRIES)
    drawing, _ = cpu_seconds(
        lambda: [
            shrink_category(part, alone, whole)
            for part, alone in zip(parts, found, strict=True)
            if alone
        ],
        tries=2,
    )
    return [
        (f"{CATEGORIES} categories x 129 models: fit and covariance", f"{fitting:.3f}", "0.050"),
        ("the same, each drawn towards the rest", f"{drawing:.3f}", ""),
    ]


def _some(votes: MadeVotes, chosen: "np.typing.NDArray[np.bool_]") -> MadeVotes:
    return MadeVotes(
        votes.n_models, votes.first[chosen], votes.second[chosen], votes.outcome[chosen]
    )


def _roll_up() -> tuple[str, ...]:
    battles = make_votes(300, 10_000_000, seed=SEED).battles()

    def rate() -> None:
        read = battles.paired()
        sandwich(read, fit(read))

    seconds, _ = cpu_seconds(rate, tries=TRIES)
    return ("300 models x 10 M votes: roll-up to fit and covariance", f"{seconds:.3f}", "0.050")


def _voters() -> list[tuple[str, ...]]:
    votes = make_votes(300, 10_000_000, seed=SEED)
    n = len(votes.first)
    activity = np.random.default_rng(0).pareto(1.3, n // VOTES_PER_VOTER) + 0.2
    edges = np.cumsum(activity / activity.sum())[:-1]
    voter = np.searchsorted(edges, np.random.default_rng(1).random(n))
    score = np.array([1.0, 0.0, 0.5])[votes.outcome]
    first, second = votes.first.astype(np.int32), votes.second.astype(np.int32)
    battles = Battles(first, second, score, np.ones(n), votes.n_models)
    found = fit(votes.battles())
    name = f"300 models x 10 M votes of {len(np.unique(voter)):,} voters"
    covariance, _ = cpu_seconds(lambda: clustered(battles, found, [voter]), tries=TRIES)
    resampling, _ = cpu_seconds(
        lambda: bootstrap(battles, found, rounds=ROUNDS, seed=0, clusters=voter), tries=1
    )
    return [
        (f"{name}: covariance by voter", f"{covariance:.2f}", "2"),
        (f"the same, {ROUNDS} resamples of voters", f"{resampling:.2f}", ""),
    ]
