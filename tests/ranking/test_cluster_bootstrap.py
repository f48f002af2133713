"""Resamples of voters: all votes of one come up together, and a voter of one vote is just a vote."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from ranking import POINTS_PER_LOGIT, Battles, bootstrap, clustered, fit, sandwich
from ranking.cluster_resampling import cluster_resampler
from ranking.resampling import LARGEST_TABLE
from tests.ranking.arena_of_voters import Votes, voter_arena


@pytest.fixture
def votes(generator: np.random.Generator) -> Votes:
    """4000 votes of people who differ, some of one vote and some of many."""
    return replace(voter_arena(6, even=True), taste=1.0, voters_per_vote=0.1).draw(4000, generator)


def names_of(cells: Battles) -> list[tuple[int, int, float]]:
    """The pair and the outcome of each cell."""
    return list(zip(cells.first.tolist(), cells.second.tolist(), cells.score.tolist(), strict=True))


def test_each_round_draws_whole_voters(votes: Votes) -> None:
    """A cell holds what its voters' counts add up to, single votes and the others alike."""
    battles = votes.battles

    drawing = cluster_resampler(battles, votes.voter)
    drawn = drawing.draw(np.random.SFC64(1), 20_000).astype(np.float64)

    paired = battles.paired()
    votes_in = dict(zip(names_of(paired), paired.weight, strict=True))
    weight = np.array([votes_in[name] for name in names_of(drawing.cells)])
    assert_array_equal(drawing.cells.weight, weight)
    squares = drawing.shared.power(2).sum(1).astype(np.float64)
    squares[drawing.place] += drawing.alone.cells.weight
    assert_allclose(drawn.mean(1), weight, rtol=0.05)
    assert_allclose(drawn.var(1), squares, rtol=0.05)
    assert len(drawing.place) > 0
    assert drawing.shared.shape[1] > 0


def test_two_votes_of_one_voter_come_up_together() -> None:
    """And those of two voters do not."""
    battles = Battles(
        np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([1.0, 1.0, 1.0]), np.ones(3), 3
    )

    drawing = cluster_resampler(battles, np.array([7, 7, 9]))
    drawn = drawing.draw(np.random.SFC64(0), 5000)

    one = np.flatnonzero(drawing.cells.second == 1)[0]
    other = np.flatnonzero((drawing.cells.first == 1) & (drawing.cells.second == 2))[0]
    apart = np.flatnonzero((drawing.cells.first == 0) & (drawing.cells.second == 2))[0]
    assert_array_equal(drawn[one], drawn[other])
    assert np.corrcoef(drawn[one], drawn[apart])[0, 1] == pytest.approx(0, abs=0.05)


def test_voters_of_one_vote_are_the_plain_bootstrap(votes: Votes) -> None:
    """The same draws, so that an arena without repeated voters has one interval and not two."""
    battles = votes.battles
    found = fit(battles)

    plain = bootstrap(battles, found, rounds=40, seed=3)
    alone = bootstrap(battles, found, rounds=40, seed=3, clusters=np.arange(len(votes)))

    assert_allclose(alone.strength, plain.strength, rtol=0, atol=1e-6 / POINTS_PER_LOGIT)


def test_the_spread_is_that_of_the_clusters(votes: Votes) -> None:
    """Resamples of voters and the cluster covariance estimate one variance; that of votes is smaller."""
    battles = votes.battles
    found = fit(battles)

    draws = bootstrap(battles, found, rounds=2000, seed=0, clusters=votes.voter)

    by_clusters = np.sqrt(clustered(battles, found, [votes.voter]).covariance.diagonal())
    by_votes = np.sqrt(sandwich(battles, found).diagonal())
    assert_allclose(draws.strength.std(0), by_clusters, rtol=0.12)
    assert draws.strength.std(0).mean() > 1.15 * by_votes.mean()


def test_threads_and_order_change_no_byte(votes: Votes, generator: np.random.Generator) -> None:
    """A replay must find the same interval, whatever order the rows come in."""
    battles, found = votes.battles, fit(votes.battles)
    order = generator.permutation(len(votes))
    shuffled = Battles(
        battles.first[order],
        battles.second[order],
        battles.score[order],
        battles.weight[order],
        battles.n_models,
    )

    alone = bootstrap(battles, found, rounds=70, seed=7, clusters=votes.voter)
    shared = bootstrap(shuffled, found, rounds=70, seed=7, clusters=votes.voter[order], threads=3)

    assert_array_equal(alone.strength, shared.strength)


def test_a_large_cell_of_one_voter_may_come_up_empty() -> None:
    """A hundred votes of one person leave with that person: a round in e has no bound for the model."""
    many = float(2 * LARGEST_TABLE)
    battles = Battles(
        np.array([0, 0, 0, 0]),
        np.array([1, 1, 2, 2]),
        np.array([1.0, 0.0, 1.0, 0.0]),
        np.array([many, many, many, many]),
        3,
    )

    clusters = np.array([0, 1, 2, 3])
    draws = bootstrap(battles, fit(battles), rounds=3000, seed=0, clusters=clusters)

    both = (1 - np.exp(-1)) ** 2
    assert draws.degenerate / 3000 == pytest.approx(1 - both**2, abs=0.03)


def test_clusters_of_another_length_are_refused(votes: Votes) -> None:
    """They would be clusters of other votes."""
    with pytest.raises(ValueError, match="one for each of 4000 battles"):
        bootstrap(votes.battles, fit(votes.battles), rounds=1, seed=0, clusters=votes.voter[1:])
