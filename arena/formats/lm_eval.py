"""Results of lm-evaluation-harness, of the generation from 0.4.3 on; older ones are refused by name.

A key of results is `metric,filter`, and each is a cell of its own. The name of a model is read from its
configuration: without a checkpoint argument the tool makes up a random one for its own file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from arena import clock
from arena.errors import FormatError
from arena.evaluation.metrics import Metric, metric_of
from arena.formats.documents import Document, part, pointer, read_document
from arena.formats.rejection import Rejection
from arena.formats.run_records import CellRecord, RunRecord, ScenarioRecord, blank_cell, valued
from arena.hygiene import (
    RefusedError,
    clean_document,
    clean_name,
    clean_text,
    read_instant,
)
from arena.terms import Direction

FORMAT = "lm-eval"
CHECKPOINTS = ("pretrained", "model", "path", "engine")
STDERR = "_stderr"
NO_FILTER = "none"
DIRECTIONS = {True: Direction.HIGHER, False: Direction.LOWER}
# What of the configuration makes two runs of a task different runs.
ADAPTED_BY = ("gen_kwargs", "fewshot_seed", "limit")

Json = dict[str, Any]


def is_results(value: object) -> bool:
    """Whether a document is a file of results of any generation."""
    return bool(part(value, "results")) and "config" in part(value)


def read_lm_eval(path: Path) -> Iterator[RunRecord]:
    """Yield a run for each task and group of a file of results.

    Raises
    ------
    FormatError
        If it is no such file, or one of a generation before 0.4.3.
    """
    document = read_document(path)
    if not is_results(document.value):
        raise FormatError(
            f"{path}: found no results and config; expected results_*.json of lm-eval."
        )
    _refuse_older(document)
    model = _model_name(document)
    for task in document.value["results"]:
        run = _run(document, task, model=model)
        if run.cells or run.left_out:
            yield run


def _refuse_older(document: Document) -> None:
    value = document.value
    if "n-samples" in value and "higher_is_better" in value:
        return
    tasks = [task for task in value["results"].values() if isinstance(task, dict)]
    keys = [key for task in tasks for key in task]
    if any("," in key for key in keys):
        found = "keys as of 0.4.0 to 0.4.2, without n-samples: no number of items to trust"
    elif any(isinstance(each, dict) for task in tasks for each in task.values()):
        found = "results by date, as of the BigScience fork"
    else:
        found = "keys without a filter, as of 0.3"
    raise FormatError(
        f"{document.path}: found {found}; expected the results of lm-eval 0.4.3 or later. Run the task again "
        "with a current version."
    )


def _model_name(document: Document) -> str:
    """Return the checkpoint that was run, with its revision; never the name that the tool made up."""
    config = part(document.value, "config")
    arguments = _arguments(config.get("model_args"))
    given = next((arguments[key] for key in CHECKPOINTS if arguments.get(key)), config.get("model"))
    revision = arguments.get("revision")
    name = f"{given}@{revision}" if revision and revision != "main" else f"{given}"
    try:
        return clean_name(name if given else "")
    except RefusedError as error:
        raise FormatError(
            f"{document.path}: config names no model: found {error.found}."
        ) from error


def _arguments(written: object) -> Mapping[str, object]:
    """Return the arguments of a model, written as a mapping or as `a=b,c=d`."""
    if isinstance(written, dict):
        return written
    pairs = (each.partition("=") for each in str(written or "").split(","))
    return {key.strip(): value.strip() for key, _, value in pairs}


@dataclass(frozen=True)
class _Task:
    """What the file says of one task, apart from its numbers."""

    name: str
    is_group: bool
    n: int | None
    n_total: int | None
    trials: int
    counts: Mapping[str, object]
    directions: Mapping[str, object]


def _run(document: Document, task: str, *, model: str) -> RunRecord:
    value = document.value
    numbers = part(value, "results", task)
    about = _about(value, task)
    cells, left_out = _cells(about, numbers)
    main = next((cell.metric for cell in cells if cell.value is not None), None)
    title = clean_text(str(numbers.get("alias") or task)).strip(" -")
    return RunRecord(
        scenario=ScenarioRecord(name=clean_text(task), title=title or task, main_metric=main),
        model=model,
        name=clean_text(f"{task}:version={part(value, 'versions').get(task)}"),
        format=FORMAT,
        file_name=document.path.name,
        file_sha256=document.sha256,
        adaptation=clean_document(_adaptation(value, task)),
        record=clean_document(_record(value, task)),
        cells=tuple(cells),
        left_out=tuple(left_out),
        tool_version=clean_text(str(value.get("lm_eval_version"))),
        ran_at=_ran_at(value.get("date")),
    )


def _about(value: Json, task: str) -> _Task:
    samples = part(value, "n-samples", task)
    repeats = part(value, "configs", task).get("repeats", 1)
    return _Task(
        name=task,
        is_group=task in part(value, "groups") or bool(part(value, "group_subtasks").get(task)),
        n=_count(samples.get("effective")),
        n_total=_count(samples.get("original")),
        trials=_count(repeats) or 1,
        counts=part(value, "results", task, "sample_count"),
        directions=part(value, "higher_is_better", task),
    )


def _cells(about: _Task, numbers: Json) -> tuple[list[CellRecord], list[Rejection]]:
    cells, left_out = [], []
    for key, found in numbers.items():
        name, comma, filtered = key.partition(",")
        if not comma or name.endswith(STDERR) or not name.strip():
            continue
        try:
            cells.append(_cell(about, key, found, error=numbers.get(f"{name}{STDERR},{filtered}")))
        except RefusedError as error:
            left_out.append(
                Rejection(len(cells) + 1, error.reason, f"{about.name}/{key}: {error.found}")
            )
    return cells, left_out


def _cell(about: _Task, key: str, found: object, *, error: object) -> CellRecord:
    metric = _metric(about, key)
    cell = replace(
        blank_cell(metric, pointer=pointer("results", about.name, key)),
        is_group=about.is_group,
        n=_count(about.counts.get(key)) if about.is_group else about.n,
        n_total=about.n_total,
        trials=about.trials,
    )
    return valued(cell, metric, found, error=error)


def _metric(about: _Task, key: str) -> Metric:
    """Return the metric of a key; the file's own word on its direction comes before ours."""
    stem, _, filtered = key.partition(",")
    metric = metric_of(stem if filtered == NO_FILTER else key)
    said = about.directions.get(stem)
    if isinstance(said, bool):
        return replace(metric, direction=DIRECTIONS[said])
    return replace(metric, direction=Direction.NONE) if about.is_group else metric


def _count(value: object) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else None  # type: ignore[return-value]  # narrowed on the line above


def _adaptation(value: Json, task: str) -> Json:
    config, run = part(value, "configs", task), part(value, "config")
    return {
        "tool": FORMAT,
        "task": {key: each for key, each in config.items() if key != "metadata"},
        "n_shot": part(value, "n-shot").get(task),
        "chat_template_sha": value.get("chat_template_sha"),
        "system_instruction_sha": value.get("system_instruction_sha"),
        **{key: run.get(key) for key in ADAPTED_BY},
    }


def _record(value: Json, task: str) -> Json:
    return {
        "config": value.get("config"),
        "versions": part(value, "versions").get(task),
        "n_samples": part(value, "n-samples").get(task),
        "task_hash": part(value, "task_hashes").get(task),
        "git_hash": value.get("git_hash"),
        "model_source": value.get("model_source"),
        "subtasks": part(value, "group_subtasks").get(task),
    }


def _ran_at(date: object) -> datetime | None:
    try:
        return read_instant(date, now=clock.now()).at
    except RefusedError:
        return None
