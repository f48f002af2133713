"""Child processes that end with their parent, whatever ends it."""

import ctypes
import os
import pwd
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SET_PARENT_DEATH_SIGNAL = 1
SERVER_USER = "nobody"


@dataclass(frozen=True)
class ServerUser:
    """Whom a server runs as, when we are root and it refuses to be."""

    uid: int
    gid: int

    def give(self, path: Path) -> None:
        """Make a file or folder of ours the user's."""
        os.chown(path, self.uid, self.gid)


def server_user() -> ServerUser | None:
    """Return the user for servers that refuse root, None when we are not root."""
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam(SERVER_USER)
    return ServerUser(entry.pw_uid, entry.pw_gid)


def dying_with_parent(number: signal.Signals, user: ServerUser | None = None) -> Callable[[], None]:
    """Return what a child runs before it becomes the program: change user, then ask for the signal.

    The order matters: changing the user clears the request. If the parent is gone already, the child ends.
    """
    parent = os.getpid()
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def prepare() -> None:
        if user is not None:
            os.setgroups([])
            os.setgid(user.gid)
            os.setuid(user.uid)
        if prctl is not None:
            prctl(SET_PARENT_DEATH_SIGNAL, number)
            if os.getppid() != parent:
                os._exit(1)

    return prepare
