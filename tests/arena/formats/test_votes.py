"""Votes are read from the public layouts, and nothing in them is guessed."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.errors import FormatError
from arena.formats.vote_columns import OUTCOMES, read_vote_columns
from arena.formats.votes import Rejection, VoteRecord, read_votes, sniff
from arena.terms import Outcome
from tests.arena.formats.files import VOTES, write_jsonl, write_parquet
from tests.shared import shared_file

ASKED = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "Because."}]
PARTS = [{"role": "user", "content": [{"type": "text", "text": "Why?"}], "num_tokens": 2}]
CAST = datetime(2024, 4, 24, 23, 6, 40, tzinfo=UTC)
PAIR = {"model_a": "ash", "model_b": "birch"}

CONVERSATIONS_33K = {
    **PAIR, "question_id": "q1", "winner": "tie (bothbad)", "judge": "arena_user_9", "turn": 1,
    "anony": True, "language": "English", "tstamp": 1714000000.0, "conversation_a": ASKED,
    "conversation_b": ASKED,
}  # fmt: skip
PREFERENCES_140K = {
    **PAIR, "id": "q1", "winner": "both_bad", "evaluation_session_id": "arena_user_9",
    "evaluation_order": 1, "conversation_a": PARTS, "conversation_b": PARTS, "language": "English",
    "timestamp": "2024-04-24T23:06:40Z",
}  # fmt: skip
KAGGLE_55K = {
    **PAIR, "id": 30192, "prompt": '["Why?", "And then?"]', "response_a": '["x"]', "response_b": '["y"]',
    "winner_model_a": 0, "winner_model_b": 1, "winner_tie": 0,
}  # fmt: skip
CLEAN_BATTLE = {
    **PAIR, "winner": "model_b", "judge": "arena_user_9", "turn": 1, "anony": True,
    "language": "English", "tstamp": 1714000000.0,
}  # fmt: skip


def votes_of(rows: list[dict[str, Any]], folder: Path) -> list[VoteRecord | Rejection]:
    return list(read_votes(write_jsonl(folder / "votes.jsonl", rows)))


@pytest.mark.parametrize("row", [CONVERSATIONS_33K, PREFERENCES_140K], ids=["33k", "140k"])
def test_both_layouts_of_the_arena_say_the_same(row: dict[str, Any], tmp_path: Path) -> None:
    """Two words for both bad, two names for voter, time and key: one vote."""
    [vote] = votes_of([row], tmp_path)

    assert vote == VoteRecord(
        line=1, model_a="ash", model_b="birch", outcome=Outcome.BOTH_BAD, voter="arena_user_9",
        prompt="Why?", battle_key="q1", language="English", cast_at=CAST,
    )  # fmt: skip


def test_kaggle_rows_have_one_winner_of_three(tmp_path: Path) -> None:
    """Flags that say two things at once say nothing."""
    both = KAGGLE_55K | {"winner_tie": 1}

    good, bad = votes_of([KAGGLE_55K, both], tmp_path)

    assert good == VoteRecord(1, "ash", "birch", Outcome.B, prompt="Why?", battle_key="30192")
    assert isinstance(bad, Rejection)
    assert bad.reason == "unknown_winner"


def test_votes_with_names_in_sight_are_left_out(tmp_path: Path) -> None:
    """Only a blind vote says what an answer was worth."""
    good, bad = votes_of([CLEAN_BATTLE, CLEAN_BATTLE | {"anony": False}], tmp_path)

    assert isinstance(good, VoteRecord)
    assert (good.voter, good.judge) == ("arena_user_9", None)
    assert bad == Rejection(2, "not_blind", "False")


@pytest.mark.parametrize(
    ("row", "name"),
    [
        (CONVERSATIONS_33K, "lmarena"),
        (PREFERENCES_140K, "lmarena"),
        (KAGGLE_55K, "lmarena"),
        (CLEAN_BATTLE, "fastchat"),
        (VOTES[0], "plain"),
    ],
    ids=["33k", "140k", "55k", "clean_battle", "plain"],
)
def test_formats_are_told_by_their_columns(row: dict[str, Any], name: str, tmp_path: Path) -> None:
    """Nobody should have to know what a file is called."""
    assert sniff(write_jsonl(tmp_path / "votes.jsonl", [row])) == name
    assert sniff(write_parquet(tmp_path / "votes.parquet", [row])) == name


@pytest.mark.parametrize(
    "winner", ["MODEL_A", " a ", "A", "a", "left", "draw", "", None, "null", "model_c", "1", 0.5, ["x"]],
    ids=repr,
)  # fmt: skip
def test_a_label_that_is_not_declared_is_refused(winner: object, tmp_path: Path) -> None:
    """A typo that counts as a tie moves every rating."""
    good, bad = votes_of([VOTES[0], VOTES[0] | {"winner": winner}], tmp_path)

    assert isinstance(good, VoteRecord)
    assert isinstance(bad, Rejection)
    assert (bad.line, bad.reason) == (2, "unknown_winner")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"model_b": "ash "}, "self_battle"),
        ({"model_b": ""}, "empty_name"),
        ({"model_b": None}, "bad_name"),
        ({"model_b": "bir\u202ech"}, "control_in_name"),
        ({"tstamp": -1}, "bad_time"),
        ({"tstamp": 32503680000000}, "future_time"),
    ],
)
def test_a_bad_field_is_one_bad_row(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    """The rest of the file is still good."""
    first, second = votes_of([VOTES[0] | change, VOTES[0]], tmp_path)

    assert isinstance(first, Rejection)
    assert (first.line, first.reason) == (1, reason)
    assert isinstance(second, VoteRecord)


def test_rows_of_another_version_are_left_out_by_line(tmp_path: Path) -> None:
    """Dumps grow by appending; one file may hold two versions and a stranger."""
    rows = [
        PAIR | {"winner": "model_a", "tstamp": 1714000000.0},
        PAIR | {"winner": "tie", "timestamp": "2024-04-24T23:06:40Z", "schema_version": 2},
        {"left": "ash", "right": "birch", "outcome": "L"},
    ]

    first, second, third = votes_of(rows, tmp_path)

    assert isinstance(first, VoteRecord)
    assert isinstance(second, VoteRecord)
    assert first.cast_at == second.cast_at == CAST
    assert isinstance(third, Rejection)
    assert (third.line, third.reason) == (3, "missing_column")


def test_a_missing_column_is_named_beside_those_found(tmp_path: Path) -> None:
    """The mistake is seen at a glance."""
    path = tmp_path / "votes.csv"
    path.write_text("model_a,model_b,win\nash,birch,model_a\n")

    with pytest.raises(FormatError, match=r"missing column winner.*found: model_a, model_b, win"):
        list(read_votes(path))


def test_a_format_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    """The choices are in the message."""
    path = write_jsonl(tmp_path / "votes.jsonl", list(VOTES))

    with pytest.raises(FormatError, match="lmarena, fastchat, llmfao, plain"):
        list(read_votes(path, format="helm"))


def test_the_crowd_of_llmfao_is_read_whole() -> None:
    """The first real file the house must end on."""
    votes = list(read_votes(shared_file("data", "preferences", "llmfao", "crowd-comparisons.csv")))

    assert len(votes) == 8931
    assert all(isinstance(vote, VoteRecord) for vote in votes)
    assert votes[0] == VoteRecord(
        2, "Airoboros L2 70B", "Weaver 12k", Outcome.TIE, voter="58", prompt_key="8", battle_key="0"
    )


def test_columns_say_what_rows_say(tmp_path: Path) -> None:
    """The fast path is another way to the same votes, rejected ones and their reasons included."""
    rows = [
        CLEAN_BATTLE,
        CLEAN_BATTLE | {"winner": "draw"},
        CLEAN_BATTLE | {"model_b": "ash"},
        CLEAN_BATTLE | {"anony": False, "model_a": "seen once, named"},
        CLEAN_BATTLE | {"model_a": ""},
        CLEAN_BATTLE | {"model_a": "cedar", "winner": "tie"},
    ]
    parquet = write_parquet(tmp_path / "votes.parquet", rows)
    expected = list(read_votes(parquet))

    for path in (parquet, write_jsonl(tmp_path / "votes.jsonl", rows)):
        columns = read_vote_columns(path)
        names = np.array(columns.models)
        found = zip(names[columns.first], names[columns.second], columns.outcome, strict=True)
        assert [(a, b, OUTCOMES[code]) for a, b, code in found] == [
            (each.model_a, each.model_b, each.outcome)
            for each in expected
            if isinstance(each, VoteRecord)
        ]
        assert list(columns.rejections) == [e for e in expected if isinstance(e, Rejection)]
        assert set(columns.models) == {"ash", "birch", "cedar"}
