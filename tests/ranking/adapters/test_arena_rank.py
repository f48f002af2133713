"""A program written for arena-rank finds the same calls, better numbers and no silent guess."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import POINTS_PER_LOGIT, Battles, NotConnectedError, fit, sandwich
from ranking.adapters.arena_rank import BradleyTerry, PairDataset
from tests.ranking.davidson import draw_rows

NAMES = np.array(["birch", "ash", "cedar", "elm"])
LABELS = np.array(["model_b", "tie", "model_a"])

Columns = dict[str, list[str]]


@pytest.fixture
def rows(generator: np.random.Generator) -> Battles:
    return draw_rows(np.linspace(1, -1, 4), 600, generator, share=np.full(4, 0.25))


@pytest.fixture
def table(rows: Battles) -> Columns:
    """The columns of a published file, names out of order."""
    return {
        "model_a": NAMES[rows.first].tolist(),
        "model_b": NAMES[rows.second].tolist(),
        "winner": LABELS[(2 * rows.score).astype(int)].tolist(),
    }


def test_the_answer_has_the_names_and_numbers_of_the_library(rows: Battles, table: Columns) -> None:
    """Competitors in ascending order, mean 1000, 400 points for a factor of ten, 95 % intervals."""
    dataset = PairDataset.from_pandas(table)

    found = BradleyTerry(dataset.n_competitors).compute_ratings_and_cis(dataset)

    assert found["competitors"] == ["ash", "birch", "cedar", "elm"]
    expected = fit(rows)
    order = np.argsort(NAMES)
    assert_allclose(found["ratings"], 1000 + POINTS_PER_LOGIT * expected.strength[order])
    variances = sandwich(rows, expected).diagonal()[order] * POINTS_PER_LOGIT**2
    assert_allclose(found["variances"], variances)
    assert_allclose(found["rating_upper"] - found["ratings"], 1.959964 * np.sqrt(variances))
    assert_allclose(found["ratings"] - found["rating_lower"], 1.959964 * np.sqrt(variances))


def test_both_intervals_are_of_one_size(table: Columns) -> None:
    """The bootstrap runs here, in this process, and ends."""
    dataset = PairDataset.from_pandas(table)
    model = BradleyTerry(dataset.n_competitors)

    robust, drawn = (
        model.compute_ratings_and_cis(dataset, ci_method=method)
        for method in ("sandwich", "bootstrap")
    )

    assert_allclose(drawn["variances"], robust["variances"], rtol=0.25)
    assert_allclose(drawn["rating_lower"], robust["rating_lower"], atol=6)
    assert (drawn["rating_lower"] < drawn["ratings"]).all()


def test_other_columns_and_scales_are_followed(table: Columns) -> None:
    """As in the library: names of columns, and what a factor of how much is worth how many points."""
    renamed = {"x": table["model_a"], "y": table["model_b"], "w": table["winner"]}
    straight = PairDataset.from_pandas(table)
    dataset = PairDataset.from_pandas(renamed, competitor_cols=["x", "y"], outcome_col="w")

    logits = BradleyTerry(4, scale=1.0, base=np.e, init_rating=0.0).compute_ratings_and_cis(dataset)

    points = BradleyTerry(4).compute_ratings_and_cis(straight)["ratings"]
    assert_allclose(1000 + POINTS_PER_LOGIT * logits["ratings"], points)


def test_an_unknown_outcome_is_refused_and_never_a_tie(table: Columns) -> None:
    """The library took any label that it did not know for a tie."""
    table["winner"][7] = "model_A"

    with pytest.raises(
        ValueError, match="row 7 has the outcome 'model_A'; expected one of 'model_a'"
    ):
        PairDataset.from_pandas(table)


@pytest.mark.parametrize("missing", [None, float("nan"), []])
def test_a_missing_outcome_is_refused(missing: object, table: Columns) -> None:
    """A gap in a file is no vote."""
    outcomes: list[object] = [*table["winner"][:-1], missing]

    with pytest.raises(ValueError, match=f"row {len(outcomes) - 1} has the outcome"):
        PairDataset.from_pandas({**table, "winner": outcomes})


def test_a_battle_with_itself_is_refused_by_name(table: Columns) -> None:
    """It says nothing of the model, and its two seats would cancel."""
    table["model_a"][3] = table["model_b"][3] = "elm"

    with pytest.raises(ValueError, match="row 3 is a battle of 'elm' against itself"):
        PairDataset.from_pandas(table)


def test_islands_are_refused_by_name() -> None:
    """The library printed one ranking of two groups that never met."""
    table = {
        "model_a": ["ash", "ash", "cedar", "cedar"],
        "model_b": ["birch", "birch", "elm", "elm"],
        "winner": ["model_a", "model_b", "model_a", "model_b"],
    }

    with pytest.raises(NotConnectedError, match="'ash', 'birch'") as refusal:
        PairDataset.from_pandas(table)

    assert refusal.value.groups == (("ash", "birch"), ("cedar", "elm"))


def test_an_unknown_method_or_number_of_competitors_is_refused(table: Columns) -> None:
    """The number is redundant, and then wrong."""
    dataset = PairDataset.from_pandas(table)

    with pytest.raises(ValueError, match="ci_method is 'jackknife'"):
        BradleyTerry(4).compute_ratings_and_cis(dataset, ci_method="jackknife")
    with pytest.raises(ValueError, match="has 4 competitors; expected 5"):
        BradleyTerry(5).compute_ratings_and_cis(dataset)
