"""Folders of a home: made with the right owner and mode, and refused when they are somebody else's."""

import os
import stat
from pathlib import Path

from arena.embedded.children import ServerUser
from arena.errors import SettingsError

ROOT = 0
TAIL_BYTES = 2000


def make_folder(folder: Path, *, mode: int, owner: ServerUser | None = None) -> None:
    """Make a folder of ours. Folders above that we make are as the umask has them; others are left alone.

    A link counts as what it leads to if we, or root, made it: one of somebody else's in /tmp is a trap.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"{folder} cannot be made: {error.strerror}. Set ARENA_HOME to a folder of yours."
        ) from error
    ours = {os.geteuid()} if owner is None else {os.geteuid(), owner.uid}
    found = folder.lstat()
    if stat.S_ISLNK(found.st_mode) and found.st_uid in {os.geteuid(), ROOT}:
        found = folder.stat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in ours:
        raise SettingsError(
            f"{folder} belongs to somebody else (user {found.st_uid}). Move it away or set ARENA_HOME."
        )
    if owner is not None:
        owner.give(folder)
    folder.chmod(mode)


def check_reachable(path: Path, user: ServerUser, *, setting: str = "ARENA_HOME") -> None:
    """Raise if a server's user cannot get to a path, as far as it exists; the message names the setting to change.

    We open up no folder above the home: that is the operator's to decide.
    """
    for parent in (each for each in path.parents if each.exists()):
        found = parent.stat()
        is_open = found.st_mode & stat.S_IXOTH or found.st_uid == user.uid
        if not is_open:
            raise SettingsError(
                f"Postgres does not run as root, and the user it runs as cannot enter {parent}. "
                f"Set {setting} to a folder that everybody may enter, or run `arena` as an ordinary user."
            )


def read_tail(path: Path) -> str:
    """Return the end of a log."""
    try:
        return path.read_bytes()[-TAIL_BYTES:].decode(errors="replace").strip()
    except FileNotFoundError:
        return ""
