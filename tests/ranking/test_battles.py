"""What may be a battle, and the ways to fold battles that keep what they say."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from ranking import Battles


def one(first: int = 0, second: int = 1, score: float = 1.0, weight: float = 1.0) -> Battles:
    return Battles(np.array([first]), np.array([second]), np.array([score]), np.array([weight]), 2)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"second": 0}, "self-battle"),
        ({"second": 2}, "outside 0 to 1"),
        ({"first": -1}, "outside 0 to 1"),
        ({"score": 0.7}, "none of 0, 0.5 and 1"),
        ({"score": np.nan}, "none of 0, 0.5 and 1"),
        ({"weight": 0.0}, "not finite and above 0"),
        ({"weight": -1.0}, "not finite and above 0"),
        ({"weight": np.inf}, "not finite and above 0"),
        ({"weight": np.nan}, "not finite and above 0"),
    ],
)
def test_a_row_that_makes_no_sense_is_refused_by_number(
    row: dict[str, float], complaint: str
) -> None:
    """An unknown outcome is an error, never a tie."""
    with pytest.raises(ValueError, match=rf"battle 0 .*{complaint}"):
        one(**row)  # type: ignore[arg-type]  # wrong values are the point


def test_columns_of_two_lengths_are_refused() -> None:
    """A column shifted by a row would still look like battles."""
    with pytest.raises(ValueError, match="expected one length"):
        Battles(np.array([0, 1]), np.array([1]), np.array([1.0]), np.array([1.0]), 2)


def test_columns_cannot_be_written_to(battles: Battles) -> None:
    """A fit and its bootstrap read the same battles; neither may change them."""
    with pytest.raises(ValueError, match="read-only"):
        battles.weight[0] = 7


def test_mirroring_twice_is_nothing(battles: Battles) -> None:
    """Seats exchanged and exchanged back."""
    again = battles.mirrored().mirrored()

    assert_array_equal(again.first, battles.first)
    assert_array_equal(again.score, battles.score)


@pytest.mark.parametrize("n_models", [2, 5000])
def test_merging_keeps_seats_and_pairing_forgets_them(n_models: int) -> None:
    """A position effect needs the seats; the plain fit does not. Few models and many take two ways."""
    seated = Battles(
        np.array([0, 1, 0, 1]),
        np.array([1, 0, 1, 0]),
        np.array([1.0, 0.0, 1.0, 0.5]),
        np.array([1.0, 2.0, 3.0, 4.0]),
        n_models,
    )

    merged, paired = seated.merged(), seated.paired()

    assert list(zip(merged.first, merged.second, merged.score, merged.weight, strict=True)) == [
        (0, 1, 1.0, 4.0),
        (1, 0, 0.0, 2.0),
        (1, 0, 0.5, 4.0),
    ]
    assert list(zip(paired.first, paired.second, paired.score, paired.weight, strict=True)) == [
        (0, 1, 0.5, 4.0),
        (0, 1, 1.0, 6.0),
    ]


def test_the_score_table_gives_half_for_a_tie(battles: Battles) -> None:
    """Every battle hands out one point, whatever its end."""
    table = battles.score_table()

    assert table.sum() == pytest.approx(battles.weight.sum())
    assert_array_equal(table, battles.paired().score_table())


def test_among_keeps_only_battles_between_the_chosen(battles: Battles) -> None:
    """A battle against a model that is left out says nothing about the others alone."""
    chosen = np.array([6, 2])

    kept = battles.among(chosen)

    assert kept.n_models == 2
    assert kept.score_table()[0, 1] == battles.score_table()[6, 2]
