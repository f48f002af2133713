"""A site, and somebody who visits it."""

from collections.abc import Iterator

import pytest

from arena.wiring import Wiring
from tests.web.site import Visitor, served


@pytest.fixture
def site(wiring: Wiring) -> Iterator[str]:
    """The address of the site over this test's database."""
    with served(wiring) as base:
        yield base


@pytest.fixture
def visitor(site: str) -> Iterator[Visitor]:
    """A browser with scripts off that has not been here before."""
    with Visitor(site) as client:
        yield client
