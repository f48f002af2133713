"""Models that changed behind their name are found, and their opponents are left alone."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2

from ranking import Battles, NotConnectedError, fit
from ranking.drift import constancy, course, holm
from tests.ranking.drifting import draw_periods

STRENGTH = np.linspace(-1.0, 1.0, 10)


def test_a_silent_change_is_found_and_not_charged_to_opponents(
    generator: np.random.Generator,
) -> None:
    """Model 3 gains 0.8 logits at half time; the nine others met it and did not change."""
    battles, period = draw_periods(STRENGTH, 20_000, generator, periods=4, changed=3, jump=0.8)

    found = constancy(battles, period)

    assert found.drifted.tolist() == [3]
    assert found.is_complete
    assert found.adjusted[3] < 1e-6
    assert np.delete(found.adjusted, 3).min() > 0.05


def test_two_changes_are_found_the_greater_first(generator: np.random.Generator) -> None:
    """After the first is set aside, the second is looked for again."""
    battles, period = draw_periods(STRENGTH, 20_000, generator, periods=4, changed=3, jump=1.2)
    others, later = draw_periods(STRENGTH, 20_000, generator, periods=4, changed=8, jump=-0.7)
    both = Battles(
        np.r_[battles.first, others.first],
        np.r_[battles.second, others.second],
        np.r_[battles.score, others.score],
        np.r_[battles.weight, others.weight],
        10,
    )

    found = constancy(both, np.r_[period, later])

    assert found.drifted.tolist() == [3, 8]


def test_its_level_is_what_it_says(generator: np.random.Generator) -> None:
    """A small twin of the long simulation: of 60 boards without a change at most 8 name any model."""
    named = 0
    for _ in range(60):
        battles, period = draw_periods(STRENGTH[:8], 3000, generator, periods=3)
        named += bool(len(constancy(battles, period).drifted))

    assert named <= 8


def test_two_models_are_a_table_of_counts(generator: np.random.Generator) -> None:
    """For one pair the score test is the comparison of two shares, each with the spread about the pooled one."""
    wins, losses = np.array([60.0, 45.0]), np.array([40.0, 55.0])
    battles = Battles(
        np.zeros(4, np.int32),
        np.ones(4, np.int32),
        np.array([1.0, 1.0, 0.0, 0.0]),
        np.r_[wins, losses],
        2,
    )

    found = constancy(battles, np.array([0, 1, 0, 1]))

    pooled = wins.sum() / 200
    gain = wins / 100 - pooled
    spread = (wins * (1 - pooled) ** 2 + losses * pooled**2) / 100**2
    expected = (gain[1] - gain[0]) ** 2 / spread.sum()
    assert_allclose(found.statistic, expected)
    assert found.degrees.tolist() == [1, 1]
    assert_allclose(found.p_value, chi2.sf(expected, 1))


def test_what_the_periods_are_called_does_not_matter(generator: np.random.Generator) -> None:
    """Nor the seats, nor merging rows: counts by period are all that it reads."""
    battles, period = draw_periods(STRENGTH, 5000, generator, periods=4, changed=3, jump=0.6)
    expected = constancy(battles, period)

    for same, named in ((battles, 3 - period), (battles.mirrored(), period)):
        found = constancy(same, named)

        assert_allclose(found.p_value, expected.p_value, rtol=1e-6)
        assert found.drifted.tolist() == expected.drifted.tolist()


def test_a_model_of_one_period_is_not_tested(generator: np.random.Generator) -> None:
    """There is nothing to compare, and it is said by 0 degrees of freedom."""
    battles, period = draw_periods(STRENGTH, 5000, generator, periods=3)
    kept = ((battles.first != 4) & (battles.second != 4)) | (period == 2)
    rest = Battles(
        battles.first[kept], battles.second[kept], battles.score[kept], battles.weight[kept], 10
    )

    found = constancy(rest, period[kept])

    assert found.degrees.tolist() == [2] * 4 + [0] + [2] * 5
    assert found.p_value[4] == 1


def test_a_rest_that_falls_apart_is_not_tested_again(generator: np.random.Generator) -> None:
    """Without the hub that changed, two groups are left that never met."""
    battles, period = draw_periods(STRENGTH[:7], 30_000, generator, periods=2, changed=3, jump=1.5)
    apart = ((battles.first < 3) & (battles.second > 3)) | (
        (battles.second < 3) & (battles.first > 3)
    )
    rest = Battles(
        battles.first[~apart],
        battles.second[~apart],
        battles.score[~apart],
        battles.weight[~apart],
        7,
    )

    found = constancy(rest, period[~apart])

    assert found.drifted.tolist() == [3]
    assert not found.is_complete


def test_a_course_shows_the_change(generator: np.random.Generator) -> None:
    """Strengths within three standard errors of what a fit of each half's endless votes would show."""
    battles, period = draw_periods(STRENGTH, 40_000, generator, periods=4, changed=3, jump=0.8)

    found = course(battles, period, 3)

    change = found.strength[2:].mean() - found.strength[:2].mean()
    assert change == pytest.approx(0.8 * 2 / 3, abs=0.1)  # half ties shrink the scale by a third
    assert np.ptp(found.strength[:2]) < 3 * np.hypot(*found.error[:2])
    assert found.votes.sum() == ((battles.first == 3) | (battles.second == 3)).sum()
    assert not found.absent.any()


def test_a_course_of_one_period_is_the_fit(generator: np.random.Generator) -> None:
    """Nothing is split: the strength over the mean of the others, from the one fit there is."""
    battles, period = draw_periods(STRENGTH, 5000, generator, periods=1)

    found = course(battles, period, 3)

    strength = fit(battles).strength
    assert_allclose(found.strength, strength[3] - np.delete(strength, 3).mean())


def test_a_period_won_outright_is_absent(generator: np.random.Generator) -> None:
    """No strength is high enough for it; the other periods keep theirs."""
    battles, period = draw_periods(STRENGTH, 5000, generator, periods=3)
    own = (battles.first == 3) | (battles.second == 3)
    won = np.where(battles.first == 3, 1.0, 0.0)
    swept = Battles(
        battles.first,
        battles.second,
        np.where(own & (period == 1), won, battles.score),
        battles.weight,
        10,
    )

    found = course(swept, period, 3)

    assert found.absent.tolist() == [False, True, False]
    assert found.votes[1] > 0
    assert (found.error > 0).tolist() == [True, False, True]


def test_holm_steps_down_as_in_the_textbook() -> None:
    """Four p-values, each against the number of those that are left."""
    assert_allclose(holm(np.array([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02])


def test_what_makes_no_sense_is_refused(generator: np.random.Generator) -> None:
    """A row without a period, a period below zero, and models that never meet."""
    battles, period = draw_periods(STRENGTH, 500, generator, periods=2)
    islands = Battles(
        np.array([0, 0, 2, 2]), np.array([1, 1, 3, 3]), np.array([1.0, 0.0] * 2), np.ones(4), 4
    )

    with pytest.raises(ValueError, match="one for each row"):
        constancy(battles, period[1:])
    with pytest.raises(ValueError, match="expected 0 and up"):
        constancy(battles, period - 1)
    with pytest.raises(NotConnectedError):
        constancy(islands, np.zeros(4, np.int64))
