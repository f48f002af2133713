"""Style is held apart in files and on boards: both readings are kept, and votes without answers are counted."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.errors import InputError
from arena.keys import new_public_id
from arena.rating_runs.board_methods import MethodChange, change_method
from arena.rating_runs.document import as_document
from arena.rating_runs.files import rate_files
from arena.rating_runs.inputs import method_of
from arena.rating_runs.method import Method
from arena.rating_runs.readings import WITHOUT_STYLE
from arena.rating_runs.refitting import refit
from arena.rating_runs.replaying import replay
from arena.rating_runs.requesting import request
from arena.rating_runs.styles import NO_ANSWERS
from arena.store.boards import find_board
from arena.store.preferences import Source
from arena.store.tables import (
    BattleRow,
    BoardRow,
    CompletionRow,
    CompletionStyleRow,
    EventRow,
    ModelRow,
    PromptRow,
    RatingRow,
    RatingRunRow,
    RatingViewRow,
    VoteRow,
)
from arena.terms import BattleState, Cluster, Interval, Outcome
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models

NAMES = ("ash", "birch", "cedar")
# How many words a model usually writes; people like long answers, and the last model writes most.
WORDS = (20, 20, 60)
FOR_LENGTH = 2.0


def votes(n: int, seed: int = 1) -> list[dict[str, str]]:
    """Votes of people who see no merit but length, between models that differ in nothing else."""
    generator, rows = np.random.default_rng(seed), []
    for number in range(n):
        first, second = generator.choice(3, 2, replace=False)
        lengths = [int(generator.gamma(4, WORDS[model] / 4)) + 1 for model in (first, second)]
        lead = FOR_LENGTH * (lengths[0] - lengths[1]) / (sum(lengths) + 1)
        won = generator.random() < 1 / (1 + np.exp(-lead))
        rows.append(
            {
                "model_a": NAMES[first],
                "model_b": NAMES[second],
                "winner": "model_a" if won else "model_b",
                "voter": f"voter {number % 100}",
                "answer_a": "word " * lengths[0],
                "answer_b": "word " * lengths[1],
            }
        )
    return rows


@pytest.fixture
def write(tmp_path: Path) -> Callable[[list[dict[str, str]]], Path]:
    def to_file(rows: list[dict[str, str]]) -> Path:
        path = tmp_path / "votes.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return to_file


def test_a_file_is_rated_with_style_taken_out_and_left_in(
    write: Callable[[list[dict[str, str]]], Path],
) -> None:
    """The long-winded model leads by its length alone, and both readings say so."""
    table = rate_files([write(votes(2000))], Method(style=("length", "lists")))

    plain = {row.model: row.rating for row in table.readings[WITHOUT_STYLE]}
    held = {row.model: row for row in table.models}
    assert plain["cedar"] is not None
    assert plain["cedar"] > 1050
    cedar = held["cedar"]
    assert cedar.lower is not None
    assert cedar.upper is not None
    assert cedar.lower < 1000 < cedar.upper
    assert table.findings.style is not None
    assert table.findings.style["length"].lower > 40
    assert list(table.findings.style) == ["length"]
    assert table.findings.interval is Interval.SANDWICH
    assert any(warning.startswith("style: lists never differ") for warning in table.warnings)
    document = json.loads(json.dumps(as_document(table), allow_nan=False))
    assert document["style"]["length"]["estimate"] > 0
    assert {row["model"]: row["rating"] for row in document["readings"][WITHOUT_STYLE]} == plain


def test_votes_without_answers_are_counted_and_stay_in_the_plain_reading(
    write: Callable[[list[dict[str, str]]], Path],
) -> None:
    """What a reading leaves out is part of what it says."""
    rows = votes(900)
    for row in rows[:100]:
        del row["answer_b"]

    table = rate_files([write(rows)], Method(style=("length",)))

    assert table.excluded == {NO_ANSWERS: 100}
    assert sum(row.battles for row in table.models) == 2 * 800
    assert sum(row.battles for row in table.readings[WITHOUT_STYLE]) == 2 * 900


@pytest.mark.parametrize("cluster", [Cluster.NONE, Cluster.VOTER])
@pytest.mark.parametrize("position", [False, True])
def test_style_goes_with_seats_and_clusters(
    cluster: Cluster, position: bool, write: Callable[[list[dict[str, str]]], Path]
) -> None:
    """Each is one more column or another covariance of the same fit."""
    method = Method(style=("length",), cluster=cluster, position=position)

    table = rate_files([write(votes(900))], method)

    assert table.findings.style is not None
    assert table.findings.position is not None
    assert table.findings.position.lower < 0 < table.findings.position.upper
    assert bool(table.findings.clusters) == (cluster is Cluster.VOTER)


def test_a_file_without_answers_is_refused(write: Callable[[list[dict[str, str]]], Path]) -> None:
    """A table with style held apart that held nothing apart would be a lie."""
    rows = [{name: row[name] for name in ("model_a", "model_b", "winner")} for row in votes(30)]

    with pytest.raises(InputError, match="No vote has both answers"):
        rate_files([write(rows)], Method(style=("length",)))


@pytest.mark.parametrize("style", [("size",), ("length", "length")])
def test_unknown_or_doubled_features_are_refused(style: tuple[str, ...]) -> None:
    """By name, with those that there are."""
    with pytest.raises(InputError, match="style names"):
        Method(style=style)


def add_battles(session: Session, board: BoardRow, rows: list[dict[str, str]]) -> None:
    """Settled votes on kept answers."""
    models: dict[str, ModelRow] = add_models(session, *NAMES)
    for number, row in enumerate(rows):
        prompt = PromptRow(digest=f"style-{number}", text=f"Question {number}?")
        session.add(prompt)
        session.flush()
        answers = []
        for seat in ("a", "b"):
            model = models[row[f"model_{seat}"]]
            answer = CompletionRow(
                board_id=board.id,
                prompt_id=prompt.id,
                model_id=model.id,
                digest=f"{number}-{seat}",
                text=row[f"answer_{seat}"],
            )
            answers.append(answer)
        session.add_all(answers)
        session.flush()
        battle = BattleRow(
            public_id=new_public_id(),
            board_id=board.id,
            prompt_id=prompt.id,
            model_a_id=answers[0].model_id,
            model_b_id=answers[1].model_id,
            completion_a_id=answers[0].id,
            completion_b_id=answers[1].id,
            state=BattleState.REVEALED,
        )
        session.add(battle)
        session.flush()
        outcome = Outcome.A if row["winner"] == "model_a" else Outcome.B
        session.add(VoteRow(battle_id=battle.id, voter=row["voter"], outcome=outcome))
    session.flush()


def test_a_board_holds_style_apart_and_keeps_both_readings(wiring: Wiring) -> None:
    """Measured once, published with the plain reading beside it, and the same when computed again."""
    with wiring.sessions.begin() as session:
        board = add_board(session, style={"features": ["length"]})
        add_battles(session, board, votes(400))
        source = Source(board.id, None)
        request(session, source)

    assert refit(wiring, source) == 1

    with wiring.sessions.begin() as session:
        run = session.scalars(select(RatingRunRow)).one()
        cedar = session.scalars(select(ModelRow.id).where(ModelRow.name == "cedar")).one()
        held = session.get_one(RatingRow, (run.id, cedar))
        plain = session.get_one(RatingViewRow, (run.id, WITHOUT_STYLE, cedar))
        measured = session.scalars(select(CompletionStyleRow)).all()
        again = replay(session, run.id)
    assert held.rating is not None
    assert plain.rating is not None
    assert plain.rating > held.rating + 20
    assert run.findings is not None
    assert run.findings["style"]["length"]["lower"] > 0
    assert len(measured) == 800
    assert again.agrees


def test_a_board_is_told_to_hold_style_apart_and_to_stop(wiring: Wiring) -> None:
    """By the words of the command line, written down like any other setting."""
    with wiring.sessions.begin() as session:
        add_board(session)

    methods = []
    for features in (("length", "bold"), ()):
        with wiring.sessions.begin() as session:
            change_method(session, "people", MethodChange(style=features), actor="kim")
        with wiring.sessions.begin() as session:
            methods.append(method_of(session, find_board(session, "people")).style)
            noted = session.scalars(select(EventRow).order_by(EventRow.id.desc())).first()
            assert noted is not None
            assert "style" in (noted.detail or {})

    assert methods == [("length", "bold"), ()]
