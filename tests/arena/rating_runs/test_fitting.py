"""From counts to the table of a board: numbers where there are any, and a reason where there are none."""

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from arena.errors import InputError
from arena.rating_runs.document import as_document
from arena.rating_runs.fitting import Counts, Method, ModelRating, RatingTable, rate
from arena.rating_runs.placing import NO_VOTES, ONLY_LEFT_OUT
from arena.terms import BothBad, Interval, Outcome, RatingStatus
from tests.arena.rating_runs.counting import count

METHOD = Method(rounds=200, seed=3)
SANDWICH = Method(interval=Interval.SANDWICH)
CHAIN = count(
    ("ash", "birch", Outcome.A, 30),
    ("ash", "birch", Outcome.B, 10),
    ("birch", "cedar", Outcome.A, 30),
    ("birch", "cedar", Outcome.B, 10),
)


def of(table: RatingTable, name: str) -> ModelRating:
    return next(row for row in table.models if row.model == name)


def ratings(table: RatingTable) -> dict[str, float | None]:
    return {row.model: row.rating for row in table.models}


def test_the_order_of_votes_and_models_changes_no_number() -> None:
    """A board refitted from another export must be the same board to the last bit."""
    back = slice(None, None, -1)
    backwards = Counts(
        CHAIN.models[::-1],
        2 - CHAIN.first[back],
        2 - CHAIN.second[back],
        CHAIN.outcome[back],
        CHAIN.n[back],
    )

    one, other = rate(CHAIN, METHOD), rate(backwards, METHOD)

    assert one.models == other.models
    assert one.counts_digest == other.counts_digest
    assert_array_equal(one.covariance, other.covariance)


def test_the_table_is_in_the_order_of_the_board() -> None:
    """Readers read from the top; three to one twice are 190.85 points each."""
    table = rate(CHAIN, METHOD)

    assert [(row.rank, row.model) for row in table.models] == [
        (1, "ash"),
        (2, "birch"),
        (3, "cedar"),
    ]
    assert_allclose(of(table, "ash").rating, 1190.85, atol=0.005)
    assert_allclose(of(table, "birch").rating, 1000.0, atol=1e-9)
    assert table.gradient_norm < 1e-9


@pytest.mark.parametrize("method", [METHOD, SANDWICH])
def test_an_anchor_moves_all_and_widens_none(method: Method) -> None:
    """Differences and widths are what the votes say; the anchor is where we put the zero."""
    free, anchored = rate(CHAIN, method), rate(CHAIN, replace(method, anchor=("cedar", 500.0)))

    assert of(anchored, "cedar").rating == 500.0
    for row in free.models:
        moved = of(anchored, row.model)
        assert_allclose(moved.rating - row.rating, 500.0 - of(free, "cedar").rating, atol=1e-9)
        assert_allclose(moved.upper - moved.lower, row.upper - row.lower, atol=1e-9)


def test_an_anchor_without_a_rating_leaves_the_mean_and_says_so() -> None:
    """A board must not stop because its anchor lost its last opponent."""
    table = rate(CHAIN, replace(METHOD, anchor=("oak", 500.0)))

    assert ratings(table) == ratings(rate(CHAIN, METHOD))
    assert any(warning.startswith("anchor: oak") for warning in table.warnings)


def test_a_record_counts_every_vote_once() -> None:
    """Wins, losses, ties and both bad are the battles, whichever seat they were in."""
    table = rate(
        count(
            ("ash", "birch", Outcome.A, 3),
            ("birch", "ash", Outcome.A, 2),
            ("birch", "ash", Outcome.TIE, 4),
            ("ash", "cedar", Outcome.BOTH_BAD, 5),
        ),
        METHOD,
    )

    ash = of(table, "ash")
    assert (ash.wins, ash.losses, ash.ties, ash.both_bad) == (3, 2, 4, 5)
    assert (ash.battles, ash.opponents) == (14, 2)


@pytest.mark.parametrize(
    ("both_bad", "difference", "excluded"),
    [(BothBad.TIE, 88.74, {}), (BothBad.EXCLUDE, 190.85, {"both_bad": 4})],
)
def test_both_bad_is_a_tie_or_nothing(
    both_bad: BothBad, difference: float, excluded: dict[str, int]
) -> None:
    """The board says which; either way it is counted apart from ties."""
    votes = count(
        ("ash", "birch", Outcome.A, 3),
        ("ash", "birch", Outcome.B, 1),
        ("ash", "birch", Outcome.BOTH_BAD, 4),
    )

    table = rate(votes, replace(METHOD, both_bad=both_bad))

    assert_allclose(of(table, "ash").rating - of(table, "birch").rating, difference, atol=0.005)
    assert table.excluded == excluded
    assert of(table, "ash").both_bad == 4


def test_a_newcomer_changes_nobody() -> None:
    """Registering a model once moved every score."""
    with_newcomer = count(models=("ash", "birch", "cedar", "newcomer"))
    with_newcomer = replace(CHAIN, models=with_newcomer.models)

    table = rate(with_newcomer, METHOD)

    newcomer = of(table, "newcomer")
    assert (newcomer.status, newcomer.reason) == (RatingStatus.DISCONNECTED, NO_VOTES)
    assert (newcomer.rating, newcomer.rank, newcomer.battles) == (None, None, 0)
    assert table.models[:3] == rate(CHAIN, METHOD).models


def test_an_unbeaten_model_stands_first_without_a_number() -> None:
    """20 wins to nothing: some boards print 3386 with an interval of no width."""
    table = rate(
        count(
            ("oak", "ash", Outcome.A, 20),
            ("cedar", "willow", Outcome.A, 20),
            ("ash", "cedar", Outcome.A, 5),
            ("ash", "cedar", Outcome.B, 4),
        ),
        METHOD,
    )

    oak, willow = of(table, "oak"), of(table, "willow")
    assert (oak.status, oak.rating, oak.rank) == (RatingStatus.UNBOUNDED_ABOVE, None, 1)
    assert (willow.status, willow.rating, willow.rank) == (RatingStatus.UNBOUNDED_BELOW, None, 4)
    assert (oak.rank_low, oak.rank_high) == (1, 4)
    assert "no finite rating is high enough" in (oak.reason or "")
    assert ratings(table)["ash"] == pytest.approx(1000 + 200 * np.log10(5 / 4))
    assert table.groups[0] == ("ash", "cedar")


def test_islands_are_not_ordered_between_each_other() -> None:
    """No vote compared them: one joint list would be made up."""
    table = rate(
        count(
            ("ash", "birch", Outcome.A, 50),
            ("ash", "birch", Outcome.B, 50),
            ("oak", "willow", Outcome.A, 9),
            ("oak", "willow", Outcome.B, 1),
        ),
        METHOD,
    )

    assert {row.model: row.status for row in table.models} == {
        "ash": RatingStatus.RATED,
        "birch": RatingStatus.RATED,
        "oak": RatingStatus.DISCONNECTED,
        "willow": RatingStatus.DISCONNECTED,
    }
    assert of(table, "oak").rank is None
    assert table.groups == (("ash", "birch"), ("oak", "willow"))


def test_where_all_win_on_one_side_there_is_an_order_and_no_rating() -> None:
    """One class of outcome has crashed such fits; here it is a plain answer."""
    table = rate(count(("ash", "birch", Outcome.A, 5), ("cedar", "birch", Outcome.A, 4)), METHOD)

    assert [(row.rank, row.model) for row in table.models] == [
        (1, "ash"),
        (1, "cedar"),
        (3, "birch"),
    ]
    assert set(ratings(table).values()) == {None}
    assert table.covariance is None
    assert table.gradient_norm is None


def test_votes_that_are_all_left_out_are_a_reason() -> None:
    """ "No votes yet" would be wrong: it has votes, and the board leaves them out."""
    table = rate(
        count(
            ("ash", "birch", Outcome.A, 5),
            ("ash", "birch", Outcome.B, 5),
            ("ash", "oak", Outcome.BOTH_BAD, 2),
        ),
        replace(METHOD, both_bad=BothBad.EXCLUDE),
    )

    assert of(table, "oak").reason == ONLY_LEFT_OUT


def test_a_board_without_a_vote_is_a_table_without_numbers() -> None:
    """Not an error: everyone is waiting for the first vote."""
    table = rate(count(models=("ash", "birch")), METHOD)

    assert [row.reason for row in table.models] == [NO_VOTES, NO_VOTES]


def test_few_battles_are_flagged_and_the_point_is_inside_its_interval() -> None:
    """One win and one loss: most resamples leave such a model without a bound or without a battle."""
    table = rate(
        count(
            ("ash", "birch", Outcome.A, 600),
            ("ash", "birch", Outcome.B, 400),
            ("birch", "cedar", Outcome.A, 500),
            ("birch", "cedar", Outcome.B, 498),
            ("rare", "birch", Outcome.A, 1),
            ("rare", "birch", Outcome.B, 1),
        ),
        Method(rounds=500, seed=1),
    )

    rare = of(table, "rare")
    assert rare.upper - rare.lower > 480
    assert all(row.lower <= row.rating <= row.upper for row in table.models)
    (warning,) = [text for text in table.warnings if text.startswith("few_battles")]
    assert "rare has 2 battles" in warning
    assert table.rounds_degenerate == pytest.approx(500 * (1 - (1 - np.exp(-1)) ** 2), abs=40)


def test_few_battles_are_flagged_without_resamples_too() -> None:
    """The covariance of one win and one loss is a formula, not evidence."""
    few = count(("rare", "ash", Outcome.A, 1), ("rare", "ash", Outcome.B, 40))
    enough = count(("rare", "ash", Outcome.A, 30), ("rare", "ash", Outcome.B, 40))

    assert sum(text.startswith("few_battles") for text in rate(few, SANDWICH).warnings) == 2
    assert rate(enough, SANDWICH).warnings == ()


def test_ties_alone_give_ratings_and_no_interval() -> None:
    """All votes agree, so nothing tells how much they could have differed: zero width would be a lie."""
    table = rate(count(("ash", "birch", Outcome.TIE, 10), ("ash", "cedar", Outcome.TIE, 4)), METHOD)

    for row in table.models:
        assert (row.rating, row.rank) == (1000.0, 1)
        assert (row.lower, row.upper, row.rank_high) == (None, None, 3)
    assert sum(text.startswith("no_spread") for text in table.warnings) == 3


def test_the_document_is_strict_json_and_absent_is_null() -> None:
    """NaN is not JSON; a parser in another language would stop at it."""
    table = rate(count(("ash", "birch", Outcome.A, 5), ("cedar", "birch", Outcome.A, 4)), METHOD)

    document = json.loads(json.dumps(as_document(table), allow_nan=False))

    assert list(document) == [
        "models",
        "tie_parameter",
        "position",
        "style",
        "half_tie_slope",
        "quasi_worst",
        "top_chances",
        "votes_to_flip",
        "indistinguishable",
        "contrasts",
        "readings",
        "groups",
        "excluded",
        "warnings",
        "method",
    ]
    assert document["models"][0]["rating"] is None
    assert document["method"]["counts_digest"].startswith("sha256:")
    assert document["method"]["interval"] == "bootstrap"
    assert set(document["method"]["versions"]) == {"holistic-arena", "numpy", "scipy", "python"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"rounds": 0},
        {"level": 1.0},
        {"level": 0.0},
        {"seed": -1},
        {"anchor": ("ash", float("nan"))},
    ],
)
def test_a_method_out_of_range_is_refused(wrong: dict[str, object]) -> None:
    """The message names the setting; a fit with it would name a symptom."""
    with pytest.raises(InputError, match="expected"):
        Method(**wrong)  # type: ignore[arg-type]  # wrong values are the point
