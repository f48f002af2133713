"""Which code made a number."""

import platform
from importlib.metadata import version

NUMBERS_FROM = ("holistic-arena", "numpy", "scipy")


def code_versions() -> dict[str, str]:
    """Return the versions of all that a rating depends on."""
    return {name: version(name) for name in NUMBERS_FROM} | {"python": platform.python_version()}
