"""The cells of the demo are scored, and what could not be measured says why."""

from arena.demo.content import read_scenarios
from arena.demo.scoring import Absence, ScoredRun, score_runs
from arena.evaluation.scoring import Share
from arena.terms import Missing


def run_of(scenario_name: str, model: str) -> ScoredRun | None:
    """The run of a contestant over a scenario, if it has one."""
    (scenario,) = [each for each in read_scenarios() if each.name == scenario_name]
    runs = {run.model: run for run in score_runs(scenario)}
    return runs.get(model)


def test_a_whole_run_has_a_share_of_all_its_items() -> None:
    """The n beside a cell is the number of items that were answered."""
    run = run_of("demo-arithmetic", "tidewit-mini")
    assert run is not None
    cell = run.cell("final_number_match")
    right = sum(each.marks["final_number_match"] for each in run.marked)
    assert isinstance(cell, Share)
    assert (cell.n, cell.value) == (40, right / 40)
    assert cell.lower < cell.value < cell.upper


def test_a_run_that_broke_off_has_no_share_of_its_first_half() -> None:
    """The first items are another test than all of them."""
    run = run_of("demo-arithmetic", "driftwing-7")
    assert run is not None
    cell = run.cell("final_number_match")
    assert isinstance(cell, Absence)
    assert cell.kind is Missing.FAILED
    assert "after 19 of 40 items" in cell.reason


def test_calibration_without_probabilities_is_not_applicable() -> None:
    """An absent calibration error is no calibration error of zero."""
    run = run_of("demo-facts", "fenwarble-2")
    assert run is not None
    cell = run.cell("ece_10_bin")
    assert isinstance(cell, Absence)
    assert cell.kind is Missing.NOT_APPLICABLE


def test_a_contestant_that_was_never_asked_has_no_run() -> None:
    """Nothing is recorded of it, and nothing is made up for it."""
    assert run_of("demo-facts", "stubfinch-1") is None


def test_the_lenient_metric_is_never_below_the_strict_one() -> None:
    """Whatever matches exactly matches without its punctuation, too."""
    for model in ("grandcrake-xl", "merrypip-chat"):
        run = run_of("demo-facts", model)
        assert run is not None
        strict, lenient = run.cell("exact_match"), run.cell("quasi_exact_match")
        assert isinstance(strict, Share)
        assert isinstance(lenient, Share)
        assert strict.value < lenient.value
