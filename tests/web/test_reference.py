"""What the reference of the HTTP interface must name."""

import re
from pathlib import Path

import pytest

from arena.wiring import Wiring
from web import errors
from web.app import create_app

REFERENCE = (Path(__file__).parents[2] / "docs" / "reference" / "http.md").read_text()
CODES = sorted(
    kind.code
    for kind in vars(errors).values()
    if isinstance(kind, type) and kind.__module__ == errors.__name__
)


def test_every_call_is_documented(wiring: Wiring) -> None:
    """A program that finds an address in the OpenAPI document finds it explained."""
    paths = create_app(wiring).openapi()["paths"]
    calls = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}

    assert {call for call in calls if f"`{call}`" not in REFERENCE} == set()


def test_no_call_is_documented_that_is_not_there(wiring: Wiring) -> None:
    """A promise of an address that answers 404 costs its reader an hour."""
    paths = create_app(wiring).openapi()["paths"]
    documented = re.findall(r"`(GET|POST) (/[^`]*)`", REFERENCE)

    assert documented
    assert [path for method, path in documented if method.lower() not in paths.get(path, {})] == []


@pytest.mark.parametrize("code", CODES)
def test_every_code_of_the_edge_is_documented(code: str) -> None:
    """A program that meets a code can look it up."""
    kept_elsewhere = {"internal"}
    assert code in kept_elsewhere or f"`{code}`" in REFERENCE
