"""How many votes hold a lead up, by deleting them and fitting again."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import Battles, fit, is_connected
from ranking.drop import FlipEnding, adjacent_flips, votes_to_flip
from ranking.ties import TieModel
from tests.ranking.davidson import draw_battles
from tests.ranking.test_published import llmfao


def without(battles: Battles, dropped: Battles) -> Battles:
    """The battles less some of their votes."""
    left: Counter[tuple[float, ...]] = Counter()
    left.update(votes_of(battles.paired()))
    left.subtract(votes_of(dropped))
    rows = [(*row, votes) for row, votes in left.items() if votes > 0]
    first, second, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    return Battles(first, second, score, weight, battles.n_models)


def votes_of(battles: Battles) -> dict[tuple[float, ...], int]:
    columns = (battles.first, battles.second, battles.score, battles.weight)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {(first, second, score): int(weight) for first, second, score, weight in rows}


def lead(battles: Battles, leader: int, follower: int, *, ties: TieModel = TieModel.HALF) -> float:
    strength = fit(battles, ties=ties).strength
    return float(strength[leader] - strength[follower])


def deletions(battles: Battles, votes: int) -> Iterator[Battles]:
    """Every way to drop so many votes that leaves all models comparable."""
    paired = battles.paired()
    for kept in product(*(range(int(weight) + 1) for weight in paired.weight)):
        if sum(kept) == paired.weight.sum() - votes:
            some = np.array(kept) > 0
            rest = Battles(
                paired.first[some],
                paired.second[some],
                paired.score[some],
                np.array(kept, float)[some],
                paired.n_models,
            )
            if is_connected(rest):
                yield rest


def fewest(battles: Battles, leader: int, follower: int) -> int:
    """The fewest votes whose deletion turns the order, by trying them all."""
    votes = 1
    while not any(lead(rest, leader, follower) < -1e-9 for rest in deletions(battles, votes)):
        votes += 1
    return votes


def test_one_pair_is_arithmetic() -> None:
    """Seven wins against four: without four of them it is three against four."""
    pair = Battles(
        np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.0]), np.array([7.0, 4.0]), 2
    )

    flip = votes_to_flip(pair, fit(pair), 0, 1)

    assert (flip.ending, flip.votes) == (FlipEnding.FLIPPED, 4)
    assert_allclose(flip.lead_left, np.log(3 / 4))


@pytest.mark.parametrize("ties", list(TieModel))
def test_the_votes_named_turn_the_order_and_one_less_does_not(
    ties: TieModel, battles: Battles
) -> None:
    """What stands beside a rank is a fact about refits, not a first-order guess."""
    for flip in adjacent_flips(battles, fit(battles, ties=ties)):
        assert flip.ending is FlipEnding.FLIPPED
        assert flip.dropped.weight.sum() == flip.votes

        assert_allclose(
            lead(without(battles, flip.dropped), flip.leader, flip.follower, ties=ties),
            flip.lead_left,
            atol=1e-9,
        )
        assert flip.lead_left < 0

        weakest = flip.dropped.weight.copy()
        weakest[-1] -= 1
        kept = weakest > 0
        one_less = Battles(
            flip.dropped.first[kept],
            flip.dropped.second[kept],
            flip.dropped.score[kept],
            weakest[kept],
            battles.n_models,
        )
        if len(one_less):
            rest = without(battles, one_less)
            assert lead(rest, flip.leader, flip.follower, ties=ties) >= 0


def test_trying_every_deletion_finds_no_much_smaller_set(generator: np.random.Generator) -> None:
    """Greedy is an upper bound: never below the least, and on small boards seldom above it."""
    above: list[int] = []
    for _ in range(12):
        board = draw_battles(np.array([0.4, 0.0, -0.4]), 14, generator, share=np.full(3, 1 / 3))
        if not is_connected(board):
            continue
        above += [
            flip.votes - fewest(board, flip.leader, flip.follower)
            for flip in adjacent_flips(board, fit(board))
            if flip.ending is FlipEnding.FLIPPED
        ]

    assert len(above) > 10
    assert min(above) >= 0
    assert max(above) <= 1
    assert np.mean(above) < 0.2


def test_the_prediction_is_close_on_a_large_board(generator: np.random.Generator) -> None:
    """With many votes each moves the fit little, and first order is nearly exact."""
    strength = np.linspace(-0.5, 0.5, 12)
    board = draw_battles(strength, 50_000, generator, share=np.full(12, 1 / 12))

    for flip in adjacent_flips(board, fit(board)):
        assert flip.predicted is not None
        assert flip.votes == pytest.approx(flip.predicted, rel=0.1, abs=2)


def test_seats_and_names_do_not_matter(battles: Battles) -> None:
    """The same votes hold the same lead up, however they are written down."""
    flips = adjacent_flips(battles, fit(battles))
    mirrored = adjacent_flips(battles.mirrored(), fit(battles.mirrored()))
    backwards = Battles(
        7 - battles.first, 7 - battles.second, battles.score, battles.weight, battles.n_models
    )
    renamed = adjacent_flips(backwards, fit(backwards))

    assert [flip.votes for flip in mirrored] == [flip.votes for flip in flips]
    assert [flip.votes for flip in renamed] == [flip.votes for flip in flips]
    assert [7 - flip.leader for flip in renamed] == [flip.leader for flip in flips]


def test_a_lead_that_cannot_be_dropped_without_splitting_the_board_says_so() -> None:
    """Without its only win the follower's rival has no finite strength: no refit can confirm a flip."""
    chain = Battles(
        np.array([0, 0, 1, 1]),
        np.array([1, 1, 2, 2]),
        np.array([1.0, 0.0, 1.0, 0.0]),
        np.array([9.0, 1.0, 1.0, 1.0]),
        3,
    )
    found = fit(chain)

    flip = votes_to_flip(chain, found, 0, 2)

    assert flip.ending is FlipEnding.SPLIT
    assert flip.lead_left > 0
    assert_allclose(lead(without(chain, flip.dropped), 0, 2), flip.lead_left)


def test_equals_have_no_lead_to_flip() -> None:
    """They share a place; the pair is left out of the board and refused by name."""
    level = Battles(
        np.array([0, 0, 1, 1]), np.array([1, 1, 2, 2]), np.array([1.0, 0.0] * 2), np.ones(4), 3
    )

    assert adjacent_flips(level, fit(level)) == ()
    with pytest.raises(ValueError, match="Name the model that leads first"):
        votes_to_flip(level, fit(level), 0, 1)


def test_weights_that_are_no_counts_are_refused(battles: Battles) -> None:
    """Half a vote cannot be dropped."""
    halves = Battles(
        battles.first, battles.second, battles.score, battles.weight / 2, battles.n_models
    )

    with pytest.raises(ValueError, match="whole number"):
        adjacent_flips(halves, fit(halves))


def test_a_fit_with_seats_is_refused(battles: Battles) -> None:
    """Pairs forget who was shown first."""
    with pytest.raises(ValueError, match="position"):
        adjacent_flips(battles, fit(battles, position=True))


def test_votes_of_people_on_real_models_flip_as_named() -> None:
    """LLMFAO, 8931 votes on 59 models: every adjacent pair by actual deletion."""
    board = llmfao("crowd", "crowd-comparisons.csv").battles

    flips = adjacent_flips(board, fit(board))

    assert len(flips) > 50
    for flip in flips:
        assert flip.ending is FlipEnding.FLIPPED
        assert lead(without(board, flip.dropped), flip.leader, flip.follower) < 0
