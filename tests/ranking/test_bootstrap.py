"""The resamples: the right spread, the same bytes every time, and no number where there is none."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from ranking import POINTS_PER_LOGIT, Battles, bootstrap, fit, sandwich
from ranking.battles import Floats
from ranking.bootstrap import BLOCK_ROUNDS
from ranking.resampling import LARGEST_TABLE, resampler
from tests.ranking.davidson import draw_battles

RARE = 3


@pytest.fixture
def with_rare() -> Battles:
    """Three models with hundreds of battles, and one with a single win and a single loss."""
    return Battles(
        np.array([0, 0, 1, 1, RARE, RARE]),
        np.array([1, 1, 2, 2, 1, 1]),
        np.array([1.0, 0.0, 1.0, 0.0, 1.0, 0.0]),
        np.array([600.0, 400.0, 500.0, 498.0, 1.0, 1.0]),
        4,
    )


def test_threads_do_not_change_a_byte(battles: Battles) -> None:
    """A replay on a machine with more cores must find the same interval."""
    found = fit(battles)

    alone = bootstrap(battles, found, rounds=3 * BLOCK_ROUNDS + 5, seed=7)
    shared = bootstrap(battles, found, rounds=3 * BLOCK_ROUNDS + 5, seed=7, threads=3)

    assert_array_equal(alone.strength, shared.strength)


IN_ANOTHER_PROCESS = """
import numpy as np
from ranking import POINTS_PER_LOGIT, bootstrap, fit
from tests.ranking.davidson import draw_battles
battles = draw_battles(
    np.linspace(-1, 1, 30), 30_000, np.random.default_rng(0), share=np.full(30, 1 / 30)
)
draws = bootstrap(battles, fit(battles), rounds=64, seed=0)
print((POINTS_PER_LOGIT * draws.strength).tolist())
"""


def drawn_on(processor: str) -> Floats:
    """The draws as they come out with the matrix kernels of a kind of processor."""
    found = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        env=os.environ | {"OPENBLAS_CORETYPE": processor, "OPENBLAS_NUM_THREADS": "1"},
        cwd=Path(__file__).parents[2],
        check=True,
        capture_output=True,
        text=True,
    )
    return np.array(json.loads(found.stdout))


def test_another_processor_changes_no_draw_by_a_millionth_of_a_point() -> None:
    """Kernels round differently, and float32 alone showed it in the fourth decimal: no replay would agree."""
    assert_allclose(drawn_on("Prescott"), drawn_on("Haswell"), rtol=0, atol=1e-6)


def test_another_seed_gives_other_draws(battles: Battles) -> None:
    """Otherwise the seed would be decoration."""
    found = fit(battles)

    one = bootstrap(battles, found, rounds=4, seed=1)
    other = bootstrap(battles, found, rounds=4, seed=2)

    assert not np.allclose(one.strength, other.strength)


def test_the_order_of_rows_does_not_change_a_byte(
    battles: Battles, generator: np.random.Generator
) -> None:
    """The same votes, loaded in another order, are the same board."""
    order = generator.permutation(len(battles))
    shuffled = Battles(
        battles.first[order],
        battles.second[order],
        battles.score[order],
        battles.weight[order],
        battles.n_models,
    )
    found = fit(battles)

    assert_array_equal(
        bootstrap(battles, found, rounds=8, seed=0).strength,
        bootstrap(shuffled, found, rounds=8, seed=0).strength,
    )


def test_each_round_is_the_exact_fit_of_its_resample(battles: Battles) -> None:
    """Within a millionth of a point: what a replay may differ by on another machine."""
    draws = bootstrap(battles, fit(battles), rounds=BLOCK_ROUNDS, seed=5)
    again = resampler(battles)
    (child,) = np.random.SeedSequence(5).spawn(1)
    drawn = again.draw(np.random.SFC64(child), BLOCK_ROUNDS).astype(np.float64)

    for strength, weight in zip(draws.strength, drawn.T, strict=True):
        came_up = weight > 0
        cells = again.cells
        resample = Battles(
            cells.first[came_up],
            cells.second[came_up],
            cells.score[came_up],
            weight[came_up],
            cells.n_models,
        )
        assert_allclose(strength, fit(resample).strength, rtol=0, atol=1e-6 / POINTS_PER_LOGIT)


def test_drawn_counts_have_poisson_mean_and_variance() -> None:
    """Cells on both sides of the switch from the exact table to the normal limit."""
    weight = np.array([1.0, 2.0, 7.0, LARGEST_TABLE, LARGEST_TABLE + 1, 5000.0])
    ladder = np.arange(6)
    cells = Battles(ladder, ladder + 1, np.ones(6), weight, 7)

    drawn = resampler(cells).draw(np.random.SFC64(3), 40_000).astype(np.float64)

    standard_error = np.sqrt(weight / 40_000)
    assert (np.abs(drawn.mean(1) - weight) < 4 * standard_error).all()
    assert_allclose(drawn.var(1), weight, rtol=0.05)
    assert (drawn[0] == 0).mean() == pytest.approx(np.exp(-1), abs=0.01)


def test_the_spread_is_that_of_the_sandwich(generator: np.random.Generator) -> None:
    """With hundreds of battles a model both estimate the same variance, ties and all."""
    strength = np.linspace(-1, 1, 10)
    battles = draw_battles(strength, 20_000, generator, share=np.full(10, 0.1))
    found = fit(battles)

    draws = bootstrap(battles, found, rounds=2000, seed=0)

    expected = np.sqrt(sandwich(battles, found).diagonal())
    assert_allclose(draws.strength.std(0), expected, rtol=0.08)
    assert draws.degenerate == 0


def test_a_round_without_a_models_battles_does_not_place_it(with_rare: Battles) -> None:
    """Two battles are both left out of a resample with probability exp(-2)."""
    draws = bootstrap(with_rare, fit(with_rare), rounds=4000, seed=1)

    assert draws.absent[:, RARE].mean() == pytest.approx(np.exp(-2), abs=0.02)
    assert not draws.absent[:, :RARE].any()


def test_a_round_that_leaves_a_model_unbeaten_has_no_bound_for_it(with_rare: Battles) -> None:
    """Only its win came up, or only its loss: each with probability (1 - 1/e) / e."""
    draws = bootstrap(with_rare, fit(with_rare), rounds=4000, seed=1)

    one_sided = (1 - np.exp(-1)) * np.exp(-1)
    assert np.isposinf(draws.strength[:, RARE]).mean() == pytest.approx(one_sided, abs=0.03)
    assert np.isneginf(draws.strength[:, RARE]).mean() == pytest.approx(one_sided, abs=0.03)
    assert np.isfinite(draws.strength[:, :RARE]).all()
    assert draws.degenerate == (~draws.identified[:, RARE]).sum()


def test_a_percentile_that_has_no_bound_is_infinite(with_rare: Battles) -> None:
    """More than one resample in forty has no upper bound, so the interval's upper end has none."""
    lower, upper = bootstrap(with_rare, fit(with_rare), rounds=500, seed=1).percentiles(0.95)

    assert lower[RARE] == -np.inf
    assert upper[RARE] == np.inf
    assert not np.isnan(lower).any()
    assert (np.isfinite(lower[:RARE]) & np.isfinite(upper[:RARE])).all()


def test_rounds_without_the_rare_model_keep_the_others_in_place(with_rare: Battles) -> None:
    """Their mean is then over fewer models; without care they would jump by the rare one's share."""
    found = fit(with_rare)

    draws = bootstrap(with_rare, found, rounds=4000, seed=1)

    missing = ~draws.identified[:, RARE]
    assert_allclose(draws.strength[missing, :RARE].mean(0), found.strength[:RARE], atol=0.01)


def test_of_two_models_a_one_sided_round_unbounds_both() -> None:
    """3 to 1 drawn as 3 to 0 says as little of the winner's strength as of the loser's."""
    pair = Battles(
        np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.0]), np.array([30.0, 2.0]), 2
    )

    draws = bootstrap(pair, fit(pair), rounds=2000, seed=0)

    assert_array_equal(draws.strength[:, 0], -draws.strength[:, 1])
    assert np.isposinf(draws.strength[:, 0]).mean() == pytest.approx(np.exp(-2), abs=0.03)


def test_a_group_held_by_a_rare_tie_falls_apart_together(generator: np.random.Generator) -> None:
    """Two large islands joined by one tie: without it the smaller one is not placed at all."""
    battles = Battles(
        np.array([0, 0, 1, 3, 3, 2]),
        np.array([1, 1, 2, 4, 4, 3]),
        np.array([1.0, 0.0, 0.5, 1.0, 0.0, 0.5]),
        np.array([300.0, 300.0, 500.0, 100.0, 100.0, 1.0]),
        5,
    )

    draws = bootstrap(battles, fit(battles), rounds=2000, seed=0)

    assert_array_equal(draws.absent[:, 3], draws.absent[:, 4])
    assert draws.absent[:, 3].mean() == pytest.approx(np.exp(-1), abs=0.03)
    assert not draws.absent[:, :3].any()
