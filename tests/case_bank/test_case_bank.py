"""The case bank: real-world faults as small inputs with their right results, each run by the module of its area.

`ARENA_CASES` names another file of the same form: a case is told apart by its kind and the shape of its input,
never by its id, so that unseen cases of the same kinds run the same way.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.case_bank import imports, numbers, queue, rating, times
from tests.case_bank.place import Place
from tests.shared import SHARED

CASES = Path(os.environ.get("ARENA_CASES", SHARED / "cases" / "cases.jsonl"))

# A case answers None when it holds, or "pending: issue N" when issue N builds the part it is about.
Case = dict[str, Any]
RUN: dict[str, Callable[[Case, Place], str | None]] = {
    "rating": rating.run_case,
    "numbers": numbers.run_case,
    "import": imports.run_case,
    "time": times.run_case,
    "queue": queue.run_case,
    "cells": lambda case, place: "pending: issue 4",
    "judge": lambda case, place: "pending: issue 3",
    "api": lambda case, place: "pending: issue 3",
    "web": lambda case, place: "pending: issue 5",
}


def read_cases() -> list[Case]:
    if not CASES.exists():
        return []
    return [json.loads(line) for line in CASES.read_text().splitlines() if line.strip()]


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case["id"])
def test_case(case: Case, request: pytest.FixtureRequest) -> None:
    """What went wrong elsewhere goes right here."""
    pending = RUN[case["area"]](case, Place(request))

    if pending is not None:
        assert pending.startswith("pending: issue ")
        pytest.skip(pending)


def test_the_bank_is_there() -> None:
    """A bank that is not found must not look like one that holds."""
    if not CASES.exists():
        if os.environ.get("ARENA_SHARED_REQUIRED"):
            pytest.fail(f"no case bank at {CASES}")
        pytest.skip(f"shared data absent: {CASES.name} (set ARENA_SHARED or ARENA_CASES)")
    assert read_cases()
