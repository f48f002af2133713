"""What was found wrong in other rating tools, one test a defect: each was met there, and none is to be met here."""

import multiprocessing
import os
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit

from ranking import (
    POINTS_PER_LOGIT,
    Battles,
    Covariates,
    NotConnectedError,
    TieModel,
    anchored,
    bootstrap,
    fit,
    fit_categories,
    sandwich,
    split,
    style_columns,
    wald_interval,
)
from ranking.anomalies import by_voter, examine_voters, fit_reference
from ranking.battles import Floats
from ranking.bradley_terry import inverse_curvature
from ranking.clusters import clustered
from tests.ranking.anomalies.voting import hall, together
from tests.ranking.arena_of_voters import voter_arena
from tests.ranking.davidson import draw_battles, draw_rows, expected_battles

MODELS = 8
STRENGTH = np.linspace(-1.0, 1.0, MODELS)
EVENLY = np.full(MODELS, 1 / MODELS)


def of_results(*results: tuple[int, int, float, int]) -> Battles:
    """Return battles of (first, second, score, how many)."""
    first, second, score, weight = zip(*results, strict=True)
    models = 1 + max(*first, *second)
    return Battles(np.array(first), np.array(second), np.array(score), np.array(weight), models)


def test_1_a_bootstrap_forks_no_process(battles: Battles, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool that forked under threads hung for ever; rounds run in threads of this process, and agree."""

    def refuse() -> int:
        raise AssertionError("a bootstrap forked")

    monkeypatch.setattr(os, "fork", refuse)
    found = fit(battles)

    one, two = (bootstrap(battles, found, rounds=64, seed=1, threads=n) for n in (1, 2))

    assert_array_equal(one.strength, two.strength)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("votes", [4_000, 40_000])
def test_2_a_style_that_was_planted_is_found_at_any_size(
    votes: int, generator: np.random.Generator
) -> None:
    """A penalty on the mean loss left a tenth of the truth, however many votes; and its error fitted no estimator."""
    rows = draw_rows(STRENGTH, votes, generator, share=EVENLY, tie=0.0)
    length = generator.normal(size=(len(rows), 1))
    lead = STRENGTH[rows.first] - STRENGTH[rows.second] + 0.25 * length[:, 0]
    score = (generator.random(len(rows)) < expit(lead)).astype(np.float64)
    rows = Battles(rows.first, rows.second, score, rows.weight, MODELS)
    covariates = Covariates(("length",), length)

    found = fit(rows, covariates=covariates)

    error = np.sqrt(sandwich(rows, found, covariates)[-1, -1])
    assert error == pytest.approx(2.25 / np.sqrt(len(rows)), rel=0.1)
    assert abs(found.extra[0] - 0.25) < 3.5 * error


def test_3_a_rare_model_among_millions_is_covered(generator: np.random.Generator) -> None:
    """A ridge of 1e-5 of all votes on the diagonal: its interval held the truth in 64 to 80 %.

    114 votes of one model among 1.67 million others, drawn 300 times: an error of 1.3 points.
    """
    all_pairs = expected_battles(STRENGTH, 1.0, share=EVENLY)
    first, second, score = all_pairs.first, all_pairs.second, all_pairs.score
    of_entrant = (first == 0) | (second == 0)
    mean = np.where(of_entrant, 114, 1_670_000) * all_pairs.weight
    mean /= np.where(of_entrant, mean[of_entrant].sum() / 114, 1)
    truth = fit(Battles(first, second, score, mean, MODELS)).strength
    covered = 0
    for _ in range(300):
        drawn = generator.poisson(mean).astype(np.float64)
        met = drawn > 0
        board = Battles(first[met], second[met], score[met], drawn[met], MODELS)
        found = fit(board)
        lower, upper = wald_interval(found.strength, sandwich(board, found), level=0.95)
        covered += bool(lower[0] <= truth[0] <= upper[0])

    assert covered / 300 > 0.92


@pytest.mark.parametrize(
    ("battles", "rated"),
    [
        (of_results((0, 1, 1.0, 20), (0, 2, 1.0, 20), (1, 2, 1.0, 9), (2, 1, 1.0, 9)), [1, 2]),
        (of_results((0, 1, 1.0, 9), (1, 0, 1.0, 6), (2, 3, 1.0, 9), (3, 2, 1.0, 6)), [0, 1]),
        (
            of_results(
                (0, 1, 1.0, 9), (1, 0, 1.0, 9), (2, 3, 1.0, 9), (3, 2, 1.0, 9), (0, 2, 1.0, 1)
            ),
            [0, 1],
        ),
    ],
    ids=["undefeated", "two islands", "a one-way link"],
)
def test_4_what_no_vote_compares_is_refused(battles: Battles, rated: list[int]) -> None:
    """3386 with an interval of no width; one order of two islands; three models with one score."""
    with pytest.raises(NotConnectedError):
        fit(battles)

    assert split(battles).rated.tolist() == rated


@pytest.mark.parametrize("models", [20, 129, 300])
def test_5_the_search_goes_to_the_end(models: int, generator: np.random.Generator) -> None:
    """Searches by L-BFGS ended 0.4 points away, with twelve models out of place.

    Observed and expected scores of every model are compared in extended precision.
    """
    strength = generator.normal(0, 0.6, models)
    popularity = generator.pareto(1.5, models) + 0.3
    board = draw_battles(strength, 200_000, generator, share=popularity / popularity.sum())
    place = split(board).rated
    board = board.among(place)

    found = fit(board)

    exact = found.strength.astype(np.longdouble)
    chance = 1 / (1 + np.exp(exact[board.second] - exact[board.first]))
    surprise = board.weight * (board.score - chance)
    gradient, fought = np.zeros((2, len(place)), np.longdouble)
    for side, sign in ((board.first, 1), (board.second, -1)):
        np.add.at(gradient, side, sign * surprise)
        np.add.at(fought, side, board.weight)
    assert np.abs(gradient / fought).max() < 1e-11


def test_6_a_thousand_rounds_have_the_width_of_the_formula(
    generator: np.random.Generator,
) -> None:
    """A hundred rounds, as published boards take, gave widths from 0.7 to 1.2 of it."""
    board = draw_battles(STRENGTH, 20_000, generator, share=EVENLY)
    found = fit(board)

    lower, upper = bootstrap(board, found, rounds=1000, seed=2).percentiles(0.95)

    ends = wald_interval(found.strength, sandwich(board, found), level=0.95)
    assert_allclose((upper - lower) / (ends[1] - ends[0]), 1, atol=0.12)


@pytest.mark.parametrize("tie", [0.5, 1.0, 2.0])
def test_7_half_ties_shrink_as_said_and_a_model_of_ties_does_not(tie: float) -> None:
    """With a third of ties a spread of 524 points shows as 354; near equality by 2 / (2 + v)."""
    weak = 0.1 * STRENGTH
    board = expected_battles(weak, 1e6, tie=tie, share=EVENLY)

    half, davidson = (fit(board, ties=ties).strength for ties in (TieModel.HALF, TieModel.DAVIDSON))

    assert np.ptp(half) / np.ptp(weak) == pytest.approx(2 / (2 + tie), abs=1e-3)
    assert_allclose(davidson, weak, atol=1e-7)
    robust, naive = sandwich(board, fit(board)), inverse_curvature(fit(board).curvature)
    assert robust[0, 0] / naive[0, 0] == pytest.approx(2 / (2 + tie), abs=1e-2)


def test_8_votes_of_one_voter_are_not_taken_for_independent(
    generator: np.random.Generator,
) -> None:
    """With tastes, intervals for independent votes held the truth in 83 %; those for clusters hold it in 95.

    60 boards leave an error of about a point and a half.
    """
    arena = replace(voter_arena(10), taste=0.6)
    truth = fit(arena.expected()).strength
    covered = np.zeros(2)
    for _ in range(60):
        votes = arena.draw(4000, generator)
        found = fit(votes.battles)
        independent = wald_interval(found.strength, sandwich(votes.battles, found), level=0.95)
        by_voters = clustered(votes.battles, found, [votes.voter]).interval(0.95)
        for way, (lower, upper) in enumerate((independent, by_voters)):
            covered[way] += ((lower <= truth) & (truth <= upper)).mean() / 60

    assert covered[0] < 0.91
    assert 0.92 < covered[1] < 0.98


def test_9_a_coin_that_never_ties_is_found_and_honest_voters_are_not(
    generator: np.random.Generator,
) -> None:
    """The published rule has no power against it, and suspects honest voters ever more often."""
    voters = hall(generator)
    history = voters.vote("honest", 20_000)
    own = [voters.vote(conduct, 60) for conduct in ["coin, never tie"] * 10 + ["honest"] * 40]
    board = together(history, *own)
    names = np.repeat(np.arange(50), [len(part) for part in own])

    found = examine_voters(by_voter(names, together(*own), n_voters=50), fit_reference(board))

    assert found.suspected[:10].sum() >= 9
    assert found.suspected[10:].sum() <= 1


def test_10_every_feature_and_every_category_is_used(generator: np.random.Generator) -> None:
    """A slice took one model's column for the length, and the second category overwrote the first."""
    counts = [generator.poisson([300.0, 3.0, 2.0], (500, 3)).astype(float) for _ in range(2)]
    names = ("length", "headers", "bold")
    columns = style_columns(names, *counts).covariates
    categories = [draw_battles(sign * STRENGTH, 3000, generator, share=EVENLY) for sign in (1, -1)]

    one, other = fit_categories(categories, np.zeros(MODELS))

    assert columns.names == names
    assert np.linalg.matrix_rank(columns.values) == 3
    assert one is not None
    assert other is not None
    assert np.corrcoef(one.fit.strength, other.fit.strength)[0, 1] < -0.9


def test_11_exchanging_the_seats_changes_no_style_fit(generator: np.random.Generator) -> None:
    """Features with their mean taken off are a hidden advantage of one seat."""
    rows = draw_rows(STRENGTH, 2000, generator, share=EVENLY)
    longer, shorter = (generator.poisson(mean, (len(rows), 1)).astype(float) for mean in (300, 200))

    straight, turned = (
        fit(battles, covariates=style_columns(("length",), *answers).covariates)
        for battles, answers in (
            (rows, (longer, shorter)),
            (rows.mirrored(), (shorter, longer)),
        )
    )

    assert_allclose(turned.strength, straight.strength, atol=1e-10)
    assert_allclose(turned.extra, straight.extra, atol=1e-10)


@pytest.mark.parametrize("ties", list(TieModel))
def test_12_the_order_of_votes_does_not_count(
    ties: TieModel, generator: np.random.Generator
) -> None:
    """Three shuffles moved 18 of 20 models in ratings that are updated vote by vote."""
    rows = draw_rows(STRENGTH, 3000, generator, share=EVENLY)
    order = generator.permutation(len(rows))
    seats = rows.first[order], rows.second[order]
    shuffled = Battles(*seats, rows.score[order], rows.weight, MODELS)

    assert_allclose(fit(shuffled, ties=ties).strength, fit(rows, ties=ties).strength, atol=1e-11)


def test_13_an_anchor_moves_the_scale_and_widens_nothing(battles: Battles) -> None:
    """An anchor within each round of a bootstrap made all intervals wider and the anchor's own none.

    The width of every model, the anchor's too, and of every difference is that without an anchor.
    """
    found = fit(battles)
    draws = bootstrap(battles, found, rounds=200, seed=3)
    lower, upper = draws.percentiles(0.95)

    scale = anchored(found.strength, 2, 1114.0)

    assert scale.rating(found.strength)[2] == 1114.0
    assert_allclose(scale.rating(upper) - scale.rating(lower), POINTS_PER_LOGIT * (upper - lower))
    assert (upper - lower > 0).all()
    covariance: Floats = sandwich(battles, found)
    difference = covariance[0, 0] + covariance[2, 2] - 2 * covariance[0, 2]
    assert difference == pytest.approx(
        np.var(draws.strength[:, 0] - draws.strength[:, 2]), rel=0.25
    )
