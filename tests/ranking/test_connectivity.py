"""Which models can be rated together (Ford 1957), and where the others stand."""

import numpy as np
import pytest

from ranking import Battles, Split, is_connected, split


def wins(*pairs: tuple[int, int], n_models: int, times: dict[int, float] | None = None) -> Battles:
    """Return one win of the first for each pair, or as many as `times` says of its place."""
    weight = np.ones(len(pairs))
    for place, n in (times or {}).items():
        weight[place] = n
    first, second = zip(*pairs, strict=True) if pairs else ((), ())
    return Battles(np.array(first), np.array(second), np.ones(len(pairs)), weight, n_models)


def parts(found: Split) -> tuple[list[int], list[int], list[int], list[int]]:
    return (
        found.rated.tolist(),
        found.above.tolist(),
        found.below.tolist(),
        found.apart.tolist(),
    )


def test_a_cycle_is_connected_and_a_chain_is_not() -> None:
    """Everyone must have beaten everyone, directly or through others."""
    assert is_connected(wins((0, 1), (1, 2), (2, 0), n_models=3))
    assert not is_connected(wins((0, 1), (1, 2), n_models=3))


def test_a_tie_joins_both_ways() -> None:
    """Half a win to each side bounds the difference from both."""
    tie = Battles(np.array([0]), np.array([1]), np.array([0.5]), np.array([1.0]), 2)

    assert is_connected(tie)


def test_all_are_rated_where_all_are_connected(battles: Battles) -> None:
    """The usual board: nothing over, under or apart."""
    found = split(battles)

    assert parts(found) == (list(range(8)), [], [], [])
    assert len(found.groups) == 1


def test_unbeaten_and_winless_models_keep_a_place() -> None:
    """3 beat the group and never lost to it, 4 beat only 3, 5 lost to the group, 6 lost only to 5."""
    found = split(wins((0, 1), (1, 2), (2, 0), (3, 0), (4, 3), (1, 5), (5, 6), n_models=7))

    assert parts(found) == ([0, 1, 2], [3, 4], [5, 6], [])
    assert found.height.tolist() == [0, 0, 0, 1, 2, -1, -2]


def test_a_model_that_met_the_group_only_through_a_loser_is_apart() -> None:
    """4 and the group both beat 3; which of them is better, no vote says."""
    found = split(wins((0, 1), (1, 2), (2, 0), (0, 3), (4, 3), n_models=6))

    assert parts(found) == ([0, 1, 2], [], [3], [4, 5])


def test_of_two_islands_the_larger_is_rated() -> None:
    """One joint order of both would be made up."""
    found = split(wins((0, 1), (1, 0), (2, 3), (3, 4), (4, 2), n_models=5))

    assert parts(found) == ([2, 3, 4], [], [], [0, 1])


@pytest.mark.parametrize(("heavy", "rated"), [(0, [0, 1]), (2, [2, 3])])
def test_of_two_equal_islands_the_one_with_more_battles_is_rated(
    heavy: int, rated: list[int]
) -> None:
    """More evidence, and a rule that does not depend on the order of rows."""
    islands = wins((0, 1), (1, 0), (2, 3), (3, 2), n_models=4, times={heavy: 9})

    assert split(islands).rated.tolist() == rated


def test_of_two_islands_equal_in_all_the_first_model_decides() -> None:
    """A stated order, so that two computations of one board agree."""
    assert split(wins((0, 1), (1, 0), (2, 3), (3, 2), n_models=4)).rated.tolist() == [0, 1]


def test_without_any_group_there_is_an_order_and_no_rating() -> None:
    """Two models beat a third and nobody lost to anyone below: no distance can be told."""
    found = split(wins((0, 1), (2, 1), n_models=3))

    assert parts(found) == ([], [0, 2], [1], [])
    assert found.height.tolist() == [1, 0, 1]


def test_without_any_group_the_larger_joined_set_has_the_order() -> None:
    """A pair that never met the others has no place among them."""
    found = split(wins((0, 1), (2, 3), (3, 4), n_models=5))

    assert parts(found) == ([], [2, 3], [4], [0, 1])
    assert found.height.tolist() == [0, 0, 2, 1, 0]


def test_models_without_battles_are_apart() -> None:
    """A newcomer changes nothing for the others."""
    assert parts(split(wins((0, 1), (1, 0), n_models=3))) == ([0, 1], [], [], [2])
    assert parts(split(wins(n_models=2))) == ([], [], [], [0, 1])
