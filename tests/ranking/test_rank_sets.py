"""Rank sets: who surely stands above whom, all pairs at once."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from ranking import Battles, Draws, bootstrap, fit, gaussian_draws, rank_sets, sandwich
from ranking.battles import Flags, Floats
from ranking.rank_sets import RankSets, separable_classes


@pytest.fixture
def strength(battles: Battles) -> Floats:
    return fit(battles).strength


@pytest.fixture
def draws(battles: Battles) -> Draws:
    found = fit(battles)
    return gaussian_draws(found.strength, sandwich(battles, found), seed=7)


def of_all(strength: Floats) -> Draws:
    """Draws that place every model in every round."""
    return Draws(strength, np.zeros(strength.shape, bool))


def test_equal_variances_give_tukeys_studentized_range(generator: np.random.Generator) -> None:
    """Published 5 % points of the range of k normals, endless degrees of freedom: 3.314, 4.474.

    Pearson and Hartley, Biometrika tables for statisticians, volume I, table 29. Divided by the root of
    two, for a difference has twice the variance. 40,000 rounds leave an error of about 0.01.
    """
    for k, published in ((3, 3.314), (10, 4.474)):
        sets = rank_sets(np.zeros(k), of_all(generator.normal(size=(40_000, k))), level=0.95)

        assert sets.critical == pytest.approx(published / np.sqrt(2), abs=0.03)


def twin(strength: Floats, draws: Floats, *, level: float, step_down: bool) -> Flags:
    """The step-down written out claim by claim."""
    claims = [(i, j) for i in range(len(strength)) for j in range(len(strength)) if i != j]
    stray = draws - strength
    error = {(i, j): np.std(stray[:, i] - stray[:, j], ddof=1) for i, j in claims}
    above = np.zeros((len(strength),) * 2, bool)
    while True:
        left = [claim for claim in claims if not above[claim]]
        noise = [max((row[i] - row[j]) / error[i, j] for i, j in left) for row in stray]
        needed = sorted(noise)[int(np.ceil(level * (len(noise) + 1))) - 1]
        new = [(i, j) for i, j in left if (strength[i] - strength[j]) / error[i, j] > needed]
        for claim in new:
            above[claim] = True
        if not new or not step_down:
            return above


@pytest.mark.parametrize("step_down", [False, True])
def test_the_twin_agrees(strength: Floats, draws: Draws, step_down: bool) -> None:
    """Blocks, float32 and one-sided halves are speed, not method."""
    few = of_all(draws.strength[:199])

    sets = rank_sets(strength, few, level=0.9, step_down=step_down)

    expected = twin(strength, few.strength, level=0.9, step_down=step_down)
    assert 0 < expected.sum() < 28
    assert_array_equal(sets.above, expected)


def test_the_step_down_keeps_every_claim_and_adds_some(generator: np.random.Generator) -> None:
    """Two far groups of five: between them all is settled, so within them fewer claims compete.

    The best of each group leads by 3.1 standard errors: the first step asks for 3.14, the last for 3.06.
    """
    strength = np.array([10.0, 10, 10, 10, 13.1, 0, 0, 0, 0, 3.1])
    draws = of_all(strength + generator.normal(size=(4000, 10)) * np.sqrt(0.5))

    first = rank_sets(strength, draws, level=0.95, step_down=False)
    last = rank_sets(strength, draws, level=0.95)

    assert (last.above >= first.above).all()
    assert last.above.sum() > first.above.sum()
    assert last.critical < first.critical


def test_a_set_holds_its_rank_and_counts_the_sure_pairs(strength: Floats, draws: Draws) -> None:
    """Low: one more than those surely above; high: all but those surely below."""
    sets = rank_sets(strength, draws, level=0.95)

    rank = (-strength).argsort().argsort() + 1
    assert (sets.low <= rank).all()
    assert (rank <= sets.high).all()
    assert sets.low[3] == 1 + sum(sets.above[j, 3] for j in range(8))
    assert sets.high[3] == 8 - sum(sets.above[3, j] for j in range(8))
    assert not (sets.above & sets.above.T).any()


def test_shift_and_order_of_models_change_nothing(strength: Floats, draws: Draws) -> None:
    """Only differences count, and no name."""
    sets = rank_sets(strength, draws, level=0.95)
    turned = of_all(draws.strength[:, ::-1] + 3.0)

    mirrored = rank_sets(strength[::-1] + 3.0, turned, level=0.95)

    assert_array_equal(mirrored.above, sets.above[::-1, ::-1])


def test_more_certainty_leaves_wider_sets(strength: Floats, draws: Draws) -> None:
    """A claim at 99 % is one at 80 %."""
    cautious, bold = (rank_sets(strength, draws, level=level) for level in (0.99, 0.8))

    assert (cautious.above <= bold.above).all()
    assert cautious.above.sum() < bold.above.sum()


def test_too_few_rounds_settle_nothing(strength: Floats, draws: Draws) -> None:
    """Of 18 rounds none is rarer than one in 19: a 95 % claim cannot rest on them."""
    assert not rank_sets(strength, of_all(draws.strength[:18]), level=0.95).above.any()


def test_resamples_and_normal_draws_settle_much_the_same(battles: Battles) -> None:
    """With hundreds of votes for each model the bootstrap is nearly normal."""
    found = fit(battles)
    resampled = bootstrap(battles, found, rounds=1000, seed=3)
    normal = gaussian_draws(found.strength, sandwich(battles, found))

    by_resamples, by_normal = (
        rank_sets(found.strength, each, level=0.95) for each in (resampled, normal)
    )

    assert abs(by_resamples.above.sum() - by_normal.above.sum()) <= 2
    assert by_resamples.critical == pytest.approx(by_normal.critical, rel=0.1)


def with_unbounded(strength: Floats, draws: Draws, rounds: int) -> RankSets:
    """The sets when so many rounds leave model 7, the best, without an upper bound."""
    unbounded = draws.strength.copy()
    unbounded[:rounds, 7] = np.inf
    return rank_sets(strength, Draws(unbounded, draws.absent), level=0.95)


def test_a_model_that_rounds_often_leave_unbounded_is_judged_against_nobody(
    strength: Floats, draws: Draws
) -> None:
    """Its set is open, and it costs the others no more than the place that it may take."""
    whole, sets = rank_sets(strength, draws, level=0.95), with_unbounded(strength, draws, 6)

    assert sets.open.tolist() == [False] * 7 + [True]
    assert (sets.low[7], sets.high[7]) == (1, 8)
    assert (sets.above[:7, :7] >= whole.above[:7, :7]).all()


def test_a_few_unbounded_rounds_count_as_errors(strength: Floats, draws: Draws) -> None:
    """Up to a tenth of the error is spent on them; what is left decides, so nothing gets surer."""
    whole, sets = rank_sets(strength, draws, level=0.95), with_unbounded(strength, draws, 5)

    assert not sets.open.any()
    assert sets.critical >= whole.critical
    assert sets.above[7].any()


def test_models_without_spread_are_not_told_apart() -> None:
    """Two models that all rounds place alike: zero width is no certainty."""
    strength = np.array([0.0, 1.0])

    sets = rank_sets(strength, of_all(np.tile(strength, (100, 1))), level=0.9)

    assert not sets.above.any()


def fewest_classes(strength: Floats, above: Flags) -> int:
    """The fewest runs of the order without a sure pair, by trying all cuts."""
    order = np.argsort(-strength)
    m = len(order)
    for cuts in range(m):
        for places in combinations(range(1, m), cuts):
            runs = np.split(order, places)
            if not any(above[np.ix_(run, run)].any() for run in runs):
                return cuts + 1
    return m


def test_classes_are_runs_without_a_sure_pair_and_no_cut_has_fewer(
    generator: np.random.Generator,
) -> None:
    """Against all cuts of seven models, with pairs that are sure at random."""
    for _ in range(50):
        strength = generator.normal(size=7)
        above = (strength[:, None] > strength) & (generator.random((7, 7)) < 0.3)

        classes = separable_classes(strength, above)

        same = classes[:, None] == classes
        assert not (above & same).any()
        assert (np.diff(classes[np.argsort(-strength)]) >= 0).all()
        assert classes.max() == fewest_classes(strength, above)


def test_one_class_if_nothing_is_sure_and_singletons_if_all_is() -> None:
    """The two ends."""
    strength = np.array([1.0, 3.0, 2.0])
    sure = strength[:, None] > strength

    assert separable_classes(strength, np.zeros((3, 3), bool)).tolist() == [1, 1, 1]
    assert separable_classes(strength, sure).tolist() == [3, 1, 2]
