import subprocess
import sys
from collections.abc import Callable

import pytest

from arena.settings import Settings
from tests.processes import environment

Arena = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def arena(settings: Settings) -> Arena:
    """Runs the command in an installation of the test's own."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", "from arena.cli import main; main()", *arguments],
            env=environment(settings),
            capture_output=True,
            text=True,
            check=False,
        )

    return run
