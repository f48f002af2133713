"""Run folders of HELM, one or a whole suite: whose run it was, of what, and adapted how."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.errors import FormatError
from arena.formats.documents import Document, part, read_document
from arena.formats.helm_stats import HelmStats
from arena.formats.opening import content_digest
from arena.formats.run_records import CellRecord, RunRecord, ScenarioRecord
from arena.hygiene import RefusedError, clean_document, clean_name, clean_text
from arena.terms import Axis

FORMAT = "helm"
RUN_SPEC, STATS, SCENARIO, SCHEMA = "run_spec.json", "stats.json", "scenario.json", "schema.json"
INSTANCES, STATE = "per_instance_stats.json", "scenario_state.json"
# The model is no part of how it was asked.
NOT_ADAPTATION = ("model", "model_deployment")
MAIN_SPLIT = "test"

Json = dict[str, Any]


def run_folders(path: Path) -> list[Path]:
    """Return the run folders at or under a folder, in order."""
    if (path / RUN_SPEC).exists():
        return [path]
    return sorted(spec.parent for spec in path.rglob(RUN_SPEC)) if path.is_dir() else []


def read_helm(path: Path) -> Iterator[RunRecord]:
    """Yield the run of a run folder, or each run of a suite.

    Raises
    ------
    FormatError
        If there is no run folder, one is not complete, or its files are not what HELM writes.
    """
    folders = run_folders(path)
    if not folders:
        raise FormatError(
            f"{path}: found no {RUN_SPEC}; expected a run folder of HELM, or a folder of them."
        )
    for folder in folders:
        yield _run(folder)


def _run(folder: Path) -> RunRecord:
    spec, stats = _needed(folder, RUN_SPEC), _needed(folder, STATS)
    perturbations = part(spec.value, "data_augmenter_spec").get("perturbation_specs")
    read = HelmStats.of(stats, was_perturbed=bool(perturbations), instances=folder / INSTANCES)
    cells, left_out = read.cells()
    record = {
        "run_spec": spec.value,
        "bookkeeping": read.bookkeeping(),
        "files": {
            name: content_digest(folder / name)
            for name in (RUN_SPEC, STATS, SCENARIO, INSTANCES, STATE)
            if (folder / name).exists()
        },
    }
    adapter = part(spec.value, "adapter_spec")
    return RunRecord(
        scenario=_scenario(folder, spec, cells),
        model=_model(spec),
        name=clean_text(str(part(spec.value).get("name") or folder.name)),
        format=FORMAT,
        file_name=f"{folder.name}/{STATS}",
        file_sha256=stats.sha256,
        adaptation=clean_document(
            {key: value for key, value in adapter.items() if key not in NOT_ADAPTATION}
        ),
        record=clean_document(record),
        cells=cells,
        left_out=left_out,
    )


def _needed(folder: Path, name: str) -> Document:
    if not (folder / name).exists():
        raise FormatError(f"{folder} is not a whole run: {name} is missing. Copy the folder again.")
    return read_document(folder / name)


def _model(spec: Document) -> str:
    """Return the model as the run was asked for; the name of the folder has lost its slash."""
    model = part(spec.value, "adapter_spec").get("model")
    try:
        return clean_name(model if isinstance(model, str) else "")
    except RefusedError as error:
        raise FormatError(
            f"{spec.path}: adapter_spec names no model: found {error.found}."
        ) from error


def _scenario(folder: Path, spec: Document, cells: tuple[CellRecord, ...]) -> ScenarioRecord:
    described = read_document(folder / SCENARIO).value if (folder / SCENARIO).exists() else None
    run_name = str(part(spec.value).get("name") or folder.name)
    stem = clean_text(str(part(described).get("name") or run_name.partition(":")[0]))
    arguments = part(spec.value, "scenario_spec", "args")
    chosen = ",".join(f"{key}={value}" for key, value in sorted(arguments.items()))
    name = clean_text(f"{stem}:{chosen}" if chosen else stem)
    declared = _declared_main(folder, spec)
    plain = [cell for cell in cells if cell.perturbation is None and cell.axis is Axis.ACCURACY]
    splits = [cell.split for cell in plain]
    return ScenarioRecord(
        name=name,
        title=name,
        main_metric=declared.get("main_name") or next((cell.metric for cell in plain), None),
        main_split=declared.get("main_split")
        or (MAIN_SPLIT if MAIN_SPLIT in splits else next(iter(splits), None)),
    )


def _declared_main(folder: Path, spec: Document) -> dict[str, str]:
    """Return the main metric and split of the run's group, where the suite declares them."""
    schema = folder.parent / SCHEMA
    if not schema.exists():
        return {}
    groups = part(spec.value).get("groups") or []
    listed = part(read_document(schema).value).get("run_groups")
    for group in listed if isinstance(listed, list) else ():
        environment = part(group, "environment")
        if part(group).get("name") in groups and environment.get("main_name"):
            return {key: clean_text(str(value)) for key, value in environment.items()}
    return {}
