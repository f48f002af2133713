"""Results of lm-eval: each metric and filter a cell, and nothing taken at its word that cannot be."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.errors import FormatError
from arena.formats.cells import read_runs
from arena.formats.run_records import CellRecord
from arena.terms import Direction, Missing
from tests.arena.formats.lm_eval_files import write_results
from tests.shared import shared_file


def cell_of(path: Path) -> CellRecord:
    [run] = read_runs(path)
    [cell] = run.cells
    return cell


def test_two_filters_of_a_metric_are_two_cells(tmp_path: Path) -> None:
    """Strict and flexible answers are counted differently."""
    task = {"exact_match,strict-match": 0.5, "exact_match,flexible-extract": 0.7, "alias": "t"}

    [run] = read_runs(write_results(tmp_path / "results_1.json", {"t": task}))

    assert [(cell.metric, cell.value) for cell in run.cells] == [
        ("exact_match,strict-match", 0.5),
        ("exact_match,flexible-extract", 0.7),
    ]
    assert [cell.pointer for cell in run.cells] == [f"/results/t/{key}" for key in list(task)[:2]]


@pytest.mark.parametrize("error", ["N/A", [], None, 0.0, float("nan"), -1])
def test_an_error_that_cannot_be_gives_no_interval(error: Any, tmp_path: Path) -> None:
    """One N/A must not end an import, and a width of zero would be a lie."""
    task = {"bleu,none": 5.7, "bleu_stderr,none": error}

    cell = cell_of(write_results(tmp_path / "results_1.json", {"t": task}))

    assert (cell.value, cell.standard_error, cell.lower) == (5.7, None, None)


def test_a_sound_error_gives_the_normal_interval(tmp_path: Path) -> None:
    """What is no share of items has what the file can tell of its spread."""
    task = {"bleu,none": 50.0, "bleu_stderr,none": 1.0}

    cell = cell_of(write_results(tmp_path / "results_1.json", {"t": task}))

    assert cell.interval_method == "normal"
    assert cell.lower == pytest.approx(48.04, abs=0.001)


def test_all_wrong_has_an_interval_of_some_width(tmp_path: Path) -> None:
    """None of twenty right does not mean that none ever will be."""
    task = {"acc,none": 0.0, "acc_stderr,none": 0.0}

    cell = cell_of(write_results(tmp_path / "results_1.json", {"t": task}))

    assert (cell.lower, cell.interval_method, cell.n) == (0.0, "wilson", 20)
    assert cell.upper == pytest.approx(0.161, abs=0.001)


def test_a_limited_run_says_of_how_many(tmp_path: Path) -> None:
    """Ten of 1,319 look like a full run in the file's own table."""
    path = write_results(
        tmp_path / "results_1.json",
        {"t": {"acc,none": 0.5}},
        **{"n-samples": {"t": {"original": 1319, "effective": 10}}},
    )

    assert (cell_of(path).n, cell_of(path).n_total) == (10, 1319)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "N/A", None, [], 10**400])
def test_a_value_that_is_none_is_absent_with_a_reason(value: Any, tmp_path: Path) -> None:
    """Bare NaN and 1e999 pass as numbers in Python's JSON."""
    cell = cell_of(write_results(tmp_path / "results_1.json", {"t": {"acc,none": value}}))

    assert (cell.value, cell.missing) == (None, Missing.UNDEFINED)


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"model": "hf", "model_args": "pretrained=org/ash,revision=main"}, "org/ash"),
        (
            {"model": "hf", "model_args": {"pretrained": "org/ash", "revision": "step1"}},
            "org/ash@step1",
        ),
        ({"model": "openai", "model_args": "model=birch"}, "birch"),
        ({"model": "dummy", "model_args": {}}, "dummy"),
        ({"model": "dummy", "model_args": None}, "dummy"),
    ],
)
def test_the_model_is_what_was_run(config: dict[str, Any], name: str, tmp_path: Path) -> None:
    """Without a checkpoint the tool makes up a random name, another for each file."""
    [run] = read_runs(
        write_results(tmp_path / "results_1.json", {"t": {"acc,none": 0.5}}, config=config)
    )

    assert run.model == name


def test_groups_are_marked_and_placeholders_dropped(tmp_path: Path) -> None:
    """An average of tasks must not be averaged with them again."""
    results = {
        "all": {" ": " ", "alias": "all", "acc,none": 0.5, "sample_count": {"acc,none": 27}},
        "one": {"acc,none": 0.5},
        "empty": {" ": " ", "alias": "empty"},
    }
    path = write_results(
        tmp_path / "results_1.json",
        results,
        groups={"all": results["all"]},
        higher_is_better={"all": {"acc": None}, "one": {"acc": True}},
    )

    group, leaf = read_runs(path)

    assert (group.cells[0].is_group, group.cells[0].n) == (True, 27)
    assert group.cells[0].direction is Direction.NONE
    assert (leaf.cells[0].is_group, leaf.cells[0].direction) == (False, Direction.HIGHER)


@pytest.mark.parametrize(
    ("results", "found"),
    [
        ({"t": {"acc": 0.5, "acc_stderr": 0.1}}, "as of 0.3"),
        ({"t": {"acc,none": 0.5}}, "0.4.0 to 0.4.2"),
        ({"t": {"2022-07-07": {"acc": 0.5}}}, "BigScience"),
    ],
)
def test_older_generations_are_named_and_refused(
    results: dict[str, Any], found: str, tmp_path: Path
) -> None:
    """They do not say how many items there were."""
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": results, "versions": {}, "config": {"model": "hf"}}))

    with pytest.raises(FormatError, match=found):
        list(read_runs(path))


@pytest.mark.parametrize(
    "others",
    [
        {"groups": None, "versions": [], "configs": {"t": None}, "date": "x"},
        {"n-samples": [], "higher_is_better": 5},
        {"n-samples": {"t": {"effective": -1, "original": True}}},
    ],
)
def test_what_is_not_there_is_no_error(others: dict[str, Any], tmp_path: Path) -> None:
    """Tools leave fields out and write null where there was nothing."""
    path = write_results(tmp_path / "results_1.json", {"t": {"acc,none": 0.5}}, **others)

    assert cell_of(path).value == 0.5


def test_the_made_results_are_read_whole() -> None:
    """A real file: two filters, a group, N/A errors, a perplexity, and a random model name."""
    runs = {
        run.scenario.name: run
        for run in read_runs(shared_file("data", "static", "lm_eval", "generated_0413"))
    }

    assert set(runs) == {"fx_add", "fx_add_a", "fx_add_b", "fx_add_one", "fx_gsm", "fx_ppl"}
    assert {run.model for run in runs.values()} == {"dummy"}
    assert [cell.n for cell in runs["fx_add"].cells] == [27]
    assert runs["fx_add"].cells[0].is_group
    assert runs["fx_ppl"].cells[0].direction is Direction.LOWER
    assert len(runs["fx_gsm"].cells) == 4
