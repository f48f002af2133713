"""Counts: the same votes are the same digest, and nothing that makes no sense is counted."""

from hashlib import sha256

import numpy as np
import pytest

from arena.rating_runs.counts import Counts


def counts(models: tuple[str, ...], *rows: tuple[int, int, int, int]) -> Counts:
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return Counts(models, *table.T)


def test_the_digest_does_not_depend_on_how_the_votes_came() -> None:
    """Another order of rows, of models, and a count split in two are the same votes."""
    one = counts(("ash", "birch"), (0, 1, 0, 5), (1, 0, 2, 3))
    other = counts(("birch", "ash"), (0, 1, 2, 3), (1, 0, 0, 4), (1, 0, 0, 1))

    assert one.digest() == other.digest()


@pytest.mark.parametrize(
    "row",
    [(1, 0, 0, 5), (0, 1, 1, 5), (0, 1, 3, 5), (0, 1, 0, 6), (0, 2, 0, 5)],
    ids=["seats", "winner", "both bad", "count", "opponent"],
)
def test_any_other_vote_is_another_digest(row: tuple[int, int, int, int]) -> None:
    """A run that read other votes must not pass for this one."""
    models = ("ash", "birch", "cedar")

    assert counts(models, row).digest() != counts(models, (0, 1, 0, 5)).digest()


def test_a_model_without_votes_leaves_the_digest_alone() -> None:
    """It is taken over votes; a newcomer has none."""
    assert (
        counts(("ash", "birch", "new"), (0, 1, 0, 5)).digest()
        == counts(("ash", "birch"), (0, 1, 0, 5)).digest()
    )


def test_the_digest_can_be_taken_by_hand() -> None:
    """A researcher with the export and the documented form needs none of our code."""
    lines = '["ash","birch","a",5]\n["birch","ash","tie",3]\n'

    assert counts(("birch", "ash"), (0, 1, 2, 3), (1, 0, 0, 5)).digest() == (
        f"sha256:{sha256(lines.encode()).hexdigest()}"
    )


@pytest.mark.parametrize(
    ("models", "row", "complaint"),
    [
        (("ash", "ash"), (0, 1, 0, 1), "named twice"),
        (("ash", "birch"), (0, 2, 0, 1), "outside 0 to 1"),
        (("ash", "birch"), (1, 1, 0, 1), "self-battle"),
        (("ash", "birch"), (0, 1, 4, 1), "outcome is outside"),
        (("ash", "birch"), (0, 1, 0, 0), "n above 0"),
    ],
)
def test_a_row_that_makes_no_sense_is_refused(
    models: tuple[str, ...], row: tuple[int, int, int, int], complaint: str
) -> None:
    """Whoever counts must have refused it by its line already."""
    with pytest.raises(ValueError, match=complaint):
        counts(models, row)
