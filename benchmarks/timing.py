"""Processor time of a call, and the machine that it was spent on.

Processor time, and the least of a few tries: on a busy machine the wall clock measures the neighbours.
"""

import os
import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

Answer = TypeVar("Answer")


def cpu_seconds(call: Callable[[], Answer], *, tries: int) -> tuple[float, Answer]:
    """Return the least processor time of a call over some tries, and its last answer."""
    spent, answers = [], []
    for _ in range(tries):
        started = time.process_time()
        answers = [call()]
        spent.append(time.process_time() - started)
    return min(spent), answers[-1]


def machine(*distributions: str) -> str:
    """Return one line: processor, cores, Python and the versions of what was measured."""
    versions = ", ".join(f"{name} {version(name)}" for name in distributions)
    return f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, {versions}"


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        for line in facts.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
