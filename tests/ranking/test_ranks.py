"""Places, shared places, and how far a place can be trusted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from ranking import competition_ranks, rank_intervals


@pytest.mark.parametrize(
    ("values", "ranks"),
    [
        ([101.0, 100.0, 100.0, 99.0], [1, 2, 2, 4]),
        ([0.0, 0.0, 0.0], [1, 1, 1]),
        ([1.0, 3.0, 2.0], [3, 1, 2]),
        ([5.0, 5.0 + 4e-10, 4.0], [1, 1, 3]),
        ([], []),
    ],
)
def test_equal_values_share_a_place_and_the_next_is_counted_on(
    values: list[float], ranks: list[int]
) -> None:
    """Two seconds are followed by a fourth; a difference at the limit of float64 is none."""
    assert competition_ranks(np.array(values)).tolist() == ranks


def test_a_place_is_open_as_far_as_intervals_overlap() -> None:
    """The first is surely above the third; the second is apart from neither."""
    low, high = rank_intervals(np.array([5.0, 3.0, 1.0]), np.array([7.0, 6.0, 4.0]))

    assert low.tolist() == [1, 1, 2]
    assert high.tolist() == [2, 3, 3]


def test_an_open_interval_leaves_every_place_open() -> None:
    """A model that no vote bounds cannot be told to be anywhere, nor push others down."""
    low, high = rank_intervals(np.array([-np.inf, 3.0, 1.0]), np.array([np.inf, 4.0, 2.0]))

    assert low.tolist() == [1, 1, 2]
    assert high.tolist() == [3, 2, 3]


thousandths = st.integers(0, 3000).map(lambda whole: whole / 1000)


@given(st.lists(st.tuples(thousandths, thousandths, thousandths), min_size=1, max_size=12))
def test_a_rank_lies_inside_its_own_range(models: list[tuple[float, float, float]]) -> None:
    """The database refuses anything else, and so would a reader."""
    point, below, above = (np.array(column) for column in zip(*models, strict=True))

    low, high = rank_intervals(point - below, point + above)
    rank = competition_ranks(point)

    assert (low <= rank).all()
    assert (rank <= high).all()


def test_models_of_one_place_are_in_each_others_range() -> None:
    """Equal to the limit of float64, with intervals that only just fail to touch."""
    point = np.array([1.0, 1.0 + 5e-10])

    low, high = rank_intervals(np.array([0.0, point[1]]), np.array([point[0], 2.0]))

    assert competition_ranks(point).tolist() == low.tolist() == [1, 1]
    assert high.tolist() == [2, 2]


def test_the_range_is_the_one_counted_pair_by_pair(generator: np.random.Generator) -> None:
    """A twin that compares all pairs, as the rule is worded."""
    lower = generator.normal(size=40)
    upper = lower + generator.exponential(size=40)

    low, high = rank_intervals(lower, upper)

    assert_array_equal(low, 1 + (lower[None, :] > upper[:, None]).sum(1))
    assert_array_equal(high, 40 - (upper[None, :] < lower[:, None]).sum(1))
