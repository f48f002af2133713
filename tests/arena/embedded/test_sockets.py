"""A socket's path is never longer than the kernel allows."""

import os
from pathlib import Path

import pytest

from arena.embedded.sockets import LONGEST_SOCKET_PATH, POSTGRES_SOCKET, socket_folder

HOMES = [
    Path("/srv/arena"),
    Path("/srv") / ("x" * 78),
    Path("/srv") / ("x" * 200),
    Path("/srv") / ("é" * 50),
]


@pytest.mark.parametrize("home", HOMES)
def test_a_path_fits(home: Path) -> None:
    """107 bytes, not letters: an accent takes two."""
    path = socket_folder(home, "run") / POSTGRES_SOCKET

    assert len(os.fsencode(path)) <= LONGEST_SOCKET_PATH


def test_a_short_home_keeps_its_sockets() -> None:
    """Whoever looks for them looks in the home first."""
    assert socket_folder(Path("/srv/arena"), "run") == Path("/srv/arena/run")


def test_two_deep_homes_do_not_share_a_folder() -> None:
    """A second installation must not talk to the first one's server."""
    one, other = (socket_folder(Path("/srv") / (letter * 200), "run") for letter in "xy")

    assert one != other
