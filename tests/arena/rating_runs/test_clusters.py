"""Votes that go together: what a run does about those of one voter, or on one prompt."""

from dataclasses import replace

import numpy as np
import pytest

from arena.errors import InputError
from arena.rating_runs.contrasts import find_contrast
from arena.rating_runs.counts import OUTCOMES
from arena.rating_runs.fitting import Method, RatingTable, rate
from arena.rating_runs.single_votes import UNKNOWN, SingleVotes, joined_votes
from arena.terms import Cluster, Interval, Outcome

METHOD = Method(rounds=300, seed=1)
MODELS = ("ash", "birch", "cedar")


def votes_of_two_minds(n_voters: int = 40, each: int = 25) -> SingleVotes:
    """Every voter always prefers the same way round, half of them one way and half the other."""
    generator = np.random.default_rng(0)
    voter = np.repeat(np.arange(n_voters), each)
    first, second = generator.permuted(np.tile(np.arange(3), (len(voter), 1)), axis=1)[:, :2].T
    prefers_low = voter % 2 == 0
    low_first = first < second
    outcome = np.where(low_first == prefers_low, 0, 1)
    noisy = generator.random(len(voter)) < 0.2
    outcome = np.where(noisy, 1 - outcome, outcome)
    return SingleVotes(MODELS, first, second, outcome, voter, voter % 7)


def widths(table: RatingTable) -> np.ndarray:
    return np.array(
        [row.upper - row.lower for row in sorted(table.models, key=lambda row: row.model)]
    )


def rated(votes: SingleVotes, **options: object) -> RatingTable:
    return rate(votes.counts(), replace(METHOD, **options), votes)  # type: ignore[arg-type]


@pytest.mark.parametrize("interval", [Interval.SANDWICH, Interval.BOOTSTRAP])
def test_votes_of_one_mind_widen_the_interval_and_move_no_rating(interval: Interval) -> None:
    """A thousand votes of forty people are not a thousand opinions."""
    votes = votes_of_two_minds()

    alone = rated(votes, interval=interval)
    together = rated(votes, interval=interval, cluster=Cluster.VOTER)

    assert [row.rating for row in together.models] == [row.rating for row in alone.models]
    of_the_ends = [0, 2]
    assert (widths(together)[of_the_ends] > 2 * widths(alone)[of_the_ends]).all()
    assert together.findings.clusters == (40,)


def test_two_ways_are_by_the_covariance_and_say_so() -> None:
    """No resample is right for voters and prompts at once."""
    table = rated(votes_of_two_minds(), cluster=Cluster.BOTH)

    assert table.findings.clusters == (40, 7)
    assert table.findings.interval is Interval.SANDWICH
    assert "more than one way" in table.findings.interval_rule
    assert table.rounds_degenerate is None


def test_voters_that_vote_once_change_next_to_nothing() -> None:
    """Clusters of one are the independent votes that the sandwich takes them for."""
    votes = votes_of_two_minds()
    once = replace(votes, voter=np.arange(len(votes.first)))

    together = rated(once, interval=Interval.SANDWICH, cluster=Cluster.VOTER)

    assert widths(together) == pytest.approx(
        widths(rated(votes, interval=Interval.SANDWICH)), rel=0.01
    )


def test_an_unknown_voter_is_nobody_else() -> None:
    """Votes without a name are not one voter's."""
    votes = votes_of_two_minds(n_voters=4, each=50)
    marks = votes.voter.copy()
    marks[votes.voter == 0] = UNKNOWN

    table = rated(replace(votes, voter=marks), cluster=Cluster.VOTER)

    assert table.findings.clusters == (3 + 50,)


def test_votes_without_voters_are_refused() -> None:
    """An interval that claims to allow for voters must know them."""
    votes = replace(votes_of_two_minds(), voter=None)

    with pytest.raises(InputError, match="No vote says its voter"):
        rated(votes, cluster=Cluster.VOTER)


def test_one_voter_alone_is_said_to_be_alone() -> None:
    """Nothing can be told of how much people differ from one of them."""
    votes = votes_of_two_minds(n_voters=1, each=80)

    table = rated(votes, cluster=Cluster.VOTER)

    assert any(warning.startswith("cluster: ") for warning in table.warnings)
    assert table.findings.clusters == ()


def test_a_contrast_is_no_overlap_of_two_bars() -> None:
    """Its interval is that of the difference, and an anchor does not enter it."""
    votes = votes_of_two_minds()
    free, anchored = (
        find_contrast(rated(votes, anchor=anchor), "ash,birch") for anchor in (None, ("ash", 1500))
    )
    rows = {row.model: row for row in rated(votes).models}

    assert free.estimate == pytest.approx(rows["ash"].rating - rows["birch"].rating)
    assert (free.lower, free.upper) == pytest.approx((anchored.lower, anchored.upper))


@pytest.mark.parametrize("pair", ["ash", "ash,ash", "ash,fir"])
def test_a_contrast_needs_two_models_of_the_votes(pair: str) -> None:
    """And says which it does not know."""
    with pytest.raises(Exception, match=r"contrast|No vote names"):
        find_contrast(rated(votes_of_two_minds()), pair)


def test_voters_of_two_files_are_different_people() -> None:
    """Numbers of one file say nothing of another's."""
    one = votes_of_two_minds(n_voters=4, each=10)
    other = replace(one, models=("cedar", "dogwood", "ash"), voter=None)

    both = joined_votes([one, other])

    assert both.models == ("ash", "birch", "cedar", "dogwood")
    assert (both.voter[40:] == UNKNOWN).all()
    assert both.prompt[40:].min() == one.prompt.max() + 1
    assert both.counts().n.sum() == 80
    assert OUTCOMES[0] is Outcome.A
