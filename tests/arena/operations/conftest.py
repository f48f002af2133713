"""Installations in short folders."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.settings import Settings
from tests.arena.operations.installation import Installation, arena_up


def new_home(short_folder: Path) -> Path:
    """A new folder that a server's user may enter."""
    folder = Path(tempfile.mkdtemp(dir=short_folder))
    folder.chmod(0o711)
    return folder


@pytest.fixture
def home(short_folder: Path) -> Path:
    return new_home(short_folder)


@pytest.fixture(scope="module")
def installation(short_folder: Path) -> Iterator[Installation]:
    """An `arena up` with everything embedded, for the tests of a file."""
    with arena_up(Settings(home=new_home(short_folder))) as running:
        running.wait_until_whole()
        yield running
