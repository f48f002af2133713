"""Real data that lies beside the checkout and is never committed; absent in a bare clone."""

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("ARENA_SHARED", Path(__file__).parents[2] / "shared"))


def shared_file(*parts: str) -> Path:
    """Return a file of the shared data, or skip the test by naming what is absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        if os.environ.get("ARENA_SHARED_REQUIRED"):
            pytest.fail(f"shared data absent although required: {'/'.join(parts)}")
        pytest.skip(f"shared data absent: {'/'.join(parts)} (set ARENA_SHARED)")
    return path
