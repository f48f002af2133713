"""Where a case runs: parts are made when a case asks for them."""

from dataclasses import dataclass

import pytest

from arena.wiring import Wiring


@dataclass(frozen=True)
class Place:
    """Hands a case the parts it needs, and starts nothing that it does not."""

    request: pytest.FixtureRequest

    @property
    def wiring(self) -> Wiring:
        """A process's parts over a fresh database."""
        wiring: Wiring = self.request.getfixturevalue("wiring")
        return wiring
