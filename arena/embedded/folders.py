"""Folders of a home: made with the right owner and mode, and refused when they are somebody else's."""

import os
import stat
from pathlib import Path

from arena.embedded.children import ServerUser
from arena.errors import SettingsError

TAIL_BYTES = 2000


def make_folder(folder: Path, *, mode: int, owner: ServerUser | None = None) -> None:
    """Make a folder of ours. Folders above that we make are as the umask has them; others are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    found = folder.lstat()
    wanted = os.geteuid() if owner is None else owner.uid
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {wanted, os.geteuid()}:
        raise SettingsError(
            f"{folder} belongs to somebody else (user {found.st_uid}). Move it away or set ARENA_HOME."
        )
    if owner is not None:
        owner.give(folder)
    folder.chmod(mode)


def check_reachable(folder: Path, user: ServerUser) -> None:
    """Raise if a server's user cannot get to a folder, as far as it exists.

    We open up no folder above the home: that is the operator's to decide.
    """
    for parent in (each for each in folder.parents if each.exists()):
        found = parent.stat()
        is_open = found.st_mode & stat.S_IXOTH or found.st_uid == user.uid
        if not is_open:
            raise SettingsError(
                f"Postgres does not run as root, and the user it runs as cannot enter {parent}. "
                "Set ARENA_HOME to a folder that everybody may enter, such as /var/lib/arena, "
                "or run `arena` as an ordinary user."
            )


def read_tail(path: Path) -> str:
    """Return the end of a log."""
    try:
        return path.read_bytes()[-TAIL_BYTES:].decode(errors="replace").strip()
    except FileNotFoundError:
        return ""
