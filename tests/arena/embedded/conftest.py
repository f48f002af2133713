"""Homes for servers that a test starts and ends itself."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.embedded.postgres import EmbeddedPostgres


def new_home(short_folder: Path) -> Path:
    """A new folder that a server's user may enter."""
    folder = Path(tempfile.mkdtemp(dir=short_folder))
    folder.chmod(0o711)
    return folder


@pytest.fixture
def home(short_folder: Path) -> Path:
    return new_home(short_folder)


@pytest.fixture(scope="module")
def cluster(short_folder: Path) -> Path:
    """A home with a cluster, made once for the tests of a file."""
    folder = new_home(short_folder)
    with EmbeddedPostgres(folder):
        return folder


@pytest.fixture(scope="module")
def programs(cluster: Path) -> Path:
    """Postgres' programs where everybody may run them."""
    return EmbeddedPostgres(cluster).bin_dir


@pytest.fixture
def server(cluster: Path) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(cluster) as running:
        yield running
