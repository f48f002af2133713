"""Answers that somebody has go into a pool, and can be voted on."""

from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.errors import FormatError
from arena.importing import ImportFile, ImportReport, import_completions
from arena.store.tables import CompletionRow, PromptRow
from tests.arena.formats.files import write_jsonl

ANSWERS = [
    {
        "prompt": "Why?",
        "model": "ash",
        "text": "Because.",
        "language": "en",
        "completion_tokens": 2,
    },
    {"prompt": "Why? ", "model": "birch", "text": "Why not\x00?", "decoder": {"temperature": 0}},
]


def taken_in(session: Session, path: Path) -> ImportReport:
    return import_completions(
        session, ImportFile(path, "own"), rejections=path.parent / "rejections"
    )


def test_answers_enter_the_pool_of_one_prompt(session: Session, tmp_path: Path) -> None:
    """A space at the end does not make a second question, or no pair could ever be drawn."""
    report = taken_in(session, write_jsonl(tmp_path / "answers.jsonl", ANSWERS))

    assert (report.counts.stored, report.models_made) == (2, ("ash", "birch"))
    prompt = session.scalars(select(PromptRow)).one()
    assert (prompt.text, prompt.language) == ("Why?", "en")
    first, second = session.scalars(select(CompletionRow).order_by(CompletionRow.id))
    assert (first.in_pool, first.prompt_id, first.completion_tokens) == (True, prompt.id, 2)
    assert (second.text, second.decoder) == ("Why not\ufffd?", {"temperature": 0})


def test_answers_come_in_once(session: Session, tmp_path: Path) -> None:
    """Importing a file again adds nothing and says so."""
    path = write_jsonl(tmp_path / "answers.jsonl", ANSWERS)

    taken_in(session, path)
    again = taken_in(session, path)

    assert (again.counts.stored, again.counts.skipped) == (0, 2)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": " "}, "missing_text"),
        ({"prompt": None}, "missing_prompt"),
        ({"model": "a\u202eb"}, "control_in_name"),
        ({"seconds": "1e999"}, "non_finite"),
        ({"completion_tokens": 2**63}, "out_of_range"),
        ({"completion_tokens": -1}, "bad_completion_tokens"),
        ({"decoder": "hot"}, "bad_decoder"),
    ],
)
def test_an_answer_that_cannot_be_read_is_rejected(
    change: dict[str, object], reason: str, session: Session, tmp_path: Path
) -> None:
    """Nothing is guessed, and the rest goes in."""
    rows = [ANSWERS[0] | change, ANSWERS[1]]

    report = taken_in(session, write_jsonl(tmp_path / "answers.jsonl", rows))

    assert (report.counts.stored, report.counts.reasons) == (1, {reason: 1})


def test_a_missing_column_is_named(session: Session, tmp_path: Path) -> None:
    """The mistake is seen at a glance."""
    path = tmp_path / "answers.csv"
    path.write_text("prompt,model,answer\nWhy?,ash,Because.\n")

    with pytest.raises(
        FormatError, match="missing column text; columns found: prompt, model, answer"
    ):
        taken_in(session, path)
