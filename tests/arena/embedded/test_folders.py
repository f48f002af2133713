"""Folders are made private, and nobody else's are touched."""

import stat
from pathlib import Path

import pytest

from arena.embedded.children import ServerUser
from arena.embedded.folders import check_reachable, make_folder
from arena.errors import SettingsError

STRANGER = ServerUser(uid=54321, gid=54321)


def mode_of(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


def test_a_folder_has_the_mode_it_was_asked_for(tmp_path: Path) -> None:
    """Also when it was there before with another."""
    (tmp_path / "home").mkdir(mode=0o777)

    make_folder(tmp_path / "home", mode=0o700)

    assert mode_of(tmp_path / "home") == 0o700


def test_folders_above_are_left_as_they_are(tmp_path: Path) -> None:
    """Opening /root to let a server in would open everything in it."""
    (tmp_path / "closed").mkdir(mode=0o700)
    home = tmp_path / "closed" / "home"
    make_folder(home, mode=0o711)

    with pytest.raises(SettingsError, match="cannot enter") as caught:
        check_reachable(home / "postgres", STRANGER)

    assert mode_of(tmp_path / "closed") == 0o700
    assert "Set ARENA_HOME" in str(caught.value)


def test_a_link_of_ours_is_followed(tmp_path: Path) -> None:
    """A home on another disk is often a link."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "disk")

    make_folder(tmp_path / "home", mode=0o700)

    assert mode_of(tmp_path / "disk") == 0o700


@pytest.mark.parametrize("kind", ["file", "dangling link", "below a file"])
def test_what_cannot_be_a_folder_is_said_to_be_so(tmp_path: Path, kind: str) -> None:
    """A wrong ARENA_HOME ends in a sentence, not in a traceback."""
    path = tmp_path / "home"
    if kind == "dangling link":
        path.symlink_to(tmp_path / "nowhere")
    else:
        path.touch()

    with pytest.raises(SettingsError, match="Set ARENA_HOME"):
        make_folder(path / "below" if kind == "below a file" else path, mode=0o700)
