"""The code that the page on migration prints runs, before and after, and finds the same order."""

import re
from pathlib import Path
from typing import Any

import evalica
import numpy as np
import pytest

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "migrate.md"
VOTES = {
    "model_a": ["ash", "birch", "ash", "elm", "elm", "birch", "ash"],
    "model_b": ["birch", "elm", "elm", "ash", "birch", "ash", "birch"],
    "winner": ["model_a", "model_a", "tie", "model_b", "model_a", "model_a", "model_a"],
}
# A row of evalica's for each of these votes.
WINNERS = {"model_a": 1, "model_b": 2, "tie": 0}


def snippets() -> dict[str, str]:
    """Return the blocks of code of the page, by "library before" or "library after"."""
    found = {}
    for library, text in re.findall(r"\n## From (\S+)\n(.*?)(?=\n## )", PAGE.read_text(), re.S):
        for when, code in re.findall(r"```python\n# (\w+)\n(.*?)```", text, re.S):
            found[f"{library} {when}"] = code
    return found


def run(name: str) -> dict[str, Any]:
    """Return the names that a block of code leaves behind; their values are whatever it made."""
    names: dict[str, Any] = {
        "votes": VOTES,
        "xs": VOTES["model_a"],
        "ys": VOTES["model_b"],
        "winners": [evalica.Winner(WINNERS[winner]) for winner in VOTES["winner"]],
        "weights": [1.0] * len(VOTES["winner"]),
    }
    exec(snippets()[name], names)
    return names


def test_the_page_shows_both_libraries_before_and_after() -> None:
    """A heading that moved would leave the tests below with nothing to run."""
    assert list(snippets()) == [
        f"{library} {when}" for library in ("arena-rank", "evalica") for when in ("before", "after")
    ]


def test_the_code_for_arena_rank_runs() -> None:
    """The dict has the keys that the old program reads."""
    found = run("arena-rank after")["found"]

    assert list(found) == ["competitors", "ratings", "rating_lower", "rating_upper", "variances"]
    assert found["competitors"][int(np.argmax(found["ratings"]))] == "ash"


def test_the_code_for_evalica_runs_before_and_after() -> None:
    """Side by side with the library itself."""
    before, after = run("evalica before"), run("evalica after")

    assert before["best"] == after["best"] == "ash"
    for name, score in after["found"].scores.items():
        assert before["found"].scores[name] == pytest.approx(score, rel=1e-4)
