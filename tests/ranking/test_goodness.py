"""Whether a fit describes its pairs: right numbers, right level, and power where something is wrong."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import Battles, fit
from ranking.goodness import goodness
from ranking.joint import gradients
from ranking.pairs import net, pairs, refitted, simulated
from ranking.ties import TieModel
from tests.ranking.davidson import draw_battles
from tests.ranking.test_published import (
    JOURNALS,
    TEAMS,
    baseball,
    battles_of,
    citations,
    llmfao,
)

EVERY_TIE_MODEL = list(TieModel)


def with_favourite(
    battles: Battles, pair: tuple[int, int], share: float, generator: np.random.Generator
) -> Battles:
    """The battles, but the first of a pair wins this share of that pair's, without ties."""
    paired = battles.paired()
    elsewhere = (paired.first != pair[0]) | (paired.second != pair[1])
    met = paired.weight[~elsewhere].sum()
    wins = generator.binomial(int(met), share)
    return Battles(
        np.r_[paired.first[elsewhere], pair[0], pair[0]],
        np.r_[paired.second[elsewhere], pair[1], pair[1]],
        np.r_[paired.score[elsewhere], 1.0, 0.0],
        np.r_[paired.weight[elsewhere], wins, met - wins],
        paired.n_models,
    )


def test_the_baseball_table_fits(generator: np.random.Generator) -> None:
    """Agresti (2002), section 10.6.1: X2 = 14.6 and G2 = 15.7 on 15 degrees of freedom."""
    table = battles_of(baseball(), len(TEAMS))

    found = goodness(table, fit(table), generator)

    assert found.pearson.value == pytest.approx(14.6, abs=0.05)
    assert found.deviance.value == pytest.approx(15.7, abs=0.05)
    assert found.free == 15
    assert len(found.worst(level=0.95)) == 0


def test_the_citation_table_fits(generator: np.random.Generator) -> None:
    """Turner and Firth (2012) print a residual deviance of 4.2934 on 3 degrees of freedom."""
    table = battles_of(citations(), len(JOURNALS))

    found = goodness(table, fit(table), generator)

    assert found.deviance.value == pytest.approx(4.2934, abs=5e-5)
    assert found.free == 3


def test_without_ties_it_is_the_textbook_chi_square(generator: np.random.Generator) -> None:
    """There the simulated p-value must agree with the chi-square of the degrees of freedom."""
    board = draw_battles(
        np.linspace(-0.5, 0.5, 8), 8000, generator, tie=0.0, share=np.full(8, 1 / 8)
    )

    found = goodness(board, fit(board), generator)

    assert found.pearson.usual == pytest.approx(found.free, rel=0.05)
    assert found.deviance.usual == pytest.approx(found.free, rel=0.05)


def test_chi_square_would_pass_what_half_ties_make_too_even(
    generator: np.random.Generator, battles: Battles
) -> None:
    """A third of ties takes a third off the usual statistic: the simulated null sees it."""
    found = goodness(battles, fit(battles), generator)

    assert found.pearson.usual < 0.85 * found.free
    assert found.pearson.p_value > 0.01


@pytest.mark.parametrize("ties", EVERY_TIE_MODEL)
def test_the_surpluses_of_a_fit_balance(ties: TieModel, battles: Battles) -> None:
    """They are its gradient, pair by pair: row by row as the fit's own equations have it."""
    found = fit(battles, ties=ties)
    of = pairs(battles, found)

    rows = gradients(battles, found).difference * battles.weight
    signed = np.where(battles.first < battles.second, rows, -rows)
    low, high = np.minimum(battles.first, battles.second), np.maximum(battles.first, battles.second)
    twin = [
        signed[(low == first) & (high == second)].sum()
        for first, second in zip(of.first, of.second, strict=True)
    ]

    assert_allclose(of.surplus, twin, atol=1e-9)
    assert_allclose(net(of, of.surplus), 0, atol=1e-6)


@pytest.mark.parametrize("ties", EVERY_TIE_MODEL)
def test_a_simulated_board_is_fitted_as_a_real_one(
    ties: TieModel, battles: Battles, generator: np.random.Generator
) -> None:
    """The few steps that a simulated board gets must lead to its fit."""
    of = pairs(battles, fit(battles, ties=ties))
    counts = simulated(of, generator)
    counted = np.concatenate(counts)
    board = Battles(
        np.tile(of.first.astype(np.int32), 3)[counted > 0],
        np.tile(of.second.astype(np.int32), 3)[counted > 0],
        np.repeat([1.0, 0.5, 0.0], len(of.first))[counted > 0],
        counted[counted > 0],
        of.n_models,
    )

    exact = fit(board, ties=ties).strength

    assert_allclose(refitted(of, counts).difference, exact[of.first] - exact[of.second], atol=2e-3)


@pytest.mark.parametrize("ties", EVERY_TIE_MODEL)
def test_residuals_have_the_width_they_claim(
    ties: TieModel, battles: Battles, generator: np.random.Generator
) -> None:
    """On boards drawn from the fit, each pair's residual has standard deviation 1."""
    found = fit(battles, ties=ties)
    of = pairs(battles, found)
    error = of.surplus / goodness(battles, found, generator, rounds=1).residual

    drawn = []
    for _ in range(400):
        counts = simulated(of, generator)
        expected = refitted(of, counts)
        drawn.append(counts.scored - counts.meetings * expected.chances.scored)

    if ties is TieModel.RAO_KUPPER:
        error = error / np.mean(error / np.std(drawn, axis=0))
    assert_allclose(np.std(drawn, axis=0) / error, 1, atol=0.15)


def test_a_pair_that_breaks_the_equations_is_named(
    battles: Battles, generator: np.random.Generator
) -> None:
    """The weakest but one is made to beat the strongest: that pair, first in the list."""
    odd = with_favourite(battles, (1, 7), 0.75, generator)

    found = goodness(odd, fit(odd), generator)

    worst = found.worst(level=0.95)
    assert (found.first[worst[0]], found.second[worst[0]]) == (1, 7)
    assert found.residual[worst[0]] > 4
    assert found.pearson.p_value < 0.01
    assert found.departure > 0.03


@pytest.mark.parametrize("n", [1_000.0, 100_000.0])
def test_the_departure_is_what_was_planted(n: float, generator: np.random.Generator) -> None:
    """Each of eleven models beats the next five with 55 %: 0.05 off, however many votes there are."""
    models = np.arange(11, dtype=np.int32)
    first, ahead = np.repeat(models, 5), np.tile(models[1:6], 11)
    second = (first + ahead) % 11
    board = Battles(
        np.r_[first, first],
        np.r_[second, second],
        np.repeat([1.0, 0.0], 55),
        np.repeat([0.55 * n, 0.45 * n], 55),
        11,
    )

    found = goodness(board, fit(board), generator, rounds=1)

    assert found.departure == pytest.approx(0.05, abs=0.003)


def test_seats_do_not_matter(battles: Battles) -> None:
    """It reads pairs."""
    one, other = (
        goodness(same, fit(same), np.random.default_rng(1), rounds=20)
        for same in (battles, battles.mirrored())
    )

    assert_allclose(one.residual, other.residual, atol=1e-6)
    assert one.pearson.p_value == other.pearson.p_value


def test_a_fit_with_seats_is_refused(battles: Battles) -> None:
    """What it expects of a pair depends on who was shown first."""
    with pytest.raises(ValueError, match="position"):
        pairs(battles, fit(battles, position=True))


def test_its_level_is_what_it_says(generator: np.random.Generator) -> None:
    """A small twin of the long simulation: at 5 %, 60 boards with ties, at most 7 rejected."""
    strength, share = np.linspace(-0.8, 0.8, 6), np.full(6, 1 / 6)
    rejected = 0
    for _ in range(60):
        board = draw_battles(strength, 1500, generator, share=share)
        rejected += goodness(board, fit(board), generator, rounds=39).pearson.p_value <= 0.05

    assert rejected <= 7


def test_people_on_real_models_depart_from_the_equations(generator: np.random.Generator) -> None:
    """LLMFAO has 13 prompts only: who wins depends on the prompt, and the crowd's pairs show it."""
    board = llmfao("crowd", "crowd-comparisons.csv").battles

    found = goodness(board, fit(board), generator, rounds=99)

    assert found.pearson.p_value == pytest.approx(0.01)
    assert 0.05 < found.departure < 0.1
