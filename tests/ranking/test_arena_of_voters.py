"""The made-up arena itself: simulations stand on it, so its own claims are tried first."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking.battles import Flags, Ints, tally
from tests.ranking.arena_of_voters import VoterArena, voter_arena, votes_of


@pytest.fixture
def arena() -> VoterArena:
    return replace(voter_arena(4, even=True), taste=0.8, slant=0.5, seat=0.3)


def is_earliest(clusters: Ints) -> Flags:
    """Whether a vote is the first of its cluster: such votes are independent."""
    earliest = np.zeros(len(clusters), np.bool_)
    earliest[np.unique(clusters, return_index=True)[1]] = True
    return earliest


def test_a_draw_has_the_expected_counts(arena: VoterArena, generator: np.random.Generator) -> None:
    """What simulations call the truth is the average of what they draw, tastes and seats included."""
    votes = replace(arena, voters_per_vote=1.0, prompts_per_vote=1.0).draw(400_000, generator)
    votes = votes.kept(is_earliest(votes.voter) & is_earliest(votes.prompt))

    expected = arena.expected(len(votes)).merged()
    drawn = votes.battles.merged()

    spread = np.sqrt(expected.weight)
    assert (np.abs(drawn.weight - expected.weight) < 5 * spread).all()


def test_votes_of_one_voter_lean_one_way(arena: VoterArena, generator: np.random.Generator) -> None:
    """Without this no clustering would be needed, and no test of it could fail."""
    votes = arena.draw(200_000, generator)
    battles = votes.battles
    style = arena.style[battles.first] - arena.style[battles.second]

    leaning = tally(votes.voter, style * (battles.score - 0.5), len(votes.taste))

    counts = votes_of(votes.voter)
    busy = np.flatnonzero(counts > 200)
    assert np.corrcoef(leaning[busy] / counts[busy], votes.taste[busy])[0, 1] > 0.9


def test_a_few_voters_cast_most_votes(arena: VoterArena, generator: np.random.Generator) -> None:
    """As in real arenas: a tenth of the voters casts more than half of the votes."""
    counts = np.sort(votes_of(arena.draw(50_000, generator).voter))[::-1]

    assert counts[: len(counts) // 10].sum() > 0.5 * counts.sum()


def test_rare_models_have_their_share() -> None:
    """Shares still sum to one, and the others keep their proportions."""
    plain = voter_arena(5)

    rare = plain.with_rare(np.array([1, 4], np.int32), 0.001)

    assert_allclose(rare.share.sum(), 1)
    assert_allclose(rare.share[[1, 4]], 0.001)
    assert_allclose(rare.share[0] / rare.share[2], plain.share[0] / plain.share[2])
