"""Which pair comes next: probabilities that are known, never zero, and better than even."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import (
    Battles,
    OpenPairs,
    boosted_sampling,
    fit,
    rank_contrasts,
    reweighted,
    sampling_gain,
    sandwich,
    uniform_sampling,
    variance_sampling,
    wald_interval,
    weighted_sampling,
    with_floor,
    with_newcomers,
)
from ranking.battles import Floats
from ranking.bradley_terry import inverse_curvature
from tests.figures import written_to
from tests.ranking.davidson import expected_battles
from tests.ranking.sampled_arena import Known, Policy, SampledArena, Standing

TOP = 3
POLICIES: dict[str, Policy] = {
    "uniform": lambda pairs, _: uniform_sampling(pairs),
    "weighted": lambda pairs, known: weighted_sampling(pairs, known.battles),
    "boost-new": lambda pairs, known: boosted_sampling(pairs, known.battles),
    "variance": lambda pairs, known: variance_sampling(pairs, known.strength, known.covariance),
    "top-k": lambda pairs, known: variance_sampling(
        pairs, known.strength, known.covariance, target=rank_contrasts(known.strength, TOP)
    ),
}


@pytest.fixture
def pairs() -> OpenPairs:
    return OpenPairs(*np.triu_indices(8, 1), 8)


@pytest.fixture
def known(battles: Battles) -> Known:
    found, table = fit(battles), battles.score_table()
    return Known((table + table.T).sum(1), found.strength, sandwich(battles, found))


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES.keys())
def test_probabilities_add_up_and_the_floor_leaves_no_pair_out(
    policy: Policy, pairs: OpenPairs, known: Known
) -> None:
    """A pair that is never drawn could never show that the policy was wrong about it."""
    probability = policy(pairs, known)
    mixed = with_floor(probability, 0.1)

    assert probability.sum() == pytest.approx(1)
    assert mixed.sum() == pytest.approx(1)
    assert mixed.min() >= 0.1 / len(pairs)
    assert (1 / mixed).max() <= len(pairs) / 0.1


def test_weights_are_the_published_ones(pairs: OpenPairs) -> None:
    """(n + 50) ** -0.4, and nobody weighs less than a third of the heaviest."""
    battles = np.array([0, 50, 150, 350, 1000, 5000, 10_000, 1e6])
    by_hand = [max((n + 50) ** -0.4, 50**-0.4 / 3) for n in battles]
    products = [by_hand[i] * by_hand[j] for i, j in zip(pairs.first, pairs.second, strict=True)]

    assert_allclose(weighted_sampling(pairs, battles), np.array(products) / sum(products))


def test_new_models_come_up_five_times_as_often(pairs: OpenPairs) -> None:
    """One new model or two make no difference; without a new one, or with nothing else, all are alike."""
    battles = np.full(8, 800.0)
    assert_allclose(boosted_sampling(pairs, battles), uniform_sampling(pairs))
    battles[7] = 499.0

    probability = boosted_sampling(pairs, battles)

    new = probability[pairs.second == 7]
    assert_allclose(new, 5 * probability[0])
    assert_allclose(boosted_sampling(pairs, np.zeros(8)), uniform_sampling(pairs))


@pytest.mark.parametrize("k", [None, 1, 3])
def test_the_gain_is_what_the_trace_loses(
    k: int | None, pairs: OpenPairs, battles: Battles
) -> None:
    """Written out: add one vote's curvature, invert again, and see what became of the trace."""
    found = fit(battles)
    covariance = inverse_curvature(found.curvature)
    target = np.eye(8) if k is None else rank_contrasts(found.strength, k)

    gains = sampling_gain(pairs, found.strength, covariance, target=None if k is None else target)

    for each, i, j in zip(gains, pairs.first, pairs.second, strict=True):
        contrast = np.zeros(8)
        contrast[[i, j]] = 1, -1
        chance = 1 / (1 + np.exp(found.strength[j] - found.strength[i]))
        after = found.curvature + chance * (1 - chance) * np.outer(contrast, contrast)
        lost = np.trace(target @ covariance) - np.trace(target @ np.linalg.pinv(after))
        assert each == pytest.approx(lost, rel=1e-6, abs=1e-12)


def test_naming_the_other_model_first_changes_no_gain(pairs: OpenPairs, known: Known) -> None:
    """A pair is a pair."""
    turned = OpenPairs(pairs.second, pairs.first, 8)

    assert_allclose(
        sampling_gain(turned, known.strength, known.covariance),
        sampling_gain(pairs, known.strength, known.covariance),
    )


def test_the_least_known_model_is_asked_for_most(pairs: OpenPairs, known: Known) -> None:
    """The fixture's first model had an eighth of the battles of its last."""
    probability = variance_sampling(pairs, known.strength, known.covariance)

    of_model = [probability[(pairs.first == i) | (pairs.second == i)].sum() for i in range(8)]

    assert np.argmax(of_model) == np.argmin(known.battles) == 0


def test_where_nothing_can_be_gained_all_pairs_are_alike(pairs: OpenPairs) -> None:
    """Without a variance there is nothing to reduce, and still something to draw."""
    assert_allclose(
        variance_sampling(pairs, np.zeros(8), np.zeros((8, 8))), uniform_sampling(pairs)
    )


def test_a_model_that_no_fit_rates_is_met_first(pairs: OpenPairs, known: Known) -> None:
    """It may be anywhere: as far from the middle as a whole logit, and that is more than all others together."""
    rated = np.array([0, 1, 2, 3, 5, 6, 7], dtype=np.int32)
    strength, covariance = with_newcomers(
        known.strength[rated], known.covariance[np.ix_(rated, rated)], rated=rated, n_models=8
    )

    probability = variance_sampling(pairs, strength, covariance)

    assert probability[(pairs.first == 4) | (pairs.second == 4)].sum() > 0.9
    assert strength[4] == 0
    assert covariance[4, 4] == 1


@pytest.mark.parametrize("k", [0, 8])
def test_ranks_that_there_are_not_are_refused(k: int) -> None:
    """The last rank has no next one."""
    with pytest.raises(ValueError, match=f"k is {k}; expected 1 to 7"):
        rank_contrasts(np.zeros(8), k)


@pytest.mark.parametrize("epsilon", [0.0, -0.1, 1.1, np.nan])
def test_a_floor_of_nothing_is_refused(epsilon: float, pairs: OpenPairs) -> None:
    """Inverse-propensity weights would be infinite."""
    with pytest.raises(ValueError, match="epsilon is"):
        with_floor(uniform_sampling(pairs), epsilon)


@pytest.mark.parametrize(("first", "second"), [([], []), ([0, 1], [1]), ([1], [1]), ([0], [8])])
def test_pairs_that_make_no_sense_are_refused(first: list[int], second: list[int]) -> None:
    """A draw among nothing, or of a model against itself."""
    with pytest.raises(ValueError, match=r"expected as many|is not of two models"):
        OpenPairs(np.array(first, dtype=np.int32), np.array(second, dtype=np.int32), 8)


Measure = Callable[[Standing], float]


def widest(standing: Standing) -> float:
    """The largest standard error of a model; without a fit of all, as wide as can be."""
    return np.inf if standing.covariance is None else np.sqrt(standing.covariance.diagonal().max())


def mean_width(standing: Standing) -> float:
    return np.inf if standing.covariance is None else np.sqrt(standing.covariance.diagonal()).mean()


def top_widest(standing: Standing) -> float:
    """The largest standard error of a difference between neighbours from rank 1 to TOP + 1."""
    if standing.fit is None or standing.covariance is None:
        return np.inf
    order = np.argsort(-standing.fit.strength)[: TOP + 1]
    v, upper, lower = standing.covariance, order[:-1], order[1:]
    return np.sqrt((v[upper, upper] + v[lower, lower] - 2 * v[upper, lower]).max())


def votes_to_width(
    arena: SampledArena, policy: Policy, measure: Measure, width: float, seed: int
) -> int:
    """How many votes the policy takes until the standard error is no more than `width` logits."""
    course = arena.course(policy, np.random.default_rng(seed))
    return next(standing.votes for standing in course if measure(standing) <= width)


def mean_votes(
    arena: SampledArena, policy: Policy, measure: Measure, width: float, boards: int
) -> float:
    return float(
        np.mean([votes_to_width(arena, policy, measure, width, seed) for seed in range(boards)])
    )


NEWCOMERS = SampledArena(
    np.linspace(-0.9, 0.9, 12)[np.r_[1:4, 5:8, 9:12, 0, 4, 8]], old=9, before=6000
)
EVEN_START = SampledArena(np.linspace(-1.5, 1.5, 12), before=600)


def test_reducing_variance_takes_fewer_votes_than_drawing_evenly() -> None:
    """A small twin: three new models among nine old ones, until the widest interval is 90 points."""
    needed = {
        name: mean_votes(NEWCOMERS, POLICIES[name], widest, 0.13, 6)
        for name in ("uniform", "weighted", "variance")
    }

    assert needed["variance"] < 0.6 * needed["uniform"]
    assert needed["weighted"] < 0.8 * needed["uniform"]


def covered(
    arena: SampledArena, policy: Policy, target: Floats, *, votes: int, boards: int
) -> tuple[Floats, Floats]:
    """How often each model's 95 % interval holds the target, by plain and by reweighted fit."""
    plain, undone = np.zeros((2, len(target)))
    for seed in range(boards):
        course = arena.course(policy, np.random.default_rng(seed))
        standing = next(islice((each for each in course if each.votes >= votes), 1))
        battles = standing.battles
        weights = reweighted(battles, standing.probability)
        plain += holds(battles, battles, target)
        undone += holds(weights.battles, weights.squared, target)
    return plain / boards, undone / boards


def holds(battles: Battles, squared: Battles, target: Floats) -> Floats:
    found = fit(battles)
    lower, upper = wald_interval(found.strength, sandwich(squared, found), level=0.95)
    return (lower <= target) & (target <= upper)


def test_intervals_cover_though_votes_chose_the_pairs() -> None:
    """A small twin: 40 boards of 12 models, 1500 votes each; an error of about a point."""
    arena = SampledArena(EVEN_START.strength)

    plain, undone = covered(arena, POLICIES["variance"], arena.strength, votes=1500, boards=40)

    assert plain.mean() == pytest.approx(0.95, abs=0.03)
    assert undone.mean() == pytest.approx(0.95, abs=0.03)


def drawn_evenly(arena: SampledArena) -> Floats:
    """What a half-tie fit of endless votes on evenly drawn pairs would find."""
    even = np.full(len(arena.strength), 1 / len(arena.strength))
    return fit(expected_battles(arena.strength, 1.0, tie=arena.tie, share=even)).strength


HEADING = """
# Pair sampling

**Votes to a width.** How many further votes it takes until a standard error is small enough, over 40 boards of 12 models,
and that as a share of what drawing evenly takes. *New models* begins with 6000 votes among nine models and three that have
none; *one start* with 600 votes among twelve models from -260 to 260 points. Every policy keeps a floor of 10 % uniform
draws. Narrow enough is a widest interval of {widest:.0f} points of a model, a mean of {mean:.0f}, or {top:.0f} for the widest difference between
neighbours among the first four ranks.

**Coverage.** How often a 95 % interval holds the truth after 3000 votes whose pairs the earlier ones chose, over 400 boards: mean
over models, then the least and the most covered model. *Weighted* is the fit by inverse propensities. Without ties the target is the
truth itself; with ties, which half a win misdescribes, what endless votes drawn evenly would find. The bar is 93 to 97 % for the mean, with ties
only for the weighted fit. How it is done: [which pair next](../method/pairing.md).
"""
COLUMNS = ("what", "board", *POLICIES)
WIDEST, MEAN, TOP_WIDEST = 0.12, 0.09, 0.15


@pytest.fixture(scope="module")
def figures() -> Iterator[list[tuple[str, ...]]]:
    """The rows of the page of figures, written when the simulations are done."""
    ends = 2 * 1.959964 * 400 / np.log(10)
    heading = HEADING.format(widest=ends * WIDEST, mean=ends * MEAN, top=ends * TOP_WIDEST)
    with written_to("pair-sampling.md", heading, COLUMNS) as rows:
        yield rows


@dataclass(frozen=True)
class Goal:
    """A width in logits to come to, and the policy that is for it."""

    what: str
    measure: Measure
    width: float
    best: str


GOALS = [
    Goal("votes to the widest interval", widest, WIDEST, "variance"),
    Goal("votes to the mean interval", mean_width, MEAN, "variance"),
    Goal("votes to the first ranks", top_widest, TOP_WIDEST, "top-k"),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["new models", "one start"])
@pytest.mark.parametrize("goal", GOALS)
def test_policies_save_votes(name: str, goal: Goal, figures: list[tuple[str, ...]]) -> None:
    """What each policy is for, it does with fewer votes than drawing evenly."""
    arena = {"new models": NEWCOMERS, "one start": EVEN_START}[name]
    votes = {
        policy: mean_votes(arena, POLICIES[policy], goal.measure, goal.width, 40)
        for policy in POLICIES
    }

    shares = (f"{n:,.0f} ({100 * n / votes['uniform']:.0f} %)" for n in votes.values())
    figures.append((goal.what, name, *shares))
    assert votes[goal.best] < votes["uniform"]


@pytest.mark.slow
@pytest.mark.parametrize("tie", [0.0, 1.0])
def test_intervals_cover_whatever_chose_the_pairs(
    tie: float, figures: list[tuple[str, ...]]
) -> None:
    """Adaptive pairs change no coverage; where the fit's equations are off, the weighted fit keeps the target."""
    arena = SampledArena(EVEN_START.strength, tie=tie)
    target = drawn_evenly(arena) if tie else arena.strength
    both = [covered(arena, policy, target, votes=3000, boards=400) for policy in POLICIES.values()]

    board = "with ties" if tie else "without ties"
    for kind, found in zip(("plain", "weighted"), zip(*both, strict=True), strict=True):
        cells = (
            f"{100 * each.mean():.1f} ({100 * each.min():.0f} to {100 * each.max():.0f}) %"
            for each in found
        )
        figures.append((f"coverage, {kind}", board, *cells))
    assert all(0.93 < undone.mean() < 0.97 for _, undone in both)
    assert tie or all(0.93 < plain.mean() < 0.97 for plain, _ in both)
