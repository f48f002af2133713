"""The product itself, served from a folder that is thrown away."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

READY_SECONDS = 90


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(*options: str) -> Iterator[tuple[int, Path]]:
    """Run `arena up` for a `with` block; yields its port and its home."""
    home = Path(tempfile.mkdtemp(prefix="arena-", dir="/tmp"))
    home.chmod(0o711)
    port = free_port()
    command = [str(Path(sys.executable).parent / "arena"), "up", "--port", str(port), *options]
    log = (home / "up.log").open("wb")
    server = subprocess.Popen(
        command,
        env=os.environ | {"ARENA_HOME": str(home)},
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/readyz", READY_SECONDS)
        yield port, home
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
        log.close()
        shutil.rmtree(home, ignore_errors=True)


def wait_for(url: str, seconds: float) -> None:
    """Return once an address answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return
