"""Run folders of HELM, as small as a test needs."""

import json
from pathlib import Path
from typing import Any

SPEC: dict[str, Any] = {
    "name": "facts:subject=rivers,model=org_ash-7b",
    "scenario_spec": {"class_name": "x.FactsScenario", "args": {"subject": "rivers"}},
    "adapter_spec": {"method": "generation", "model": "org/ash-7b", "max_tokens": 5},
    "data_augmenter_spec": {"perturbation_specs": []},
    "groups": ["facts"],
}
ROBUSTNESS = {"name": "robustness", "robustness": True, "fairness": False, "computed_on": "worst"}
TYPOS = {"name": "typos", "robustness": True, "fairness": False, "computed_on": "perturbed"}


def stat(
    name: str, mean: float | None, *, count: int = 1, perturbation: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A statistic of the test split; without a mean it counts nothing."""
    named: dict[str, Any] = {"name": name, "split": "test"}
    if perturbation:
        named["perturbation"] = perturbation
    if mean is None:
        return {"name": named, "count": 0, "sum": 0}
    return {"name": named, "count": count, "sum": mean * count, "mean": mean}


def write_run(
    folder: Path,
    stats: list[dict[str, Any]],
    *,
    instances: list[dict[str, Any]] | None = None,
    spec: dict[str, Any] = SPEC,
) -> Path:
    """Write a run folder, with a file of instances if there are some."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run_spec.json").write_text(json.dumps(spec))
    (folder / "stats.json").write_text(json.dumps(stats))
    (folder / "scenario.json").write_text(json.dumps({"name": "facts"}))
    if instances is not None:
        (folder / "per_instance_stats.json").write_text(json.dumps(instances))
    return folder
