"""Which votes of a file are rated."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.rating_runs.files import rate_files
from arena.rating_runs.method import Method
from arena.rating_runs.selecting import OTHER, OUTSIDE, UNTIMED, Selection

METHOD = Method(rounds=20)
APRIL = Selection(since=datetime(2024, 4, 1, tzinfo=UTC), until=datetime(2024, 5, 1, tzinfo=UTC))


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    """Four votes: at the last instant of April, at the first of May, at no time, and of another category."""
    times = ("2024-04-30T23:59:59.999Z", "2024-05-01T00:00:00Z", None, "2024-04-02T00:00:00Z")
    rows = [
        {
            "model_a": "ash",
            "model_b": "birch",
            "winner": "model_a" if number % 2 else "model_b",
            "timestamp": time,
            "category": "maths" if number == 3 else "poems",
            "language": "English",
        }
        for number, time in enumerate(times)
    ]
    path = tmp_path / "votes.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def test_a_window_is_half_open_and_counts_what_it_leaves_out(votes: Path) -> None:
    """Two months side by side share no vote, and a vote without a time is in neither."""
    table = rate_files([votes], METHOD, selection=APRIL)

    assert {row.battles for row in table.models} == {2}
    assert table.excluded == {OUTSIDE: 1, UNTIMED: 1}


@pytest.mark.parametrize(("category", "battles"), [("poems", 3), ("English", 4)])
def test_a_category_is_the_file_s_own_or_a_language(
    votes: Path, category: str, battles: int
) -> None:
    """Nothing is classified here; the file has said it."""
    table = rate_files([votes], METHOD, selection=Selection(category=category))

    assert {row.battles for row in table.models} == {battles}
    assert table.excluded.get(OTHER, 0) == 4 - battles


def test_a_selection_that_takes_nothing_says_why(votes: Path) -> None:
    """An empty table would look like a board without models."""
    with pytest.raises(InputError, match=r"No vote is left to rate \(of other categories 4\)"):
        rate_files([votes], METHOD, selection=Selection(category="law"))


def test_a_window_that_ends_before_it_begins_is_refused() -> None:
    """The two times were exchanged."""
    with pytest.raises(InputError, match="expected an end after the beginning"):
        Selection(since=APRIL.until, until=APRIL.since)
