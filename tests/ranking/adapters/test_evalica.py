"""A program written for evalica finds the same calls and the same scores, with errors beside them."""

import evalica as library
import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import Battles, NotConnectedError, NotIdentifiedError
from ranking.adapters.evalica import Winner, bradley_terry, newman
from tests.ranking.davidson import draw_rows

NAMES = np.array(["birch", "ash", "cedar", "elm"])
WINNERS = (Winner.Y, Winner.Draw, Winner.X)

Rows = tuple[list[str], list[str], list[Winner]]


def rows_of(battles: Battles) -> Rows:
    winners = [WINNERS[number] for number in (2 * battles.score).astype(int).tolist()]
    return NAMES[battles.first].tolist(), NAMES[battles.second].tolist(), winners


@pytest.fixture
def rows(generator: np.random.Generator) -> Rows:
    return rows_of(draw_rows(np.linspace(1, -1, 4), 600, generator, share=np.full(4, 0.25)))


@pytest.mark.parametrize("weighted", [False, True])
def test_the_library_finds_the_same_scores(
    weighted: bool, rows: Rows, generator: np.random.Generator
) -> None:
    """With its own winners, weights, and a tolerance under which it does not stop early."""
    xs, ys, winners = rows
    weights = generator.integers(1, 5, len(xs)).astype(float).tolist() if weighted else None
    theirs = [library.Winner(int(winner)) for winner in winners]
    expected = library.bradley_terry(
        xs, ys, theirs, weights=weights, tolerance=1e-12, limit=10_000
    ).scores

    found = bradley_terry(xs, ys, theirs, weights=weights)

    assert list(found.scores) == expected.index.tolist()
    assert_allclose(list(found.scores.values()), expected.to_numpy(), rtol=1e-8)


def test_the_library_finds_the_same_tie_parameter(rows: Rows) -> None:
    """Its scores under ties stand on a scale of their own; ratios and v agree."""
    xs, ys, winners = rows
    theirs = [library.Winner(int(winner)) for winner in winners]
    expected = library.newman(xs, ys, theirs, tolerance=1e-12, limit=10_000)

    found = newman(xs, ys, winners)

    assert found.v == pytest.approx(expected.v, rel=1e-8)
    ratio = np.array(list(found.scores.values())) / expected.scores.loc[list(found.scores)]
    assert_allclose(ratio, ratio.iloc[0], rtol=1e-8)


def test_results_say_what_they_are(rows: Rows) -> None:
    """The fields of the library's result, and an error for every score."""
    xs, ys, _ = rows
    found = bradley_terry(*rows)

    assert found.index == tuple(dict.fromkeys([*xs, *ys]))
    assert found.solver == "newton"
    assert 0 < found.iterations < 20
    assert np.prod(list(found.scores.values())) == pytest.approx(1)
    assert found.log_errors.keys() == found.scores.keys()
    assert all(0.05 < error < 0.2 for error in found.log_errors.values())


def test_an_unknown_winner_or_element_is_refused(rows: Rows) -> None:
    """By row and label."""
    xs, ys, winners = rows

    with pytest.raises(ValueError, match="row 0 has the outcome 3; expected one of"):
        bradley_terry(xs[:1], ys[:1], [3])
    with pytest.raises(ValueError, match=r"row \d+ has the model 'elm', which is not in the index"):
        bradley_terry(xs, ys, winners, index=["ash", "birch", "cedar"])


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), 0.0, -1.0])
def test_a_weight_that_counts_nothing_is_refused(weight: float, rows: Rows) -> None:
    """One NaN would spread over all scores; a check by assert, as the library has it, is gone under -O."""
    weights = [1.0] * len(rows[0])
    weights[5] = weight

    with pytest.raises(ValueError, match="battle 5 has a weight that is not finite and above 0"):
        bradley_terry(*rows, weights=weights)


def test_a_self_battle_is_refused(rows: Rows) -> None:
    """It says nothing."""
    with pytest.raises(ValueError, match="row 0 is a battle of 'ash' against itself"):
        bradley_terry(["ash"], ["ash"], [Winner.X])


def test_columns_of_different_length_are_refused(rows: Rows) -> None:
    """Rows would be paired with the wrong outcome."""
    xs, ys, winners = rows

    with pytest.raises(ValueError, match="columns have the lengths"):
        bradley_terry(xs, ys[:-1], winners)


def test_an_undefeated_element_is_refused_by_name() -> None:
    """The library gave all three one score after two iterations."""
    xs, ys = ["a"] * 40 + ["b", "c"], ["b"] * 20 + ["c"] * 20 + ["c", "b"]
    winners = [Winner.X] * 42

    with pytest.raises(NotConnectedError) as refusal:
        bradley_terry(xs, ys, winners)

    assert ("a",) in refusal.value.groups


def test_ties_without_a_tie_have_no_parameter() -> None:
    """v would be zero, and its search endless."""
    with pytest.raises(NotIdentifiedError, match="no tie"):
        newman(["a", "a"], ["b", "b"], [Winner.X, Winner.Y])
