"""Resamples with a model of ties and a seat effect."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import Battles, Draws, TieModel, bootstrap, bootstrap_jointly, fit, sandwich
from tests.ranking.davidson import draw_battles


def spread_of(draws: Draws) -> np.ndarray:
    return draws.strength.std(0)


@pytest.mark.parametrize("ties", TieModel)
def test_rounds_spread_as_the_sandwich_says(ties: TieModel, battles: Battles) -> None:
    """With hundreds of votes a model, resamples and the covariance agree but for the noise of 400 rounds."""
    found = fit(battles, ties=ties, position=True)

    draws = bootstrap_jointly(battles, found, rounds=400, seed=1)

    error = np.sqrt(sandwich(battles, found).diagonal()[:8])
    assert draws.degenerate == 0
    assert_allclose(spread_of(draws), error, rtol=0.2)
    assert_allclose(draws.strength.mean(0), found.strength, atol=0.05)


def test_without_further_parameters_it_is_the_plain_bootstrap(battles: Battles) -> None:
    """Half ties and no seat: one distribution, drawn by two programs."""
    found = fit(battles)

    jointly = bootstrap_jointly(battles, found, rounds=600, seed=3)

    assert_allclose(
        spread_of(jointly), spread_of(bootstrap(battles, found, rounds=600, seed=4)), rtol=0.15
    )


def test_a_seed_means_the_same_rounds(battles: Battles) -> None:
    """A replay has to find the same interval."""
    found = fit(battles, position=True)

    once, again = (bootstrap_jointly(battles, found, rounds=40, seed=7) for _ in range(2))

    assert_allclose(once.strength, again.strength, atol=0)


def test_rounds_of_a_rare_model_are_counted_as_degenerate(
    generator: np.random.Generator,
) -> None:
    """One win and one loss: many rounds draw only one of them, and say that there is no bound."""
    share = np.array([0.5, 0.5])
    often = draw_battles(np.zeros(2), 400, generator, share=share)
    battles = Battles(
        np.append(often.first, [2, 0]),
        np.append(often.second, [0, 2]),
        np.append(often.score, [1.0, 1.0]),
        np.append(often.weight, [1.0, 1.0]),
        3,
    )
    found = fit(battles, ties=TieModel.DAVIDSON)

    draws = bootstrap_jointly(battles, found, rounds=200, seed=0)

    missing = 1 - draws.identified[:, 2].mean()
    assert missing == pytest.approx(1 - (1 - np.exp(-1)) ** 2, abs=0.12)
    assert draws.identified[:, :2].all()


def test_a_round_without_a_tie_places_no_model(generator: np.random.Generator) -> None:
    """The one tie is not drawn in a third of the rounds; the tie parameter is then nothing, and said so."""
    decided = draw_battles(np.zeros(2), 400, generator, tie=0.0, share=np.array([0.5, 0.5]))
    battles = Battles(
        np.append(decided.first, 0),
        np.append(decided.second, 1),
        np.append(decided.score, 0.5),
        np.append(decided.weight, 1.0),
        2,
    )
    found = fit(battles, ties=TieModel.DAVIDSON)

    draws = bootstrap_jointly(battles, found, rounds=200, seed=0)

    assert draws.absent.all(1).mean() == pytest.approx(np.exp(-1), abs=0.12)
