"""What both models said is found in every shape of the public files, and nothing is made up."""

import json
from pathlib import Path

import pytest

from arena.formats.answers import answer_text
from arena.formats.vote_records import VoteRecord
from arena.formats.votes import read_votes

MESSAGES = [
    {"role": "user", "content": "Hello?"},
    {"role": "assistant", "content": "# Hi"},
    {"role": "user", "content": "More."},
    {"role": "assistant", "content": [{"type": "text", "text": "**Done**"}, {"type": "image"}]},
]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (MESSAGES, "# Hi\n\n**Done**"),
        (json.dumps(MESSAGES), "# Hi\n\n**Done**"),
        ('["One.", "Two."]', "One.\n\nTwo."),
        ('["One.", null]', "One."),
        ("Plain text.", "Plain text."),
        ("[not JSON", "[not JSON"),
        ("", ""),
        (None, None),
        ([], None),
        ([{"role": "user", "content": "Hello?"}], None),
        (42, None),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_each_shape_is_read(value: object, expected: str | None) -> None:
    """The user's words are not the model's, and an empty answer is not a missing one."""
    assert answer_text(value) == expected


@pytest.mark.parametrize(
    "row",
    [
        {"model_a": "ash", "model_b": "elm", "winner": "tie", "answer_a": "x", "answer_b": "y"},
        {
            "model_a": "ash",
            "model_b": "elm",
            "winner": "tie",
            "conversation_a": [{"role": "assistant", "content": "x"}],
            "conversation_b": [{"role": "assistant", "content": "y"}],
        },
        {
            "model_a": "ash",
            "model_b": "elm",
            "winner_model_a": 0,
            "winner_model_b": 0,
            "winner_tie": 1,
            "response_a": '["x"]',
            "response_b": '["y"]',
        },
    ],
    ids=["plain", "conversations", "kaggle"],
)
def test_answers_come_with_votes_where_they_are_asked_for(
    row: dict[str, object], tmp_path: Path
) -> None:
    """An import of millions of votes does not carry their texts about."""
    path = tmp_path / "votes.jsonl"
    path.write_text(json.dumps(row) + "\n")

    (with_answers,), (without,) = (list(read_votes(path, answers=each)) for each in (True, False))

    assert isinstance(with_answers, VoteRecord)
    assert with_answers.answers == ("x", "y")
    assert without == with_answers._replace(answers=None)


def test_one_answer_alone_is_none(tmp_path: Path) -> None:
    """A difference takes two."""
    path = tmp_path / "votes.jsonl"
    path.write_text('{"model_a": "ash", "model_b": "elm", "winner": "tie", "answer_a": "x"}\n')

    (vote,) = read_votes(path, answers=True)

    assert isinstance(vote, VoteRecord)
    assert vote.answers is None
