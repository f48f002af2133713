"""Models are known by exact name, or by another name that somebody checked."""

from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.errors import ConflictError, InputError, UnknownModelError
from arena.importing import ImportFile, import_votes
from arena.registry import (
    NewModel,
    add_alias,
    add_model,
    create_board,
    list_boards,
    list_models,
    retire_model,
)
from arena.store.tables import EventRow
from tests.arena.formats.files import VOTES, write_jsonl

ME = "tester"


def events(session: Session) -> list[tuple[str, str]]:
    rows = session.scalars(select(EventRow).order_by(EventRow.id))
    return [(row.action, row.subject) for row in rows]


def test_what_is_done_to_the_registry_is_written_down(session: Session) -> None:
    """A board's readers can ask who retired a model."""
    add_model(session, NewModel("ash", family="trees"), actor=ME)
    add_alias(session, "lmx/ash", "ash", actor=ME, note="same weights")
    retire_model(session, "lmx/ash", actor=ME)

    [entry] = list_models(session)
    assert (entry.name, entry.family, entry.aliases) == ("ash", "trees", ("lmx/ash",))
    assert entry.retired_at is not None
    assert events(session) == [
        ("model.add", "ash"),
        ("model.alias", "ash"),
        ("model.retire", "ash"),
    ]


def test_names_that_differ_by_case_are_two_models(session: Session) -> None:
    """Nothing is joined because it looks alike."""
    for name in ("Ash", "ash"):
        add_model(session, NewModel(name), actor=ME)

    assert [entry.name for entry in list_models(session)] == ["Ash", "ash"]


def test_a_name_stands_for_one_model(session: Session) -> None:
    """Whatever a file calls a model, it leads to one place."""
    for name in ("ash", "birch"):
        add_model(session, NewModel(name), actor=ME)
    add_alias(session, "tree", "ash", actor=ME)

    for refused in (
        lambda: add_alias(session, "tree", "birch", actor=ME),
        lambda: add_alias(session, "ash", "ash", actor=ME),
        lambda: add_model(session, NewModel("tree"), actor=ME),
        lambda: add_model(session, NewModel("ash"), actor=ME),
    ):
        with pytest.raises(ConflictError):
            refused()


def test_a_model_without_evidence_gives_way_to_an_alias(session: Session) -> None:
    """A name added by mistake can be mended."""
    for name in ("ash", "togx/ash"):
        add_model(session, NewModel(name), actor=ME)

    add_alias(session, "togx/ash", "ash", actor=ME)

    assert [(entry.name, entry.aliases) for entry in list_models(session)] == [
        ("ash", ("togx/ash",))
    ]


def test_votes_are_never_moved_to_another_model(session: Session, tmp_path: Path) -> None:
    """A published rating must stay what it was computed from."""
    path = write_jsonl(tmp_path / "votes.jsonl", list(VOTES))
    import_votes(session, ImportFile(path, "people"), rejections=tmp_path)

    with pytest.raises(ConflictError, match="never moved"):
        add_alias(session, "ash", "birch", actor=ME)
    assert "ash" in [entry.name for entry in list_models(session)]


@pytest.mark.parametrize("name", ["", "a\u202eb", "x" * 201])
def test_a_name_that_deceives_is_refused(name: str, session: Session) -> None:
    """The error says what was found, not a stack."""
    with pytest.raises(InputError, match="expected"):
        add_model(session, NewModel(name), actor=ME)


def test_an_unknown_model_is_said_to_be_unknown(session: Session) -> None:
    """A typo retires nothing."""
    with pytest.raises(UnknownModelError, match="arena model list"):
        retire_model(session, "nobody", actor=ME)


def test_boards_are_listed_with_what_they_hold(session: Session, tmp_path: Path) -> None:
    """An operator sees where the votes went."""
    create_board(session, "own", actor=ME, title="Our own")
    path = write_jsonl(tmp_path / "votes.jsonl", list(VOTES))
    import_votes(session, ImportFile(path, "people"), rejections=tmp_path)
    import_votes(session, ImportFile(path, "people", judge="gpt-4"), rejections=tmp_path)

    own, people = list_boards(session)

    assert (own.name, own.title, own.votes) == ("own", "Our own", 0)
    assert (people.votes, people.judgments) == (3, 3)
    with pytest.raises(ConflictError):
        create_board(session, "own", actor=ME)
