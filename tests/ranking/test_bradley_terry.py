"""The fit: laws it must obey, closed forms, a twin, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from ranking import POINTS_PER_LOGIT, Battles, NotConnectedError, NotConvergedError, fit
from ranking.battles import Floats


def rows(*columns: tuple[int, int, float, float], n_models: int) -> Battles:
    first, second, score, weight = zip(*columns, strict=True)
    return Battles(np.array(first), np.array(second), np.array(score), np.array(weight), n_models)


def test_three_wins_to_one_are_190_85_points() -> None:
    """The odds are then 3, and 400 log10(3) = 190.85: there is nothing to estimate beyond it."""
    battles = rows((0, 1, 1.0, 3), (0, 1, 0.0, 1), n_models=2)

    strength = fit(battles).strength

    assert_allclose(POINTS_PER_LOGIT * (strength[0] - strength[1]), 400 * np.log10(3), atol=1e-9)


def test_a_chain_of_pairs_adds_up() -> None:
    """Without a cycle each pair fits its own odds, so the ends differ by the sum."""
    battles = rows((0, 1, 1.0, 3), (0, 1, 0.0, 1), (1, 2, 1.0, 5), (2, 1, 1.0, 2), n_models=3)

    strength = fit(battles).strength

    assert_allclose(strength[0] - strength[2], np.log(3) + np.log(5 / 2), atol=1e-12)


def test_four_ties_pull_three_to_one_to_five_to_three() -> None:
    """A tie is half a win to each side: 3 + 2 against 1 + 2."""
    battles = rows((0, 1, 1.0, 3), (0, 1, 0.0, 1), (0, 1, 0.5, 4), n_models=2)

    strength = fit(battles).strength

    assert_allclose(strength[0] - strength[1], np.log(5 / 3), atol=1e-12)


def test_strengths_sum_to_zero(battles: Battles) -> None:
    """Only differences are in the data; the mean is where we put it."""
    assert_allclose(fit(battles).strength.sum(), 0, atol=1e-12)


def test_swapping_sides_changes_nothing(battles: Battles) -> None:
    """Which answer was shown first must not move a rating."""
    assert_allclose(fit(battles.mirrored()).strength, fit(battles).strength, atol=1e-12)


def test_merging_rows_changes_nothing(battles: Battles, generator: np.random.Generator) -> None:
    """Counts are all that the fit reads: one row of weight three is three rows."""
    single = np.repeat(np.arange(len(battles)), battles.weight.astype(int))
    generator.shuffle(single)
    loose = Battles(
        battles.first[single],
        battles.second[single],
        battles.score[single],
        np.ones(len(single)),
        battles.n_models,
    )

    assert_allclose(fit(loose).strength, fit(loose.merged()).strength, atol=1e-12)
    assert_allclose(fit(loose).strength, fit(loose.paired()).strength, atol=1e-12)


def test_renumbering_models_renumbers_strengths(
    battles: Battles, generator: np.random.Generator
) -> None:
    """A model's number is a name and no more."""
    number = generator.permutation(battles.n_models)
    renumbered = Battles(
        number[battles.first],
        number[battles.second],
        battles.score,
        battles.weight,
        battles.n_models,
    )

    assert_allclose(fit(renumbered).strength[number], fit(battles).strength, atol=1e-12)


def test_weights_in_another_unit_change_nothing(battles: Battles) -> None:
    """A thousandfold board has the same strengths, found to the same precision."""
    thousandfold = Battles(
        battles.first,
        battles.second,
        battles.score,
        1000 * battles.weight,
        battles.n_models,
    )

    assert_allclose(fit(thousandfold).strength, fit(battles).strength, atol=1e-12)


@given(winner=st.integers(0, 7), loser=st.integers(0, 7), wins=st.integers(1, 500))
def test_a_win_never_lowers_the_winner(winner: int, loser: int, wins: int) -> None:
    """Nor raises the loser: otherwise a voter could help a model by voting against it."""
    if winner == loser:
        return
    ring = [(model, (model + step) % 8, 1.0, 2 + step) for model in range(8) for step in (1, 3, 6)]
    before = fit(rows(*ring, n_models=8)).strength

    after = fit(rows(*ring, (winner, loser, 1.0, wins), n_models=8)).strength

    assert after[winner] > before[winner]
    assert after[loser] < before[loser]


def test_the_twin_agrees(battles: Battles) -> None:
    """A quasi-Newton search of the log-likelihood written out in full finds the same maximum."""

    def loss(strength: Floats) -> float:
        lead = strength[battles.first] - strength[battles.second]
        won = battles.weight * battles.score
        lost = battles.weight * (1 - battles.score)
        return float((won * np.log1p(np.exp(-lead)) + lost * np.log1p(np.exp(lead))).sum())

    twin = minimize(loss, np.zeros(battles.n_models), method="BFGS", options={"gtol": 1e-4}).x

    assert_allclose(fit(battles).strength, twin - twin.mean(), atol=1e-6)


def test_the_gradient_vanishes(battles: Battles) -> None:
    """Observed and expected scores agree at a maximum; this is the equation itself."""
    found = fit(battles)

    table = battles.score_table()
    chance = 1 / (1 + np.exp(found.strength - found.strength[:, None]))
    expected = ((table + table.T) * chance).sum(1)

    assert np.abs(table.sum(1) - expected).max() < 1e-9
    assert found.gradient_norm < 1e-9


@pytest.mark.parametrize("against", [1, 2, 20])
def test_a_lopsided_chain_still_converges(against: int) -> None:
    """A fixed number of iterations has published half-way numbers for such pairs before."""
    battles = rows(
        (0, 1, 1.0, 5000),
        (0, 1, 0.0, against),
        (1, 2, 1.0, 4999),
        (1, 2, 0.0, 2),
        n_models=3,
    )

    found = fit(battles)

    assert_allclose(found.strength[0] - found.strength[1], np.log(5000 / against), atol=1e-9)
    assert_allclose(found.strength[1] - found.strength[2], np.log(4999 / 2), atol=1e-9)
    assert found.gradient_norm < 1e-9


def test_a_start_far_from_the_top_is_no_harm() -> None:
    """A whole Newton step would jump over the top here and never come back."""
    long_chain = [
        row
        for model in range(30)
        for row in ((model, model + 1, 1.0, 100_000.0), (model, model + 1, 0.0, 1.0))
    ]

    found = fit(rows(*long_chain, n_models=31))

    assert_allclose(-np.diff(found.strength), np.log(100_000), atol=1e-6)


def test_islands_are_refused() -> None:
    """Two pairs that never met: a finite answer would order models that no vote has compared."""
    islands = rows((0, 1, 1.0, 5), (1, 0, 1.0, 5), (2, 3, 1.0, 5), (3, 2, 1.0, 5), n_models=4)

    with pytest.raises(NotConnectedError) as refused:
        fit(islands)

    assert refused.value.groups == ((0, 1), (2, 3))
    assert "2 groups" in str(refused.value)


@pytest.mark.parametrize(
    "battles",
    [
        rows((0, 1, 1.0, 20), (0, 2, 1.0, 20), (1, 2, 1.0, 3), (2, 1, 1.0, 3), n_models=3),
        rows((0, 1, 0.5, 5), (2, 3, 0.5, 5), (1, 2, 1.0, 9), n_models=4),
    ],
    ids=["unbeaten", "one-way link"],
)
def test_what_has_no_finite_maximum_is_refused(battles: Battles) -> None:
    """An unbeaten model or a one-way bridge: the likelihood rises for ever."""
    with pytest.raises(NotConnectedError):
        fit(battles)


def test_a_fit_of_one_model_is_refused() -> None:
    """There is nothing to compare it with."""
    nobody = Battles(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0), 1)

    with pytest.raises(ValueError, match="found 1 models"):
        fit(nobody)


def test_strengths_beyond_float64_are_an_error_and_not_a_number() -> None:
    """A search that cannot end must say so; nobody reads a flag."""
    chain = [
        row
        for model in range(200)
        for row in ((model, model + 1, 1.0, 1e9), (model, model + 1, 0.0, 1e-3))
    ]

    with pytest.raises(NotConvergedError) as stopped:
        fit(rows(*chain, n_models=201))

    assert not stopped.value.gradient_norm < 1e-9
