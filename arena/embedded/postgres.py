"""An embedded Postgres: made on first start, on a Unix socket alone, gone when we are gone."""

import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import psycopg

from arena.embedded.binaries import find_postgres, readable_copy
from arena.embedded.children import dying_with_parent, server_user
from arena.embedded.folders import check_reachable, make_folder, read_tail
from arena.embedded.sockets import socket_folder
from arena.errors import SettingsError, UnavailableError

ROLE = "arena"
DATABASE = "arena"
CLUSTER = {"auth": "scram-sha-256", "encoding": "UTF8", "locale": "C"}
TRY_PAUSE_SECONDS = 0.25
# As long as it lives it may be repeating a crash's writes, and a large base takes its time.
READY_SECONDS = 600
STOP_SECONDS = 20
POLL_SECONDS = 0.02
# What a server killed a moment ago leaves behind for as long as its own children live.
STILL_ENDING_SECONDS = 15
STILL_ENDING = ("pre-existing shared memory block", "lock file")


class EmbeddedPostgres:
    """A Postgres server of one home. As root it runs as `nobody`, since Postgres refuses root.

    `url` can be asked for before, and without, starting it. Who starts it stops it.
    """

    def __init__(
        self,
        home: Path,
        *,
        bin_dir: Path | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.home = home.absolute()
        self._chosen = bin_dir
        self._options = dict(options or {})
        self._folder = self.home / "postgres"
        self._data = self._folder / "data"
        self._sockets = socket_folder(self._folder, "run")
        self._password = self.home / "postgres.password"
        self._user = server_user()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens, for SQLAlchemy."""
        return self._url(DATABASE)

    @property
    def log(self) -> Path:
        """What it wrote."""
        return self._folder / "log"

    @property
    def bin_dir(self) -> Path:
        """The folder of its programs, as its user reaches them."""
        place = find_postgres(self._chosen)
        if self._user is None:
            return place.folder
        folder = readable_copy(place, self.home)
        setting = "ARENA_HOME" if folder.is_relative_to(self.home) else "ARENA_POSTGRES_BIN"
        check_reachable(folder / "postgres", self._user, setting=setting)
        return folder

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
        """Make the cluster if there is none, start the server, and return when it answers.

        Raises
        ------
        SettingsError
            If the programs are not found, or the server's user cannot reach the home.
        UnavailableError
            If it does not start; the message ends with what it wrote.
        """
        self._prepare_folders()
        programs = self.bin_dir
        if not self._data.exists():
            self._make_cluster(programs)
        end = time.monotonic() + STILL_ENDING_SECONDS
        while not self._comes_up(programs):
            is_ending = any(sign in read_tail(self.log) for sign in STILL_ENDING)
            if not is_ending or time.monotonic() > end:
                self.stop()
                raise UnavailableError(f"Postgres does not start. It wrote:\n{read_tail(self.log)}")
            time.sleep(TRY_PAUSE_SECONDS)
        self._make_database()

    def stop(self) -> None:
        """End it fast: sessions are cut, everything committed stays."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.send_signal(signal.SIGQUIT)
                self.process.wait()
        self.process = None

    def _prepare_folders(self) -> None:
        make_folder(self.home, mode=0o711)
        for folder in (self._folder, self._sockets):
            make_folder(folder, mode=0o711, owner=self._user)
        if self._user is not None:
            check_reachable(self._folder, self._user)

    def _make_cluster(self, programs: Path) -> None:
        """Run initdb beside the place of the cluster and move the whole of it there."""
        for left_behind in self._folder.glob("data.*.unfinished"):
            shutil.rmtree(left_behind)
        unfinished = self._folder / f"data.{os.getpid()}.unfinished"
        secret = self._folder / f"password.{os.getpid()}"
        password = self._make_password()
        secret.touch(mode=0o600)
        secret.write_text(password)
        if self._user is not None:
            self._user.give(secret)
        try:
            options = {"pgdata": unfinished, "username": ROLE, "pwfile": secret} | CLUSTER
            flags = [f"--{name}={value}" for name, value in options.items()]
            self._run([str(programs / "initdb"), *flags, "--no-sync"])
        finally:
            secret.unlink()
        if self._options.get("fsync") != "off":
            os.sync()
        unfinished.rename(self._data)

    def _make_password(self) -> str:
        password = secrets.token_urlsafe(24)
        self._password.touch(mode=0o600)
        self._password.write_text(password)
        return password

    def _run(self, command: list[str]) -> None:
        """Run a program of the server to its end, as the server's user."""
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            cwd="/",
            env=_plain_environment(),
            preexec_fn=dying_with_parent(signal.SIGKILL, self._user),
        )
        if done.returncode != 0:
            raise UnavailableError(
                f"{Path(command[0]).name} ended with {done.returncode}. It wrote:\n{done.stderr.strip()}"
            )

    def _spawn(self, programs: Path) -> subprocess.Popen[bytes]:
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._sockets),
            "unix_socket_permissions": "0777",
        } | self._options
        flags = [word for key, value in options.items() for word in ("-c", f"{key}={value}")]
        with self.log.open("wb") as log:
            return subprocess.Popen(
                [str(programs / "postgres"), "-D", str(self._data), *flags],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd="/",
                env=_plain_environment(),
                start_new_session=True,
                preexec_fn=dying_with_parent(signal.SIGINT, self._user),  # noqa: PLW1509
            )

    def _comes_up(self, programs: Path) -> bool:
        """Start the server and wait until it answers; False if it ended instead."""
        self.process = self._spawn(programs)
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            if self._answers():
                return True
            time.sleep(POLL_SECONDS)
        return False

    def _answers(self) -> bool:
        try:
            psycopg.connect(self._libpq("postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _make_database(self) -> None:
        with psycopg.connect(self._libpq("postgres"), autocommit=True) as connection:
            found = connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,)
            ).fetchone()
            if found is None:
                connection.execute(f"CREATE DATABASE {DATABASE}")

    def _url(self, database: str) -> str:
        return f"postgresql+psycopg{self._address(database)}"

    def _libpq(self, database: str) -> str:
        return f"postgresql{self._address(database)}"

    def _address(self, database: str) -> str:
        try:
            password = f":{quote(self._password.read_text(), safe='')}"
        except FileNotFoundError:
            password = ""
        except PermissionError as error:
            raise SettingsError(
                f"{self._password} cannot be read. Run as the user who ran `arena up`."
            ) from error
        return f"://{ROLE}{password}@/{database}?host={quote(str(self._sockets))}"


def _plain_environment() -> dict[str, str]:
    """Return an environment in which nobody's PG* variables and locale reach the server."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return kept | {"LC_ALL": "C", "TZ": "UTC"}
