"""A small category is shown alone, and drawn towards all other votes."""

import json
from pathlib import Path

import numpy as np
import pytest

from arena.rating_runs.drawn import DRAWN
from arena.rating_runs.files import rate_files
from arena.rating_runs.method import Method
from arena.rating_runs.selecting import Selection
from arena.terms import Ties

NAMES = ("ash", "birch", "cedar", "elm")
STRENGTH = np.array([0.9, 0.3, -0.3, -0.9])


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    """4000 votes in English, and 80 in Basque by the same truth."""
    generator, lines = np.random.default_rng(3), []
    for number in range(4080):
        first, second = generator.choice(4, 2, replace=False)
        won = generator.random() < 1 / (1 + np.exp(STRENGTH[second] - STRENGTH[first]))
        row = {
            "model_a": NAMES[first],
            "model_b": NAMES[second],
            "winner": "model_a" if won else "model_b",
            "language": "Basque" if number < 80 else "English",
        }
        lines.append(json.dumps(row) + "\n")
    path = tmp_path / "votes.jsonl"
    path.write_text("".join(lines))
    return path


def test_a_small_category_is_nearer_to_the_truth_and_narrower_when_drawn(votes: Path) -> None:
    """Eighty votes say little; four thousand others say more, and these do not speak against them."""
    table = rate_files([votes], Method(), selection=Selection(category="Basque"))

    alone = {row.model: row for row in table.models}
    drawn = table.readings[DRAWN]
    assert [row.model for row in drawn] == list(NAMES)
    truth = 1000 + 400 / np.log(10) * STRENGTH
    errors = [abs((row.rating or 0) - at) for row, at in zip(drawn, truth, strict=True)]
    own = [abs((alone[name].rating or 0) - at) for name, at in zip(NAMES, truth, strict=True)]
    assert np.square(errors).sum() < np.square(own).sum()
    for row in drawn:
        before = alone[row.model]
        assert row.upper is not None
        assert row.lower is not None
        assert before.upper is not None
        assert before.lower is not None
        assert row.upper - row.lower < before.upper - before.lower
        assert row.battles == before.battles


def test_all_votes_are_drawn_to_nothing(votes: Path) -> None:
    """Without a category there is no rest."""
    assert DRAWN not in rate_files([votes], Method()).readings


def test_only_what_the_drawing_knows_is_drawn(votes: Path) -> None:
    """Half ties have another scale than Davidson's model: no number is better than one that does not fit."""
    method, basque = Method(ties=Ties.DAVIDSON, position=True), Selection(category="Basque")

    assert DRAWN not in rate_files([votes], method, selection=basque).readings
