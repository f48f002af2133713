"""The one secret of an installation: made once, whole, and for its owner's eyes."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.errors import SettingsError
from arena.keys import KEY_FILE, installation_key
from arena.settings import Settings

PROCESSES = 8


def test_all_who_start_at_once_have_one_key(tmp_path: Path) -> None:
    """The site and its workers start together; half a key, or two, would sign half of the cookies."""
    homes = [Settings(home=tmp_path / str(number)) for number in range(40)]

    with ThreadPoolExecutor(PROCESSES) as pool:
        keys = [set(pool.map(installation_key, [home] * PROCESSES)) for home in homes]

    assert [len(each) for each in keys] == [1] * len(homes)


def test_the_key_is_its_owners_alone_and_stays(tmp_path: Path) -> None:
    """Nothing else lies beside it, and the next start reads the same."""
    settings = Settings(home=tmp_path)

    key = installation_key(settings)

    assert installation_key(settings) == key
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600


def test_a_damaged_key_file_is_named(tmp_path: Path) -> None:
    """A file that lost its content is not mended by a variable that nobody set."""
    (tmp_path / KEY_FILE).touch()

    with pytest.raises(SettingsError, match=KEY_FILE):
        installation_key(Settings(home=tmp_path))
