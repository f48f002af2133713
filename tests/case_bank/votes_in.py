"""Cases of votes on their way in: what is a vote at all, and what is refused."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from sqlalchemy import func, select

from arena.errors import ConflictError
from arena.formats.rejection import Rejection
from arena.formats.vote_records import VoteRecord
from arena.formats.votes import read_votes
from arena.rating_runs.files import count_file
from arena.store.tables import BattleRow
from arena.terms import Outcome
from arena.voting import draw_battle
from tests.arena.rows import add_board, add_models, add_pool
from tests.case_bank.board_checks import OUTCOME_OF
from tests.case_bank.place import Place


def check_labels(given: Mapping[str, Any], expected: Mapping[str, Any], place: Place) -> None:
    """Declared labels are read, all others rejected by their row; none becomes a tie by default."""
    assert expected["importer_may_map_only_declared_aliases"]
    assert expected["none_counted_as_tie_by_default"]
    assert expected["others"] == "rejected with row number and reason=unknown_winner"
    rows = [{"model_a": "ash", "model_b": "birch", "winner": label} for label in given["rows"]]
    with TemporaryDirectory() as folder:
        found = list(read_votes(write_lines(Path(folder), rows)))
    for number, (label, one) in enumerate(zip(given["rows"], found, strict=True), 1):
        if label in expected["accepted"]:
            assert isinstance(one, VoteRecord)
            assert one.outcome is OUTCOME_OF[expected["accepted"][label]]
        else:
            assert isinstance(one, Rejection)
            assert (one.line, one.reason) == (number, "unknown_winner")
    accepted = [label for label in given["rows"] if label in expected["accepted"]]
    ties = Counter(one.outcome for one in found if isinstance(one, VoteRecord))[Outcome.TIE]
    assert ties == sum(expected["accepted"][label] == "tie" for label in accepted)


def check_events(given: Mapping[str, Any], expected: Mapping[str, Any], place: Place) -> None:
    """A reaction to one answer compares nothing: of a log of both, only the votes are read."""
    assert expected["likes_do_not_enter_bt"]
    names = [event["model"] for event in given["events"] if "model" in event]
    pair = dict(zip(("model_a", "model_b"), dict.fromkeys(names), strict=True))
    rows = [
        pair | {"winner": event["vote"]} if "vote" in event else event for event in given["events"]
    ]
    with TemporaryDirectory() as folder:
        counts = count_file(write_lines(Path(folder), rows)).counts
    assert counts.n.sum() == expected["battles_counted"]
    assert sum(counts.excluded.values()) == sum("reaction" in event for event in given["events"])


def check_one_model(given: Mapping[str, Any], expected: Mapping[str, Any], place: Place) -> None:
    """A model is not shown against itself, and no file may say that it was."""
    assert expected["import_of_self_battle"] == "rejected reason=self_battle"
    wiring = place.wiring
    with wiring.sessions.begin() as session:
        board = add_board(session)
        models = add_models(session, *given["enabled_models"])
        add_pool(session, board, models, prompts=3)
        with pytest.raises(ConflictError) as refused:
            draw_battle(
                session,
                board.name,
                "voter",
                generator=np.random.default_rng(0),
                settings=wiring.settings,
            )
        drawn = session.scalar(select(func.count()).select_from(BattleRow))
    assert (refused.value.status, refused.value.code) == (expected["http"], expected["error_code"])
    assert bool(drawn) is expected["battle_created"]
    name = given["enabled_models"][0]
    row = {"model_a": name, "model_b": name, "winner": "tie"}
    with TemporaryDirectory() as folder:
        (found,) = read_votes(write_lines(Path(folder), [row]))
    assert isinstance(found, Rejection)
    assert found.reason == "self_battle"


def write_lines(folder: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    path = folder / "votes.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
