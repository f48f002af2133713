"""Columns for style: what swapping the seats does to them, and to a fit."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import Battles, Covariates, fit, relative_difference, sandwich, style_columns
from ranking.battles import Floats
from tests.ranking.davidson import draw_rows

NAMES = ("length", "lists")
# Logits for ten times the words, about: a real preference for long answers.
FOR_LENGTH, FOR_LISTS = 0.6, -0.3


def answers(generator: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Features of both answers of n battles; the first is usually longer, which must not count for its seat."""
    first = generator.poisson([300.0, 3.0], (n, 2)).astype(np.float64)
    second = generator.poisson([200.0, 3.0], (n, 2)).astype(np.float64)
    return first, second


def test_a_difference_is_that_of_the_notes() -> None:
    """(a - b) / (a + b + 1): a header against none is half of the most there is, however few there are."""
    difference = relative_difference(np.array([[1.0, 300.0]]), np.array([[0.0, 100.0]]))

    assert_allclose(difference, [[1 / 2, 200 / 401]])


def test_swapping_the_answers_turns_every_sign(generator: np.random.Generator) -> None:
    """Nothing is taken off, so no seat is favoured; scales stay the same."""
    first, second = answers(generator, 500)

    straight, swapped = (style_columns(NAMES, *pair) for pair in ((first, second), (second, first)))

    assert_allclose(swapped.covariates.values, -straight.covariates.values)
    assert_allclose(swapped.scale, straight.scale)


def test_columns_have_one_size(generator: np.random.Generator) -> None:
    """A coefficient is what a typical difference is worth, whatever its unit was."""
    columns = style_columns(NAMES, *answers(generator, 500))

    assert columns.covariates.names == NAMES
    assert_allclose((columns.covariates.values**2).mean(0), 1)
    first, second = answers(np.random.default_rng(0), 5)
    assert_allclose(
        style_columns(NAMES, first, second).covariates.values
        * style_columns(NAMES, first, second).scale,
        relative_difference(first, second),
    )


def test_a_feature_that_never_differs_is_named_and_left_out() -> None:
    """It has no coefficient, and dividing by its size would give no number."""
    first = np.array([[3.0, 0.0], [9.0, 0.0]])
    second = np.array([[5.0, 0.0], [9.0, 0.0]])

    columns = style_columns(NAMES, first, second)

    assert columns.covariates.names == ("length",)
    assert columns.constant == ("lists",)
    assert columns.covariates.values.shape == (2, 1)


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_a_feature_that_is_no_count_is_refused(wrong: float) -> None:
    """A missing answer is no answer of length zero."""
    with pytest.raises(ValueError, match="feature of the second answer"):
        relative_difference(np.ones((2, 1)), np.array([[1.0], [wrong]]))


def test_tables_of_different_shape_are_refused() -> None:
    """A row would meet another battle's answer."""
    with pytest.raises(ValueError, match="expected one shape"):
        relative_difference(np.ones((2, 1)), np.ones((3, 1)))


def styled_votes(generator: np.random.Generator, n: int) -> tuple[Battles, Covariates]:
    """Votes of six models that differ in strength and length, by people who like long answers."""
    strength = np.linspace(-0.5, 0.5, 6)
    battles = draw_rows(strength, n, generator, share=np.full(6, 1 / 6))
    usual = 200.0 + 60 * np.arange(6)
    first, second = (
        np.column_stack(
            [
                usual[models] * generator.gamma(4, 0.25, len(models)),
                generator.poisson(3, len(models)),
            ]
        )
        for models in (battles.first, battles.second)
    )
    covariates = style_columns(NAMES, first, second).covariates
    lead = strength[battles.first] - strength[battles.second]
    lead = lead + covariates.values @ [FOR_LENGTH, FOR_LISTS]
    wins = generator.random(len(battles)) < 1 / (1 + np.exp(-lead))
    return (
        Battles(battles.first, battles.second, wins.astype(np.float64), battles.weight, 6),
        covariates,
    )


def test_the_style_of_a_truth_is_found_and_the_rest_is_strength(
    generator: np.random.Generator,
) -> None:
    """A published engine found a tenth of a planted coefficient: its penalty did not fade with votes."""
    battles, covariates = styled_votes(generator, 40_000)

    found = fit(battles, covariates=covariates)

    error = np.sqrt(sandwich(battles, found, covariates).diagonal())
    truth = np.concatenate([np.linspace(-0.5, 0.5, 6), [FOR_LENGTH, FOR_LISTS]])
    estimate = np.concatenate([found.strength, found.extra])
    assert (np.abs(estimate - truth) < 3.5 * error).all()
    assert error[-2:].max() < 0.03
    assert np.abs(fit(battles).strength - truth[:6]).max() > 0.15


def test_the_style_fit_ignores_the_seats(generator: np.random.Generator) -> None:
    """Exchanging all seats, features with them, changes no strength and no coefficient."""
    battles, covariates = styled_votes(generator, 2000)
    turned = Covariates(covariates.names, -covariates.values)

    straight = fit(battles, covariates=covariates)
    mirrored = fit(battles.mirrored(), covariates=turned)

    assert_allclose(mirrored.strength, straight.strength, atol=1e-10)
    assert_allclose(mirrored.extra, straight.extra, atol=1e-10)
