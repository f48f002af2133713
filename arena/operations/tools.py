"""Postgres' own programs, run on our database: psql, pg_dump, pg_restore."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import make_url

from arena.embedded.binaries import find_postgres
from arena.errors import SettingsError, UnavailableError
from arena.settings import Settings
from arena.store.engine import libpq_url


def program(settings: Settings, name: str) -> Path:
    """Return one of Postgres' programs: beside the server's, else on PATH."""
    beside = find_postgres(settings.postgres_bin).folder / name
    if beside.is_file():
        return beside
    on_path = shutil.which(name)
    if on_path is None:
        raise SettingsError(
            f"{name} was found neither in {beside.parent} nor on PATH. Install Postgres' client programs, "
            "or set ARENA_POSTGRES_BIN to their folder."
        )
    return Path(on_path)


def run(settings: Settings, name: str, arguments: Sequence[str], *, url: str) -> None:
    """Run a program on a database to its end; what it complained of is in the error."""
    done = subprocess.run(
        [program(settings, name), f"--dbname={_without_password(url)}", *arguments],
        check=False,
        env=_with_password(url),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        raise UnavailableError(f"{name} ended with {done.returncode}: {done.stderr.strip()}")


def become(settings: Settings, name: str, arguments: Sequence[str], *, url: str) -> None:
    """Become a program on a database: this process ends as it."""
    path = str(program(settings, name))
    words = [path, f"--dbname={_without_password(url)}", *arguments]
    os.execve(path, words, _with_password(url))


def _without_password(url: str) -> str:
    """Return the address alone: everybody on the machine can read the words of a command."""
    address = make_url(libpq_url(url))
    return address._replace(password=None).render_as_string(hide_password=False)


def _with_password(url: str) -> dict[str, str]:
    password = make_url(url).password
    return dict(os.environ) | ({"PGPASSWORD": str(password)} if password is not None else {})
