"""Categories of one arena: fitted together, taken apart by subtraction, drawn to the rest by as much as is honest."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import Battles, fit, fit_categories, sandwich, shrink_category, wald_interval
from ranking.battles import Floats
from ranking.categories import without
from tests.figures import written_to
from tests.ranking.davidson import draw_battles, expected_battles

MODELS = 12
LARGE_SPREAD = 0.4
EVENLY = np.full(MODELS, 1 / MODELS)
HEADING = """
# Small categories

A category of 12 models draws its strengths around those of the rest, by a normal deviation of the given spread. The
mean squared error against what a fit of endless votes would find, in points squared, and how often the 95 % interval
holds it: for the category by itself, and drawn towards the rest of 20,000 votes. 1000 categories each.
"""
COLUMNS = ("spread, points", "votes", "error alone", "error drawn", "covers alone", "covers drawn")


def merged(*parts: Battles) -> Battles:
    return Battles(
        np.concatenate([part.first for part in parts]),
        np.concatenate([part.second for part in parts]),
        np.concatenate([part.score for part in parts]),
        np.concatenate([part.weight for part in parts]),
        parts[0].n_models,
    ).merged()


@pytest.fixture
def categories(generator: np.random.Generator) -> list[Battles]:
    """Three categories of one arena: large, small, and one whose battles join four models alone."""
    strength = np.linspace(-1, 1, MODELS)
    four = np.where(np.arange(MODELS) < 4, 0.25, 0.0)
    return [
        draw_battles(strength, 6000, generator, share=EVENLY),
        draw_battles(-strength, 400, generator, share=EVENLY),
        draw_battles(strength, 200, generator, share=four),
    ]


def test_each_category_is_fitted_as_if_alone(categories: list[Battles]) -> None:
    """One call for all changes no number of any."""
    found = fit_categories(categories, fit(categories[0]).strength)

    for battles, category in zip(categories, found, strict=True):
        assert category is not None
        alone = battles.among(category.models)
        assert_allclose(category.fit.strength, fit(alone).strength, atol=1e-9)
        assert_allclose(category.covariance, sandwich(alone, fit(alone)), atol=1e-9)
    assert [len(category.models) for category in found if category] == [12, 12, 4]


def test_a_category_that_joins_no_two_models_has_no_fit(categories: list[Battles]) -> None:
    """No number stands where there is nothing to say."""
    one_sided = Battles(np.array([0]), np.array([1]), np.array([1.0]), np.array([9.0]), MODELS)

    assert fit_categories([one_sided], np.zeros(MODELS)) == (None,)


def test_taking_away_undoes_adding(categories: list[Battles]) -> None:
    """Counts merge by addition, so the rest needs no second look at the votes."""
    large, small, _ = categories

    rest = without(merged(large, small), small)

    for name in ("first", "second", "score", "weight"):
        assert_allclose(getattr(rest, name), getattr(large, name))


def test_taking_away_what_is_not_there_is_refused(categories: list[Battles]) -> None:
    """Negative counts would make a fit of nothing that anybody voted."""
    large, small, _ = categories

    with pytest.raises(ValueError, match="battles that the whole lacks"):
        without(small, large)
    with pytest.raises(ValueError, match="battles that the whole lacks"):
        without(small, merged(small, small))


def test_a_category_moves_between_itself_and_the_rest(categories: list[Battles]) -> None:
    """Turned upside down against the rest, it keeps its own order; like the rest, it borrows much."""
    large, small, four = categories
    whole = merged(large, small, four)
    (upside_down, alike) = fit_categories([small, four], np.zeros(MODELS))
    assert upside_down is not None
    assert alike is not None

    turned = shrink_category(small, upside_down, whole)
    borrowed = shrink_category(four, alike, whole)

    assert turned is not None
    assert borrowed is not None
    assert np.corrcoef(turned.shrunk.strength, np.linspace(1, -1, MODELS))[0, 1] > 0.9
    assert turned.shrunk.weight > 0.8 > borrowed.shrunk.weight
    assert borrowed.models.tolist() == alike.models.tolist()


def test_without_a_rest_there_is_nothing_to_draw_towards(categories: list[Battles]) -> None:
    """A category that is the whole board is its own evidence."""
    (found,) = fit_categories(categories[:1], np.zeros(MODELS))
    assert found is not None

    assert shrink_category(categories[0], found, categories[0]) is None


def simulate(
    *, spread: float, votes: int, times: int, generator: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return mean squared error and coverage, each alone and drawn, over categories of a spread in logits."""
    errors, inside = np.zeros(2), np.zeros(2)
    for _ in range(times):
        strength = generator.normal(0, 0.6, MODELS)
        of_category = strength + generator.normal(0, spread, MODELS)
        category = draw_battles(of_category, votes, generator, share=EVENLY)
        whole = merged(draw_battles(strength, 20_000, generator, share=EVENLY), category)
        truth = fit(expected_battles(of_category, votes, share=EVENLY)).strength
        (found,) = fit_categories([category], strength)
        assert found is not None
        assert len(found.models) == MODELS
        drawn = shrink_category(category, found, whole)
        assert drawn is not None
        readings = (
            (found.fit.strength, found.covariance),
            (
                drawn.shrunk.strength,
                drawn.shrunk.covariance,
            ),
        )
        for way, reading in enumerate(readings):
            lower, upper = wald_interval(*reading, level=0.95)
            errors[way] += ((reading[0] - truth) ** 2).mean() / times
            inside[way] += ((lower <= truth) & (truth <= upper)).mean() / times
    return errors, inside


def test_a_small_category_comes_nearer_and_stays_honest(generator: np.random.Generator) -> None:
    """A small twin of the long simulation: 120 categories leave an error of about 1 point of coverage."""
    errors, inside = simulate(spread=LARGE_SPREAD, votes=400, times=120, generator=generator)

    assert errors[1] < 0.8 * errors[0]
    assert inside[1] == pytest.approx(0.95, abs=0.03)


@pytest.fixture(scope="module")
def figures() -> Iterator[list[tuple[str, ...]]]:
    with written_to("categories.md", HEADING, COLUMNS) as rows:
        yield rows


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.0, 0.1, 0.2, LARGE_SPREAD])
@pytest.mark.parametrize("votes", [300, 1500])
def test_every_size_and_spread_comes_nearer_and_stays_honest(
    votes: int,
    spread: float,
    generator: np.random.Generator,
    figures: list[tuple[str, ...]],
) -> None:
    """The error never grows, and intervals cover 93 % or more; of small spreads, they cover too much."""
    errors, inside = simulate(spread=spread, votes=votes, times=1000, generator=generator)

    points = (400 / np.log(10)) ** 2 * errors
    shown = [f"{174 * spread:.0f}", str(votes), *(f"{error:.0f}" for error in points)]
    figures.append((*shown, *(f"{100 * share:.1f} %" for share in inside)))
    assert errors[1] < 1.01 * errors[0]
    assert inside[1] > 0.93
    assert spread < LARGE_SPREAD or inside[1] < 0.97
