"""What a run says beside its ratings: of the seat, of ties, of how sure the order is."""

from dataclasses import replace

import numpy as np
import pytest

from arena.rating_runs.fitting import Counts, Method, rate
from arena.terms import Interval, Outcome, Ties
from ranking import POINTS_PER_LOGIT
from tests.arena.rating_runs.counting import count

METHOD = Method(rounds=200, seed=3)
NAMES = ("ash", "birch", "cedar", "dogwood")


def seated(bias: int) -> Counts:
    """Two equal models, each first in 100 battles; the first shown wins `bias` more often than it loses."""
    wins, losses = 40 + bias, 40 - bias
    return count(
        ("ash", "birch", Outcome.A, wins),
        ("ash", "birch", Outcome.B, losses),
        ("ash", "birch", Outcome.TIE, 20),
        ("birch", "ash", Outcome.A, wins),
        ("birch", "ash", Outcome.B, losses),
        ("birch", "ash", Outcome.TIE, 20),
    )


def test_the_seat_is_shown_always_and_taken_out_on_request() -> None:
    """A judge that prefers the first answer moves no rating here, and the page must be able to say how much it does."""
    shown = rate(seated(20), METHOD)
    applied = rate(seated(20), replace(METHOD, position=True))

    assert shown.findings.position == applied.findings.position
    assert shown.findings.position.estimate == pytest.approx(
        400 * np.log10((60 + 10) / (20 + 10)), abs=1e-6
    )
    assert not shown.findings.position_applied
    assert applied.findings.position_applied


def test_a_seat_that_goes_with_the_model_is_absent_with_its_reason() -> None:
    """Who was always shown first has one number for two causes."""
    counts = count(("ash", "birch", Outcome.A, 5), ("ash", "birch", Outcome.B, 4))

    found = rate(counts, METHOD).findings

    assert found.position is None
    assert "both orders" in found.position_absent


@pytest.mark.parametrize(("ties", "parameter"), [(Ties.DAVIDSON, 0.5), (Ties.RAO_KUPPER, 1.5)])
def test_a_tie_parameter_comes_with_its_interval(ties: Ties, parameter: float) -> None:
    """Equal models that tie in a fifth of their battles: v / (2 + v) = 1/5, (r - 1) / (r + 1) = 1/5."""
    found = rate(seated(0), replace(METHOD, ties=ties)).findings.tie_parameter

    assert found.estimate == pytest.approx(parameter, abs=1e-9)
    assert found.lower < found.estimate < found.upper


def test_half_ties_say_by_how_much_they_shrink_the_scale() -> None:
    """Davidson's model puts 3 wins to 1 at log 3, whatever the ties; half a win each makes them 2 to 1."""
    counts = count(
        ("ash", "birch", Outcome.A, 60),
        ("ash", "birch", Outcome.B, 20),
        ("ash", "birch", Outcome.TIE, 40),
    )

    slope = rate(counts, METHOD).findings.half_tie_slope

    assert slope == pytest.approx(np.log(2) / np.log(3), abs=1e-9)


def test_without_a_tie_every_model_of_ties_is_the_same() -> None:
    """And the table says that there was nothing to fit."""
    counts = count(("ash", "birch", Outcome.A, 6), ("birch", "ash", Outcome.A, 3))

    davidson = rate(counts, replace(METHOD, ties=Ties.DAVIDSON))

    assert davidson.models == rate(counts, METHOD).models
    assert davidson.findings.tie_parameter is None
    assert any(warning.startswith("ties: ") for warning in davidson.warnings)


@pytest.mark.parametrize(("n", "used"), [(29, Interval.BOOTSTRAP), (30, Interval.SANDWICH)])
def test_the_fewest_results_choose_the_interval(n: int, used: Interval) -> None:
    """Under thirty points for or against, a normal interval is not to be trusted."""
    counts = count(("ash", "birch", Outcome.A, n), ("birch", "ash", Outcome.A, 50))

    table = rate(counts, replace(METHOD, interval=Interval.AUTO))

    assert table.findings.interval is used
    assert f"has {n}" in table.findings.interval_rule
    assert (table.rounds_degenerate is None) == (used is Interval.SANDWICH)


def test_rank_sets_hold_the_rank_and_classes_hold_every_rated_model() -> None:
    """Two models far apart are two classes; two that no vote separates are one."""
    counts = count(
        ("ash", "birch", Outcome.A, 400),
        ("birch", "ash", Outcome.A, 40),
        ("birch", "cedar", Outcome.A, 50),
        ("cedar", "birch", Outcome.A, 50),
    )

    table = rate(counts, METHOD)

    assert [set(members) for members in table.findings.indistinguishable] == [
        {"ash"},
        {"birch", "cedar"},
    ]
    sets = {row.model: (row.rank_set_low, row.rank_set_high) for row in table.models}
    assert sets == {"ash": (1, 1), "birch": (2, 3), "cedar": (2, 3)}
    assert table.models[0].chance_best == 1.0


def test_bars_by_quasi_errors_give_back_the_error_of_a_difference() -> None:
    """Of three models any two bars do so exactly."""
    counts = count(
        ("ash", "birch", Outcome.A, 40),
        ("birch", "ash", Outcome.A, 30),
        ("birch", "cedar", Outcome.A, 25),
        ("cedar", "birch", Outcome.A, 20),
    )

    table = rate(counts, METHOD)

    errors = {row.model: row.quasi_error for row in table.models}
    place = {name: number for number, name in enumerate(table.covariance_models)}
    a, b = place["ash"], place["birch"]
    variance = (
        table.covariance[a, a] + table.covariance[b, b] - 2 * table.covariance[a, b]
    ) * POINTS_PER_LOGIT**2
    assert errors["ash"] ** 2 + errors["birch"] ** 2 == pytest.approx(variance)
    assert table.findings.quasi_worst == pytest.approx(0, abs=1e-6)


def test_leads_say_how_few_votes_hold_them_up() -> None:
    """One more win than losses: without two of them the order turns."""
    counts = count(("ash", "birch", Outcome.A, 11), ("birch", "ash", Outcome.A, 10))

    (flip,) = rate(counts, METHOD).findings.votes_to_flip

    assert (flip.above, flip.below, flip.votes, flip.confirmed) == ("ash", "birch", 2, True)


def test_the_chances_of_the_best_places_add_up() -> None:
    """Among four models one is best, and three are among the best three."""
    counts = count(
        *((NAMES[i], NAMES[j], Outcome.A, 12) for i in range(4) for j in range(4) if i != j)
    )

    chances = rate(counts, METHOD).findings.top_chances

    assert sorted(chances) == ["1", "3"]
    assert sum(chances["1"].values()) == pytest.approx(1)
    assert sum(chances["3"].values()) == pytest.approx(3)
