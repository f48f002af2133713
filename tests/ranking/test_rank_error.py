"""How often some model's true rank lies outside its set, over many boards with a known truth."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
from scipy.special import ndtri

from ranking import (
    POINTS_PER_LOGIT,
    Battles,
    Fit,
    bootstrap,
    fit,
    gaussian_draws,
    rank_intervals,
    rank_sets,
    sandwich,
    wald_interval,
)
from ranking.battles import Floats
from ranking.ranks import Places
from tests.figures import written_to
from tests.ranking.davidson import expected_battles

LEVEL = 0.95

HEADING = """
# Error of rank sets

How often the true rank of at least one model lies outside what a 95 % statement leaves open to it, and how many
ranks that is on average. The bar for the sets that hold for all models at once is 5 % (and the error of so many
boards). Equal models have all the ranks they share. The other two make no such promise: overlapping intervals are the
rule of published boards, pairs by themselves what one gets from a 95 % test of each pair.
"""
COLUMNS = ("board", "boards", "ranks by", "some rank outside", "mean size of a set")

Ranges = tuple[Places, Places]
Way = Callable[[Battles, Fit, Floats], Ranges]


@dataclass(frozen=True)
class Arena:
    """A truth to draw boards from; with `share` the models' parts of the battles."""

    strength: Floats
    share: Floats
    votes: int

    def boards(self, n: int, generator: np.random.Generator) -> Iterator[Battles]:
        """Yield boards of about so many votes, with a third of ties among equals."""
        cells = expected_battles(self.strength, self.votes, share=self.share)
        for _ in range(n):
            counts = generator.poisson(cells.weight)
            seen = counts > 0
            yield Battles(
                cells.first[seen],
                cells.second[seen],
                cells.score[seen],
                counts[seen].astype(np.float64),
                cells.n_models,
            )

    @property
    def ranks(self) -> Ranges:
        """The first and the last of the ranks that each model truly has."""
        best = 1 + (self.strength > self.strength[:, None]).sum(1)
        worst = (self.strength >= self.strength[:, None]).sum(1)
        return best, worst


def arena(spread_points: float, *, models: int = 129, votes: int = 1_670_000) -> Arena:
    """Models spread over so many points (one standard deviation), of very unequal shares."""
    generator = np.random.default_rng(1)
    strength = generator.normal(0, spread_points / POINTS_PER_LOGIT, models)
    share = 1 + generator.pareto(1.2, models).clip(max=20)
    return Arena(strength, share / share.sum(), votes)


def by_overlap(battles: Battles, found: Fit, covariance: Floats) -> Ranges:
    """The rule of the published boards."""
    return rank_intervals(*wald_interval(found.strength, covariance, level=LEVEL))


def by_each_pair(battles: Battles, found: Fit, covariance: Floats) -> Ranges:
    """Every pair by a 95 % test of its own."""
    own = covariance.diagonal()
    error = np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 0))
    lead = found.strength[:, None] - found.strength
    above = lead > ndtri((1 + LEVEL) / 2) * error
    return 1 + above.sum(0), len(above) - above.sum(1)


def by_normal_draws(battles: Battles, found: Fit, covariance: Floats, *, step_down: bool) -> Ranges:
    """Max-t, or its step-down, from the covariance."""
    draws = gaussian_draws(found.strength, covariance)
    sets = rank_sets(found.strength, draws, level=LEVEL, step_down=step_down)
    return sets.low, sets.high


def by_resamples(battles: Battles, found: Fit, covariance: Floats) -> Ranges:
    """The step-down from the bootstrap."""
    draws = bootstrap(battles, found, rounds=1000, seed=0)
    sets = rank_sets(found.strength, draws, level=LEVEL)
    return sets.low, sets.high


STEP_DOWN: Way = partial(by_normal_draws, step_down=True)
WAYS: dict[str, Way] = {
    "each pair by itself": by_each_pair,
    "overlapping intervals": by_overlap,
    "max-t": partial(by_normal_draws, step_down=False),
    "step-down": STEP_DOWN,
    "step-down, bootstrap": by_resamples,
}
JOINT = ("max-t", "step-down", "step-down, bootstrap")


def errors_and_sizes(
    arena: Arena, boards: int, ways: dict[str, Way], generator: np.random.Generator
) -> dict[str, tuple[float, float]]:
    """For each way: on what share of boards some true rank is outside, and how large its sets are."""
    best, worst = arena.ranks
    seen: dict[str, list[tuple[bool, float]]] = {name: [] for name in ways}
    for battles in arena.boards(boards, generator):
        found = fit(battles)
        covariance = sandwich(battles, found)
        for name, way in ways.items():
            low, high = way(battles, found, covariance)
            outside = bool(((low > best) | (high < worst)).any())
            seen[name].append((outside, float((high - low + 1).mean())))
    return {name: tuple(np.mean(each, axis=0).tolist()) for name, each in seen.items()}


def test_equal_models_are_rarely_told_apart(generator: np.random.Generator) -> None:
    """A small twin of the long simulation, in the hardest case: any sure pair is an error.

    300 boards: the error of 5 % is 1.3 %. Pair by pair, a third of the boards would be wrong.
    """
    equal = Arena(np.zeros(6), np.full(6, 1 / 6), 3000)
    ways = {"each": by_each_pair, "sets": STEP_DOWN}

    errors = errors_and_sizes(equal, 300, ways, generator)

    assert 0.01 < errors["sets"][0] < 0.09
    assert errors["each"][0] > 0.2


@pytest.fixture(scope="module")
def figures() -> Iterator[list[tuple[str, ...]]]:
    """The rows of the page of figures, written when the simulations are done."""
    with written_to("rank-error.md", HEADING, COLUMNS) as rows:
        yield rows


ARENAS = {
    "ten equal models, 20,000 votes": (Arena(np.zeros(10), np.full(10, 0.1), 20_000), 2000),
    "twelve models 20 points apart, 20,000 votes": (
        Arena(np.arange(12) * 20 / POINTS_PER_LOGIT, np.full(12, 1 / 12), 20_000),
        2000,
    ),
    "three groups of four equals, 20,000 votes": (
        Arena(np.repeat([0.0, 1.0, 2.0], 4), np.full(12, 1 / 12), 20_000),
        2000,
    ),
    "129 models, 1.67 M votes": (arena(120), 200),
    "129 models, 200,000 votes": (arena(120, votes=200_000), 200),
    "129 near ties (20 points), 1.67 M votes": (arena(20), 200),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(ARENAS))
def test_no_rank_is_outside_more_often_than_promised(
    name: str, generator: np.random.Generator, figures: list[tuple[str, ...]]
) -> None:
    """At most 5 %, and three errors of so many boards; the step-down is never the wider."""
    truth, boards = ARENAS[name]

    found = errors_and_sizes(truth, boards, WAYS, generator)

    figures.extend(
        (name, f"{boards:,}", way, f"{100 * error:.1f} %", f"{size:.1f}")
        for way, (error, size) in found.items()
    )
    allowed = 0.05 + 3 * np.sqrt(0.05 * 0.95 / boards)
    assert all(found[way][0] < allowed for way in JOINT)
    assert found["step-down"][1] <= found["max-t"][1]
