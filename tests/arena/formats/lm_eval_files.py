"""Results of lm-eval, as small as a test needs."""

import json
from pathlib import Path
from typing import Any

ARGUMENTS = "pretrained=org/ash-7b,dtype=float16"


def write_results(path: Path, results: dict[str, Any], **others: Any) -> Path:
    """Write a file of the current generation around its results."""
    document = {
        "results": results,
        "higher_is_better": {},
        "n-samples": {task: {"original": 20, "effective": 20} for task in results},
        "config": {"model": "hf", "model_args": ARGUMENTS, "limit": None},
        "versions": dict.fromkeys(results, 1),
        "lm_eval_version": "0.4.13",
        "date": 1714000000.0,
        "model_name": "hxmgsbd9",
    }
    path.write_text(json.dumps(document | others))
    return path
