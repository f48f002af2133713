"""An embedded Valkey: on a Unix socket alone, with an append-only file, gone when we are gone."""

import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import redis

from arena.embedded.binaries import find_valkey
from arena.embedded.children import dying_with_parent
from arena.embedded.folders import make_folder, read_tail
from arena.embedded.sockets import socket_folder
from arena.errors import UnavailableError

READY_SECONDS = 20
STOP_SECONDS = 10
POLL_SECONDS = 0.01


class EmbeddedValkey:
    """A Valkey server of one home; its folder is its owner's alone, so its socket needs no password.

    `url` can be asked for before, and without, starting it. Who starts it stops it.
    """

    def __init__(self, home: Path, *, bin_dir: Path | None = None) -> None:
        self.home = home.absolute()
        self._chosen = bin_dir
        self._folder = self.home / "valkey"
        self._socket = socket_folder(self._folder, "run") / "valkey.sock"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens, for redis-py and RQ."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def log(self) -> Path:
        """What it wrote."""
        return self._folder / "log"

    def __enter__(self) -> Self:
        """Start it."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop it."""
        self.stop()

    def start(self) -> None:
        """Start the server and return when it answers.

        Raises
        ------
        SettingsError
            If its program is not found.
        UnavailableError
            If it does not start; the message ends with what it wrote.
        """
        program = find_valkey(self._chosen)
        make_folder(self.home, mode=0o711)
        for folder in (self._folder, self._socket.parent):
            make_folder(folder, mode=0o700)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [str(program), *self._flags()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dying_with_parent(signal.SIGTERM),  # noqa: PLW1509
            )
        if not self._becomes_ready():
            self.stop()
            raise UnavailableError(f"Valkey does not start. It wrote:\n{read_tail(self.log)}")

    def stop(self) -> None:
        """End it; its append-only file is written out first."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def _flags(self) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._folder),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "daemonize": "no",
        }
        return [word for key, value in settings.items() for word in (f"--{key}", value)]

    def _becomes_ready(self) -> bool:
        assert self.process is not None
        client = redis.Redis.from_url(self.url)
        end = time.monotonic() + READY_SECONDS
        try:
            while time.monotonic() < end and self.process.poll() is None:
                try:
                    client.ping()
                except redis.RedisError:
                    time.sleep(POLL_SECONDS)
                else:
                    return True
        finally:
            client.close()
        return False
