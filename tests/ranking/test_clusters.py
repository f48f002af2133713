"""Covariances for votes that come in clusters: by twin, by law, and where one cluster decides alone."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from ranking import Battles, Fit, fit, sandwich, wald_interval
from ranking.battles import Floats
from ranking.bradley_terry import inverse_curvature
from ranking.clustering.sums import NEGLIGIBLE, NO_FACTOR, ONE_TERM
from ranking.clusters import clustered, two_way
from ranking.covariates import Covariates
from ranking.joint import gradients
from ranking.ties import TieModel
from tests.ranking.arena_of_voters import Votes, voter_arena

Numbers = NDArray[np.integer]


@pytest.fixture
def votes(generator: np.random.Generator) -> Votes:
    """3000 votes of 150 people, of whom one casts hundreds and many cast one."""
    return replace(voter_arena(8), taste=0.8).draw(3000, generator)


def curvature_of(battles: Battles, found: Fit, rows: Numbers) -> Floats:
    """The share of the curvature of some rows, (m, m)."""
    sides = np.zeros((len(rows), battles.n_models))
    sides[np.arange(len(rows)), battles.first[rows]] = 1
    sides[np.arange(len(rows)), battles.second[rows]] = -1
    information = battles.weight * gradients(battles, found).curvature
    share: Floats = sides.T @ (sides * information[rows, None])
    return share


def gradient_of(battles: Battles, found: Fit, rows: Numbers) -> Floats:
    """The gradient of some rows in the strengths, (m,)."""
    pull = (battles.weight * gradients(battles, found).difference)[rows]
    gradient = np.zeros(battles.n_models)
    np.add.at(gradient, battles.first[rows], pull)
    np.add.at(gradient, battles.second[rows], -pull)
    return gradient


def root_factor(matrix: Floats) -> Floats:
    """(I - X)^{-1/2} of a matrix that need not be symmetric, by its eigenvectors."""
    values, vectors = np.linalg.eig(matrix)
    factor: Floats = np.real((vectors * (1 - values + 0j) ** -0.5) @ np.linalg.inv(vectors))
    return factor


def twin(battles: Battles, found: Fit, cluster: Numbers) -> tuple[Floats, Floats]:
    """Covariance and degrees of freedom of the strengths, cluster by cluster with whole matrices."""
    m = battles.n_models
    inverse = inverse_curvature(found.curvature)
    scatter, brought = np.zeros((m, m)), []
    for label in np.unique(cluster):
        rows = np.flatnonzero(cluster == label)
        share = curvature_of(battles, found, rows)
        pull = root_factor(share @ inverse) @ gradient_of(battles, found, rows)
        scatter += np.outer(pull, pull)
        brought.append((inverse @ share @ inverse).diagonal())
    shares = np.array(brought)
    return inverse @ scatter @ inverse, shares.sum(0) ** 2 / (shares**2).sum(0)


def test_each_cluster_has_its_factor(votes: Votes) -> None:
    """Beside whole matrices, cluster by cluster; a factor may be off by no more than is called negligible."""
    battles, found = votes.battles, fit(votes.battles)

    covariance, degrees = twin(battles, found, votes.voter)

    ours = clustered(battles, found, [votes.voter])
    deviation = np.sqrt(covariance.diagonal())
    assert_allclose(np.sqrt(ours.covariance.diagonal()), deviation, rtol=NEGLIGIBLE)
    assert_allclose(
        ours.covariance,
        covariance,
        rtol=0,
        atol=2 * NEGLIGIBLE * np.outer(deviation, deviation).max(),
    )
    assert_allclose(ours.degrees.diagonal(), degrees, rtol=0.1)


def test_clusters_of_much_leverage_are_exact(votes: Votes) -> None:
    """With five clusters every one has much: no series, nothing in proportion."""
    battles, found, cluster = votes.battles, fit(votes.battles), votes.voter % 5

    covariance, degrees = twin(battles, found, cluster)

    ours = clustered(battles, found, [cluster])
    assert_allclose(ours.covariance, covariance, rtol=0, atol=1e-9 * covariance.max())
    assert_allclose(ours.degrees.diagonal(), degrees, rtol=1e-9)


def test_degrees_of_a_difference_are_those_of_the_contrast(votes: Votes) -> None:
    """Not those of its two models: what a cluster brings to a difference has a cross term."""
    battles, found, cluster = votes.battles, fit(votes.battles), votes.voter % 5
    inverse = inverse_curvature(found.curvature)
    contrast = inverse[2] - inverse[5]

    brought = np.array(
        [
            contrast @ curvature_of(battles, found, np.flatnonzero(cluster == label)) @ contrast
            for label in range(5)
        ]
    )

    ours = clustered(battles, found, [cluster]).contrast(2, 5)
    assert ours.degrees == pytest.approx(brought.sum() ** 2 / (brought**2).sum(), rel=1e-9)


def test_every_kind_of_work_gives_the_same(votes: Votes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs of rows, dense rows and single clusters are three ways to one sum."""
    battles, found = votes.battles, fit(votes.battles)
    plain = clustered(battles, found, [votes.voter])

    monkeypatch.setattr("ranking.clustering.little_leverage.FEW_PLACES", 0)
    dense = clustered(battles, found, [votes.voter])
    monkeypatch.setattr("ranking.clusters.NO_FACTOR", 0.0)
    monkeypatch.setattr("ranking.clusters.ONE_TERM", 0.0)
    exact = clustered(battles, found, [votes.voter])

    deviation = np.sqrt(np.outer(plain.covariance.diagonal(), plain.covariance.diagonal()))
    assert_allclose(dense.covariance / deviation, plain.covariance / deviation, atol=1e-12)
    assert_allclose(exact.covariance / deviation, plain.covariance / deviation, atol=2 * NEGLIGIBLE)
    assert_allclose(exact.degrees, plain.degrees, rtol=0.1)


def test_bounds_are_where_the_remainder_is_negligible() -> None:
    """The factor itself, at the largest leverage for which it is left out or cut short."""
    without = (1 - NO_FACTOR) ** -0.5 - 1
    with_one = (1 - ONE_TERM) ** -0.5 - 1 - ONE_TERM / 2

    assert 0.9 * NEGLIGIBLE < without <= NEGLIGIBLE
    assert 0.8 * NEGLIGIBLE < with_one <= NEGLIGIBLE


def test_votes_alone_are_the_sandwich(generator: np.random.Generator) -> None:
    """A voter for every vote is no clustering."""
    battles = voter_arena(5, even=True).draw(20_000, generator).battles
    found = fit(battles)

    ours = clustered(battles, found, [np.arange(len(battles))])

    expected = sandwich(battles, found)
    assert_allclose(ours.covariance, expected, rtol=0, atol=0.01 * expected.max())
    assert (ours.degrees > 1000).all()


def test_order_names_and_seats_change_nothing(votes: Votes, generator: np.random.Generator) -> None:
    """Which row comes first, how a voter is numbered and who was shown first are no facts of a voter."""
    order = generator.permutation(len(votes))
    battles = votes.battles
    shuffled = Battles(
        battles.first[order],
        battles.second[order],
        battles.score[order],
        battles.weight[order],
        battles.n_models,
    ).mirrored()
    renamed = generator.permutation(votes.voter.max() + 1)[votes.voter][order]

    ours = clustered(battles, fit(battles), [votes.voter])
    theirs = clustered(shuffled, fit(shuffled), [renamed])

    assert_allclose(theirs.covariance, ours.covariance, rtol=0, atol=1e-10)
    assert_allclose(theirs.degrees, ours.degrees, rtol=1e-6)


def test_a_row_of_several_votes_is_those_votes(votes: Votes) -> None:
    """Counts of one voter's votes are as good as the votes."""
    battles = votes.battles
    keys = np.column_stack([votes.voter, battles.first, battles.second, 2 * battles.score])
    rows, count = np.unique(keys, axis=0, return_counts=True)
    voter, first, second, doubled = rows.T.astype(np.int64)
    counted = Battles(first, second, doubled / 2, count.astype(np.float64), battles.n_models)

    ours = clustered(battles, fit(battles), [votes.voter])
    theirs = clustered(counted, fit(counted), [voter])

    assert_allclose(theirs.covariance, ours.covariance, rtol=0, atol=1e-9)
    assert_allclose(theirs.degrees, ours.degrees, rtol=1e-6)


def test_one_way_twice_is_that_way(votes: Votes) -> None:
    """V + V - V."""
    battles, found = votes.battles, fit(votes.battles)

    once = clustered(battles, found, [votes.voter])
    twice = clustered(battles, found, [votes.voter, votes.voter])

    assert_allclose(twice.covariance, once.covariance, rtol=0, atol=1e-12)
    assert twice.n_clusters == once.n_clusters * 2
    assert not twice.is_repaired


def test_two_ways_add_less_what_they_share(votes: Votes) -> None:
    """Votes that share voter and prompt would be counted twice."""
    battles, found = votes.battles, fit(votes.battles)
    both = votes.voter.astype(np.int64) * 10_000 + votes.prompt

    ours = clustered(battles, found, [votes.voter, votes.prompt])

    voters, prompts, shared = (
        clustered(battles, found, [way]) for way in (votes.voter, votes.prompt, both)
    )
    expected = voters.covariance + prompts.covariance - shared.covariance
    assert_allclose(ours.covariance, expected, rtol=0, atol=1e-12)
    assert_array_equal(ours.degrees, np.minimum(voters.degrees, prompts.degrees))
    assert ours.n_clusters == voters.n_clusters + prompts.n_clusters


def test_a_negative_combination_gets_its_variance_of_both() -> None:
    """Along (1, -1) two ways give 0.5 + 0.5 - 2: it is set to 2; along (1, 1) nothing changes."""
    axes = np.array([[1.0, 1.0], [1.0, -1.0]]) / np.sqrt(2)
    one = axes @ np.diag([4.0, 0.5]) @ axes.T
    both = axes @ np.diag([1.0, 2.0]) @ axes.T

    covariance, is_repaired = two_way(one, one, both)

    assert is_repaired
    assert_allclose(covariance, axes @ np.diag([7.0, 2.0]) @ axes.T)


def test_a_repaired_covariance_has_no_negative_variance(votes: Votes) -> None:
    """Whatever is asked of it: prompts that go against their voters bring two ways below zero."""
    battles, found = votes.battles, fit(votes.battles)
    voter, prompt = votes.voter % 3, np.arange(len(votes)) % 3

    ours = clustered(battles, found, [voter, prompt])

    assert ours.is_repaired
    assert np.linalg.eigvalsh(ours.covariance)[0] > -1e-12
    assert_allclose(ours.covariance.sum(0), 0, atol=1e-12)


def test_what_one_cluster_alone_decides_is_not_called_certain(votes: Votes) -> None:
    """Only voter 0 knows the last model: its gradient is zero whatever it voted, and its interval is wide."""
    battles = votes.battles
    last = battles.n_models - 1
    of_last = (battles.first == last) | (battles.second == last)
    voter = np.where(of_last, 0, votes.voter + 1)

    found = fit(battles)
    ours = clustered(battles, found, [voter])

    lower, upper = ours.interval(0.95)
    plain_lower, plain_upper = wald_interval(found.strength, sandwich(battles, found), level=0.95)
    assert ours.sole == 1
    assert ours.degrees[last, last] < 1.5
    assert upper[last] - lower[last] > 5 * (plain_upper[last] - plain_lower[last])


def test_further_parameters_have_their_covariance(votes: Votes) -> None:
    """Seat, tie parameter and columns: at the level of single votes it is their sandwich."""
    battles = votes.battles
    columns = Covariates(("length",), np.linspace(-1, 1, len(battles))[:, None] ** 3)
    found = fit(battles, ties=TieModel.DAVIDSON, position=True, covariates=columns)

    ours = clustered(battles, found, [np.arange(len(battles))], covariates=columns)

    expected = sandwich(battles, found, columns)
    assert ours.covariance.shape == (11, 11)
    deviation = np.sqrt(np.outer(expected.diagonal(), expected.diagonal()))
    assert_allclose(ours.covariance / deviation, expected / deviation, atol=2 * NEGLIGIBLE)


@pytest.mark.parametrize(
    ("clusters", "complaint"),
    [
        ([], "found 0 ways"),
        ([np.zeros(3000, np.int64)], "at least two"),
        ([np.arange(2999)], "one for each of 3000 battles"),
        ([np.arange(3000) - 1], "numbered -1 to 2998"),
        ([np.arange(3000.0)], "expected integers"),
    ],
)
def test_clusters_that_make_no_sense_are_refused(
    votes: Votes, clusters: list[Numbers], complaint: str
) -> None:
    """By what was found and what was expected."""
    with pytest.raises(ValueError, match=complaint):
        clustered(votes.battles, fit(votes.battles), clusters)


def test_numbers_of_voters_may_be_large(votes: Votes) -> None:
    """Ids of a database need no renumbering."""
    battles, found = votes.battles, fit(votes.battles)

    ours = clustered(battles, found, [votes.voter.astype(np.int64) * 10**12])

    plain = clustered(battles, found, [votes.voter])
    assert_array_equal(ours.covariance, plain.covariance)
