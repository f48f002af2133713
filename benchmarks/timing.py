"""Processor time of a call, and the machine that it was spent on.

Processor time, and the least of a few tries: on a busy machine the wall clock measures the neighbours.
"""

import os
import platform
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
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
    """Return one line: processor, cores, load, Python and the versions of what is installed of these."""
    versions = ", ".join(f"{name} {found}" for name in distributions if (found := _version(name)))
    load = f"load {os.getloadavg()[0]:.0f}"
    python = f"Python {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores, {load}, {python}, {versions}"


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        for line in facts.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
