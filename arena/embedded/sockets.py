"""Where the servers' sockets lie: in the home, or, where its path is too long, in a short folder of its own."""

import hashlib
import os
import sys
from pathlib import Path

LONGEST_SOCKET_PATH = 103 if sys.platform == "darwin" else 107
POSTGRES_SOCKET = ".s.PGSQL.5432"


def socket_folder(home: Path, name: str) -> Path:
    """Return the folder for a server's socket. A socket's path may have about a hundred bytes, which a deep home exceeds."""
    folder = home / name
    if len(os.fsencode(folder / POSTGRES_SOCKET)) <= LONGEST_SOCKET_PATH:
        return folder
    digest = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    return Path("/tmp") / f"arena-{digest}"  # noqa: S108  (made private, and refused if somebody else owns it)
