import ast
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = "holistic-arena"
PACKAGES = ("arena", "judges", "ranking", "web")


@pytest.mark.parametrize("package", PACKAGES)
def test_nobody_else_installed_a_package_of_our_name(package: str) -> None:
    """Pip lets another distribution overwrite ours without a word."""
    owners = set(packages_distributions().get(package, [OURS]))

    assert owners <= {OURS}


def test_the_wheel_holds_the_four_packages_and_nothing_beside() -> None:
    """A fifth top-level name would be a surprise in somebody's environment."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())

    listed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

    assert sorted(listed) == list(PACKAGES)


def test_torch_is_an_extra_of_one_version() -> None:
    """As a base dependency it would cost every user gigabytes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert project["optional-dependencies"]["torch"] == ["torch==2.13.0"]
    assert not [each for each in project["dependencies"] if each.startswith("torch")]


def test_every_locked_requirement_has_a_hash() -> None:
    """What make and CI install is exactly what was reviewed."""
    for lock in ("requirements.lock", "requirements-test.lock"):
        blocks = (ROOT / lock).read_text().replace("\\\n", " ").splitlines()
        pinned = [line for line in blocks if "==" in line and not line.lstrip().startswith("#")]
        assert pinned
        assert [line for line in pinned if "--hash=sha256:" not in line] == []


def test_no_module_does_work_when_it_is_imported() -> None:
    """Opening files, sockets or clocks at import makes order matter."""
    forbidden = {"open", "print", "connect", "create_engine", "now"}
    found = []
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                    name = ast.unparse(node.value.func).rpartition(".")[2]
                    if name in forbidden:
                        found.append(f"{path.relative_to(ROOT)}:{node.lineno}")

    assert found == []
