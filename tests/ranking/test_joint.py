"""Tie models, the seat and covariates: laws, a twin, a published table, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime, minimize

from ranking import (
    Battles,
    Covariates,
    Fit,
    NotIdentifiedError,
    TieModel,
    fit,
    gradients,
    sandwich,
)
from ranking.battles import Floats
from ranking.bradley_terry import inverse_curvature
from ranking.ties import log_chances, outcome_chances
from tests.ranking.davidson import draw_rows, expected_battles
from tests.ranking.test_published import TEAMS, baseball, battles_of

WITH_TIES = (TieModel.DAVIDSON, TieModel.RAO_KUPPER)
# Turner and Firth (2012), "Bradley-Terry models in R", J. Stat. Software 48(9): the baseball model with home
# advantage.
HOME_ADVANTAGE, HOME_ERROR = 0.3023, 0.1309


def lengths_of(battles: Battles, generator: np.random.Generator) -> Covariates:
    return Covariates(("length", "lists"), generator.normal(size=(len(battles), 2)))


@pytest.fixture
def rows(generator: np.random.Generator) -> Battles:
    """600 battles, one row each, of five models."""
    return draw_rows(np.linspace(-1, 1, 5), 600, generator, share=np.full(5, 0.2))


def twin(battles: Battles, ties: TieModel, covariates: Covariates) -> Floats:
    """Return strengths, position, covariates and tie parameter by a general search on the log-likelihood."""
    m, columns = battles.n_models, np.column_stack([np.ones(len(battles)), covariates.values])

    def loss(parameters: Floats) -> float:
        strength, extra, tie = parameters[:m], parameters[m:-1], parameters[-1]
        difference = strength[battles.first] - strength[battles.second] + columns @ extra
        likelihood = battles.weight @ log_chances(ties, difference, battles.score, tie)
        return float(strength.sum() ** 2 - likelihood)

    found = minimize(loss, np.append(np.zeros(m + 3), 0.5), method="BFGS", options={"gtol": 1e-4})
    return np.asarray(found.x)


@pytest.mark.parametrize("ties", WITH_TIES)
def test_a_general_search_finds_the_same(
    ties: TieModel, rows: Battles, generator: np.random.Generator
) -> None:
    """Newton's method with our derivatives ends where a search without them ends."""
    covariates = lengths_of(rows, generator)

    found = fit(rows, ties=ties, position=True, covariates=covariates)

    assert found.extra_names == ("position", "length", "lists", "tie")
    assert_allclose(
        np.concatenate([found.strength, found.extra]), twin(rows, ties, covariates), atol=1e-4
    )


@pytest.mark.parametrize("ties", TieModel)
def test_the_row_gradients_are_the_slopes_of_the_likelihood(
    ties: TieModel, rows: Battles, generator: np.random.Generator
) -> None:
    """Sandwich and clusters rest on the gradient of single votes."""
    covariates = lengths_of(rows, generator)
    found = fit(rows, ties=ties, position=True, covariates=covariates)
    row = 7

    def value(parameters: Floats) -> float:
        tie = parameters[-1] if ties is not TieModel.HALF else 0.0
        columns = np.array([1.0, *covariates.values[row]])
        difference = parameters[0] + columns @ parameters[1:4]
        return float(log_chances(ties, np.array([difference]), rows.score[row : row + 1], tie)[0])

    between = found.strength[rows.first[row]] - found.strength[rows.second[row]]
    slopes = approx_fprime(np.array([between, *found.extra]), value, 1e-7)

    ours = gradients(rows, found, covariates)
    assert_allclose([ours.difference[row], *ours.extra[row]], slopes, atol=1e-5)


@pytest.mark.parametrize("ties", TieModel)
def test_exchanging_the_seats_turns_the_columns_and_moves_no_rating(
    ties: TieModel, rows: Battles, generator: np.random.Generator
) -> None:
    """Which answer was shown first is a sign in the data, never a preference of ours."""
    covariates = lengths_of(rows, generator)
    turned = Covariates(covariates.names, -covariates.values)

    found = fit(rows, ties=ties, position=True, covariates=covariates)
    mirrored = fit(rows.mirrored(), ties=ties, position=True, covariates=turned)

    assert_allclose(mirrored.strength, found.strength, atol=1e-10)
    assert_allclose(mirrored.extra[0], -found.extra[0], atol=1e-10)
    assert_allclose(mirrored.extra[1:], found.extra[1:], atol=1e-10)


@pytest.mark.parametrize("ties", TieModel)
def test_merged_rows_fit_and_vary_as_single_ones(ties: TieModel, rows: Battles) -> None:
    """Counts hold all that a fit without covariates reads."""
    single, merged = (fit(each, ties=ties, position=True) for each in (rows, rows.merged()))

    assert_allclose(merged.strength, single.strength, atol=1e-10)
    assert_allclose(sandwich(rows.merged(), merged), sandwich(rows, single), atol=1e-10)


@pytest.mark.parametrize("ties", TieModel)
def test_the_three_outcomes_exhaust_the_chances(ties: TieModel) -> None:
    """And the logarithms agree with them, where a tie is an outcome at all."""
    difference = np.linspace(-6, 6, 25)
    chances = outcome_chances(ties, difference, 0.7)

    assert_allclose(sum(chances), 1.0, atol=1e-12)
    if ties is not TieModel.HALF:
        for score, chance in zip((1.0, 0.5, 0.0), chances, strict=True):
            ours = log_chances(ties, difference, np.full(25, score), 0.7)
            assert_allclose(np.exp(ours), chance, atol=1e-12)


def test_davidson_recovers_what_half_ties_shrink() -> None:
    """A third of ties shrinks half-tie differences to 2 / (2 + v); Davidson's model gets truth and v back."""
    truth = np.linspace(-1.2, 1.2, 6)
    battles = expected_battles(truth, 1e6, tie=1.0, share=np.full(6, 1 / 6))

    davidson, half = fit(battles, ties=TieModel.DAVIDSON), fit(battles)

    assert_allclose(davidson.strength, truth, atol=1e-9)
    assert_allclose(np.exp(davidson.extra), [1.0], atol=1e-9)
    assert np.polyfit(truth, half.strength, 1)[0] == pytest.approx(2 / 3, abs=0.03)


def test_home_advantage_comes_out_as_published() -> None:
    """Seven baseball teams at home and away: estimate and standard error to the printed digits."""
    battles = battles_of(baseball(), len(TEAMS))

    found = fit(battles, position=True)

    covariance = inverse_curvature(found.curvature, battles.n_models)
    place = found.place("position")
    assert found.extra[0] == pytest.approx(HOME_ADVANTAGE, abs=5e-5)
    assert np.sqrt(covariance[place, place]) == pytest.approx(HOME_ERROR, abs=1.5e-4)


def test_the_sandwich_of_a_right_model_is_its_inverse_curvature() -> None:
    """On the battles that Davidson's model expects, scatter and curvature are one matrix."""
    battles = expected_battles(np.linspace(-1, 1, 5), 1e4, tie=0.8, share=np.full(5, 0.2))

    found = fit(battles, ties=TieModel.DAVIDSON, position=True)

    assert_allclose(
        sandwich(battles, found), inverse_curvature(found.curvature, 5), rtol=1e-9, atol=1e-12
    )


def refusal(battles: Battles, **options: object) -> NotIdentifiedError:
    with pytest.raises(NotIdentifiedError) as raised:
        fit(battles, **options)  # type: ignore[arg-type]
    return raised.value


def test_a_seat_that_goes_with_the_model_is_refused() -> None:
    """Where one model is always first, its strength and the seat are one number."""
    battles = Battles(
        np.array([0, 0, 1, 1]), np.array([1, 1, 2, 2]), np.array([1, 0, 1, 0]), np.ones(4), 3
    )

    error = refusal(battles, position=True)

    assert error.names == ("position",)
    assert "both orders" in str(error)


def test_a_seat_that_wins_always_is_refused() -> None:
    """No finite seat effect is large enough."""
    battles = Battles(np.array([0, 1]), np.array([1, 0]), np.array([1, 1]), np.full(2, 50.0), 2)

    assert "outright" in str(refusal(battles, position=True))


@pytest.mark.parametrize("score", [[1, 0], [0.5, 0.5]])
def test_a_tie_parameter_needs_ties_and_decided_battles(score: list[float]) -> None:
    """It would be nothing or infinite."""
    battles = Battles(np.array([0, 1]), np.array([1, 0]), np.array(score), np.full(2, 5.0), 2)
    everyone_beaten = Battles(
        np.array([0, 0]), np.array([1, 1]), np.array(score), np.full(2, 5.0), 2
    )
    battles = everyone_beaten if score == [1, 0] else battles

    assert refusal(battles, ties=TieModel.DAVIDSON).names == ("tie",)


def test_a_column_that_never_varies_is_refused_by_name(rows: Battles) -> None:
    """A feature of answers that nobody uses has no coefficient."""
    covariates = Covariates(("bold",), np.zeros((len(rows), 1)))

    assert refusal(rows, covariates=covariates).names == ("bold",)


@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_a_covariate_that_is_not_finite_is_refused(broken: float) -> None:
    """By its name and its battle."""
    with pytest.raises(ValueError, match=r"'length' is .* in battle 1"):
        Covariates(("length",), np.array([[0.0], [broken]]))


def test_covariates_of_other_rows_are_refused(rows: Battles) -> None:
    """A shorter table would be matched to the wrong battles."""
    with pytest.raises(ValueError, match="over 3 rows and the battles are"):
        fit(rows, covariates=Covariates(("length",), np.ones((3, 1))))


def covers(found: Fit, covariance: Floats, truth: Floats) -> np.ndarray:
    reach = 1.96 * np.sqrt(covariance.diagonal())
    return np.abs(np.concatenate([found.strength, found.extra]) - truth) <= reach


def test_intervals_of_all_parameters_cover_their_truth() -> None:
    """Strengths, seat, length and tie parameter of 60 small arenas: about 95 % lie inside."""
    strength, extra, hits = np.linspace(-1, 1, 4), np.array([0.3, 0.5, 0.0]), []
    for seed in range(60):
        generator = np.random.default_rng(seed)
        first, second = generator.permuted(np.tile(np.arange(4), (800, 1)), axis=1)[:, :2].T
        length = generator.normal(size=800)
        difference = strength[first] - strength[second] + extra[0] + extra[1] * length
        wins, ties, _ = outcome_chances(TieModel.DAVIDSON, difference, extra[2])
        level = generator.random(800)
        score = np.where(level < wins, 1.0, np.where(level < wins + ties, 0.5, 0.0))
        battles = Battles(first, second, score, np.ones(800), 4)
        covariates = Covariates(("length",), length[:, None])
        found = fit(battles, ties=TieModel.DAVIDSON, position=True, covariates=covariates)
        hits.append(covers(found, sandwich(battles, found, covariates), np.r_[strength, extra]))

    assert 0.91 <= np.mean(hits) <= 0.985
    assert np.mean(hits, axis=0).min() >= 0.85
