"""`arena board set`, as a person types it; and the command that a run says rates a file by its method."""

import csv
import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from numpy.testing import assert_allclose
from sqlalchemy import select
from typer.testing import CliRunner

from arena import leaderboard
from arena.cli import app
from arena.store.tables import EventRow, RatingRunRow
from arena.terms import Outcome
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import publish
from tests.arena.rows import add_board, add_models, add_votes

Arena = Callable[..., "subprocess.CompletedProcess[str]"]
LABELS = {
    Outcome.A: "model_a",
    Outcome.B: "model_b",
    Outcome.TIE: "tie",
    Outcome.BOTH_BAD: "tie (bothbad)",
}
NUMBERS = {Outcome.A: 7, Outcome.B: 4, Outcome.TIE: 3, Outcome.BOTH_BAD: 2}
PAIRS = (("ash", "birch"), ("birch", "ash"), ("birch", "cedar"), ("cedar", "birch"))


def add_voted(wiring: Wiring, **settings: object) -> None:
    """Three models in a chain, each pair shown in both orders, with every outcome."""
    with wiring.sessions.begin() as session:
        board = add_board(session, **settings)
        models = add_models(session, "ash", "birch", "cedar")
        for a, b in PAIRS:
            for outcome, n in NUMBERS.items():
                add_votes(session, board, models[a], models[b], outcome=outcome, n=n)


def test_a_board_is_set_shown_and_refitted(arena: Arena, wiring: Wiring) -> None:
    """The whole way: said, written down, asked for, and found again."""
    add_voted(wiring)

    done = arena("board", "set", "people", "--ties", "davidson", "--anchor", "ash=1200")
    shown = arena("board", "show", "people")
    document = json.loads(arena("board", "show", "people", "--json").stdout)

    assert done.returncode == 0, done.stderr
    assert "people: rating run 1 is asked for" in done.stdout
    assert "ties davidson; both bad tie; " in shown.stdout
    assert "anchor ash=1200" in shown.stdout
    assert document["settings"]["anchor"] == {"model": "ash", "points": 1200.0}
    with wiring.sessions() as session:
        assert session.scalars(select(RatingRunRow.state)).one() == "requested"
        assert session.scalars(select(EventRow.action)).all() == ["board.method"]


def test_pairs_and_method_are_set_together_on_a_board_without_votes(
    arena: Arena, wiring: Wiring
) -> None:
    """A board is best set before its first vote; there is nothing to refit then."""
    with wiring.sessions.begin() as session:
        add_board(session)

    done = arena("board", "set", "people", "--pairing", "variance", "--no-position")

    assert done.returncode == 0, done.stderr
    assert "draws pairs by policy variance" in done.stdout
    assert "nothing to refit" in done.stdout


@pytest.mark.parametrize(
    "options",
    [(), ("--epsilon", "0.2"), ("--anchor", "ash"), ("--ties", "thirds"), ("--cluster", "town")],
)
def test_wrong_usage_is_told_from_failure(options: tuple[str, ...]) -> None:
    """Exit 2, before anything is opened."""
    assert CliRunner().invoke(app, ["board", "set", "people", *options]).exit_code == 2


def test_a_number_out_of_range_is_one_clear_line(arena: Arena, wiring: Wiring) -> None:
    """Exit 1 and what was expected; nothing is changed and no refit asked for."""
    add_voted(wiring)

    done = arena("board", "set", "people", "--level", "0.4")

    assert (done.returncode, done.stdout) == (1, "")
    assert "expected a share over 0.5" in done.stderr
    with wiring.sessions() as session:
        assert session.scalars(select(RatingRunRow.id)).all() == []


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"ties": "davidson", "both_bad": "exclude", "interval": "sandwich", "position": True},
        {"ties": "rao-kupper", "interval": "auto", "level": 0.9, "seed": 3, "rounds": 60},
    ],
)
def test_the_command_of_a_run_gives_its_numbers_from_a_file(
    wiring: Wiring, tmp_path: Path, chosen: dict[str, object]
) -> None:
    """Whoever has the votes and no service must come to the same table."""
    add_voted(wiring, **chosen)
    publish(wiring, "people")
    with wiring.sessions() as session:
        view = leaderboard.read_board(session, "people")
    assert view.run is not None
    file = tmp_path / "votes.csv"
    with file.open("w", newline="") as written:
        rows = [(a, b, LABELS[o]) for a, b in PAIRS for o, n in NUMBERS.items() for _ in range(n)]
        csv.writer(written).writerows([("model_a", "model_b", "winner"), *rows])

    command = [str(file) if word == "votes.csv" else word for word in shlex.split(view.run.command)]
    done = CliRunner().invoke(app, [*command[1:], "--json"])

    found = json.loads(done.stdout)["models"]
    for number in ("rating", "lower", "upper", "rank_set_low", "rank_set_high", "chance_best"):
        expected = [getattr(model, number) for model in view.models]
        assert_allclose([model[number] for model in found], expected, atol=1e-6)
