"""Votes sorted by voter keep their order in time, and what makes no sense is refused."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from ranking import Battles
from ranking.anomalies import VoterVotes, by_voter
from ranking.anomalies.votes import FIRST_WON, SECOND_WON, TIED


@pytest.fixture
def votes() -> VoterVotes:
    """Five votes of three of four voters over three models; voter 2 has none."""
    battles = Battles([0, 1, 2, 0, 1], [1, 2, 0, 2, 0], [1, 0.5, 0, 1, 0], np.ones(5), 3)
    return by_voter(np.array([3, 0, 3, 1, 0]), battles, n_voters=4)


def test_each_voters_votes_stand_in_the_order_in_which_they_were_cast(votes: VoterVotes) -> None:
    """Evidence is counted vote by vote: another order would be another history."""
    assert_array_equal(votes.voter, [0, 0, 1, 3, 3])
    assert_array_equal(votes.first, [1, 1, 0, 0, 2])
    assert_array_equal(votes.outcome, [TIED, SECOND_WON, FIRST_WON, FIRST_WON, SECOND_WON])
    assert_array_equal(votes.starts, [0, 2, 3, 3, 5])


def test_every_vote_has_two_sides_in_time(votes: VoterVotes) -> None:
    """The model in the second seat won when the second won."""
    sides = votes.sides()

    assert_array_equal(sides.key, [0, 1, 1, 2, 3, 5, 9, 9, 10, 11])
    assert_array_equal(sides.row, [1, 0, 1, 0, 2, 2, 3, 4, 3, 4])
    assert sides.outcome[0] == FIRST_WON, "model 0 was shown second to voter 0 and won"
    assert_array_equal(sides.starts, [0, 1, 3, 4, 5, 6, 8, 9])


def test_blocks_hold_whole_voters_and_leave_nobody_out(votes: VoterVotes) -> None:
    """A voter split in two would be examined as two."""
    blocks = list(votes.blocks(2, 2))

    assert [begin for begin, _ in blocks] == [0, 1, 3]
    assert [len(block) for _, block in blocks] == [2, 1, 2]
    assert sum(block.n_voters for _, block in blocks) == votes.n_voters


def test_merged_rows_are_refused(votes: VoterVotes) -> None:
    """A row that stands for two votes has no place in a history."""
    battles = Battles([0], [1], [1.0], [2.0], 3)

    with pytest.raises(ValueError, match="stands for 2 votes"):
        by_voter(np.array([0]), battles, n_voters=1)


def test_a_voter_out_of_range_is_refused() -> None:
    """A wrong number would put votes on somebody else's account."""
    battles = Battles([0], [1], [1.0], [1.0], 3)

    with pytest.raises(ValueError, match="expected 0 to 0"):
        by_voter(np.array([1]), battles, n_voters=1)
