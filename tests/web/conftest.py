"""A site, and somebody who visits it."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from arena.log import set_up_logging
from arena.settings import Settings
from arena.wiring import Wiring
from tests.web.site import Visitor, served


@pytest.fixture
def logged(tmp_path: Path) -> Iterator[None]:
    """Log as a site does that opens its own parts."""
    handlers, level = logging.root.handlers[:], logging.root.level
    set_up_logging(Settings(home=tmp_path))
    yield
    logging.root.handlers, logging.root.level = handlers, level
    structlog.reset_defaults()


@pytest.fixture
def site(wiring: Wiring, logged: None) -> Iterator[str]:
    """The address of the site over this test's database."""
    with served(wiring) as base:
        yield base


@pytest.fixture
def visitor(site: str) -> Iterator[Visitor]:
    """A browser with scripts off that has not been here before."""
    with Visitor(site) as client:
        yield client
