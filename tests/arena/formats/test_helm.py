"""HELM's files say less than they seem to, and only that becomes a cell."""

from pathlib import Path

import pytest

from arena.errors import FormatError
from arena.formats.cells import read_runs
from arena.formats.run_records import CellRecord, RunRecord
from arena.terms import Axis, Missing
from ranking import wilson
from tests.arena.formats.helm_folders import ROBUSTNESS, SPEC, TYPOS, stat, write_run
from tests.shared import shared_file

PERTURBED = SPEC | {"data_augmenter_spec": {"perturbation_specs": [{"class_name": "x.Typos"}]}}


def cells_of(run: RunRecord) -> dict[tuple[str, str | None, str | None], CellRecord]:
    return {(cell.metric, cell.split, cell.perturbation): cell for cell in run.cells}


def test_n_is_the_items_and_never_the_trials(tmp_path: Path) -> None:
    """`count` is 3 where twelve items were asked three times."""
    stats = [stat("exact_match", 0.75, count=3), stat("num_instances", 12.0, count=3)]

    [run] = read_runs(write_run(tmp_path / "run", stats))

    [cell] = run.cells
    assert (cell.n, cell.trials, cell.interval_method) == (12, 3, "wilson")
    assert (cell.lower, cell.upper) == wilson(9, 12)


def test_items_are_counted_where_no_file_says_how_many(tmp_path: Path) -> None:
    """Older runs have only their rows; a row of each trial is still one item."""
    items = [
        {
            "instance_id": f"id{item}",
            "train_trial_index": trial,
            "stats": [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": 1.0}],
        }
        for item in range(4)
        for trial in range(3)
    ]

    [run] = read_runs(
        write_run(tmp_path / "run", [stat("exact_match", 1.0, count=3)], instances=items)
    )

    assert [cell.n for cell in run.cells] == [4]


def test_without_a_number_of_items_there_is_no_interval(tmp_path: Path) -> None:
    """An interval from a guess would be a lie."""
    [run] = read_runs(write_run(tmp_path / "run", [stat("exact_match", 0.5, count=3)]))

    [cell] = run.cells
    assert (cell.value, cell.n, cell.lower, cell.interval_method) == (0.5, None, None, None)


def test_a_worst_case_of_nothing_perturbed_is_no_cell(tmp_path: Path) -> None:
    """HELM writes the plain score under the name of robustness."""
    stats = [stat("exact_match", 0.5), stat("exact_match", 0.5, perturbation=ROBUSTNESS)]

    [run] = read_runs(write_run(tmp_path / "run", stats))

    assert [cell.perturbation for cell in run.cells] == [None]
    assert [each.reason for each in run.left_out] == ["worst_without_perturbation"]


def test_the_worst_of_what_should_be_low_is_its_best(tmp_path: Path) -> None:
    """The smallest run time is no worst case."""
    stats = [
        stat(metric, 0.5, perturbation=perturbation)
        for metric in ("exact_match", "inference_runtime")
        for perturbation in (TYPOS, ROBUSTNESS)
    ]

    [run] = read_runs(write_run(tmp_path / "run", stats, spec=PERTURBED))

    assert set(cells_of(run)) == {
        ("exact_match", "test", "typos"),
        ("exact_match", "test", "robustness/worst"),
        ("inference_runtime", "test", "typos"),
    }
    assert {cell.axis for cell in run.cells} == {Axis.ROBUSTNESS, Axis.EFFICIENCY}
    assert [each.reason for each in run.left_out] == ["worst_is_smallest"]


def test_sentinels_of_no_logprobs_are_absent(tmp_path: Path) -> None:
    """A perplexity of 1 would be perfect; here it means that there is none."""
    stats = [
        stat("logprob", 0.0),
        stat("perplexity", 1.0),
        stat("max_prob", 1.0),
        stat("exact_match", 1.0),
    ]

    [run] = read_runs(write_run(tmp_path / "run", stats))

    missing = {cell.metric: cell.missing for cell in run.cells}
    assert missing == dict.fromkeys(
        ["logprob", "perplexity", "max_prob"], Missing.NOT_APPLICABLE
    ) | {"exact_match": None}


@pytest.mark.parametrize("mean", [None, float("nan"), float("inf")])
def test_a_statistic_without_a_value_is_absent_with_a_reason(
    mean: float | None, tmp_path: Path
) -> None:
    """Nothing is shown as 0 that was never computed."""
    [run] = read_runs(write_run(tmp_path / "run", [stat("exact_match", mean)]))

    [cell] = run.cells
    assert (cell.value, cell.missing) == (None, Missing.UNDEFINED)
    assert cell.reason


def test_two_values_of_one_cell_are_both_said(tmp_path: Path) -> None:
    """Which of them is right is not ours to choose."""
    stats = [stat("exact_match", 0.5), stat("exact_match", 0.5), stat("exact_match", 0.7)]

    [run] = read_runs(write_run(tmp_path / "run", stats))

    [cell] = run.cells
    assert cell.missing is Missing.UNDEFINED
    assert cell.reason == "The file says 0.5 at /0 and 0.7 at /2."


def test_names_from_before_computed_on_are_refused(tmp_path: Path) -> None:
    """The same words meant other things then."""
    old = {"name": "typos", "robustness": True, "fairness": False}

    [run] = read_runs(write_run(tmp_path / "run", [stat("exact_match", 0.5, perturbation=old)]))

    assert run.cells == ()
    assert [each.reason for each in run.left_out] == ["old_perturbation_name"]


def test_a_per_cent_among_shares_is_refused(tmp_path: Path) -> None:
    """50 on a column of shares is a mistake of a hundred."""
    [run] = read_runs(write_run(tmp_path / "run", [stat("exact_match", 50.0)]))

    assert [each.reason for each in run.left_out] == ["scale_not_declared"]


def test_the_model_is_read_from_the_adapter(tmp_path: Path) -> None:
    """The folder's name has lost its slash, and old runs have no deployment."""
    [run] = read_runs(write_run(tmp_path / "run", [stat("exact_match", 0.5)]))

    assert run.model == "org/ash-7b"
    assert "model" not in run.adaptation
    assert run.scenario.name == "facts:subject=rivers"


def test_half_a_run_is_refused(tmp_path: Path) -> None:
    """A run that was cut off has no scores."""
    folder = write_run(tmp_path / "run", [])
    (folder / "stats.json").unlink()

    with pytest.raises(FormatError, match=r"stats\.json is missing"):
        list(read_runs(folder))


def test_the_public_mmlu_run_has_nine_items() -> None:
    """A real folder: nine of test, one of valid, no log-probabilities, nothing perturbed."""
    [run] = read_runs(shared_file("data", "static", "helm"))

    cells = cells_of(run)
    assert run.model == "openai/gpt2"
    assert run.scenario.name == "mmlu:subject=philosophy"
    assert cells["exact_match", "test", None].n == 9
    assert cells["exact_match", "valid", None].n == 1
    assert cells["exact_match", "test", None].value == pytest.approx(1 / 9)
    assert cells["perplexity", "test", None].missing is Missing.NOT_APPLICABLE
    assert cells["training_co2_cost", "test", None].missing is Missing.UNDEFINED
    assert not [cell for cell in run.cells if cell.perturbation]


def test_the_made_suite_has_its_known_numbers() -> None:
    """Two models, with and without perturbations: what HELM itself computed, and nothing that it made up."""
    runs = {run.name: run for run in read_runs(shared_file("data", "static", "helm_generated"))}

    plain = cells_of(runs["everyday_mcqa:model=fake_alpha"])
    perturbed = cells_of(runs["everyday_mcqa:model=fake_alpha,data_augmentation=canonical"])
    assert len(runs) == 4
    assert plain["exact_match", "test", None].value == pytest.approx(0.771429, abs=1e-6)
    assert plain["exact_match", "test", None].n == 35
    assert plain["ece_10_bin", "test", None].value == pytest.approx(0.188411, abs=1e-6)
    assert ("exact_match", "test", "robustness/worst") not in plain
    assert perturbed["exact_match", "test", "robustness/worst"].value == pytest.approx(
        0.611111, abs=1e-6
    )
    assert perturbed["exact_match", "test", "fairness/worst"].value == pytest.approx(
        0.694444, abs=1e-6
    )
    assert (
        perturbed["exact_match", "test", None].n,
        perturbed["exact_match", "test", None].trials,
    ) == (12, 3)
    gender = [
        cell
        for key, cell in perturbed.items()
        if key[0] == "exact_match" and "gender" in str(key[2])
    ]
    assert {cell.n for cell in gender} == {5}
