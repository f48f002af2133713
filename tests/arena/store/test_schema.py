import pytest
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from arena.store import schema
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models


def test_the_migrations_make_the_tables_of_the_code(wiring: Wiring) -> None:
    """Drift would be found by a user otherwise."""
    assert schema.current(wiring.engine) == schema.head()
    assert schema.drift(wiring.engine) == []


def test_the_migrations_can_be_taken_back_and_repeated(wiring: Wiring) -> None:
    """Down leaves nothing of ours behind, and up works again."""
    schema.downgrade(wiring.engine)
    left = set(inspect(wiring.engine).get_table_names()) - {"alembic_version"}

    schema.upgrade(wiring.engine)
    schema.upgrade(wiring.engine)

    assert left == set()
    assert schema.drift(wiring.engine) == []


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO battle (public_id, board_id, model_a_id, model_b_id, state)"
        " VALUES (repeat('x', 22), :board, :ash, :ash, 'open')",
        "INSERT INTO battle (public_id, board_id, model_a_id, model_b_id, state)"
        " VALUES ('guessable', :board, :ash, :birch, 'open')",
        "INSERT INTO battle (public_id, board_id, model_a_id, model_b_id, state)"
        " VALUES (repeat('x', 22), :board, :ash, :birch, 'lost')",
        "INSERT INTO model (name) VALUES ('ash')",
        "INSERT INTO rating_run (board_id, state, attempt) VALUES (:board, 'published', 1)",
        "INSERT INTO rating_run (board_id, state, attempt) VALUES (:board, 'failed', 1)",
        "UPDATE board SET anchor_points = 'NaN'",
        "UPDATE board SET name = 'Not A Slug'",
    ],
)
def test_the_database_refuses_what_must_not_be(wiring: Wiring, statement: str) -> None:
    """Constraints carry the invariants, whoever writes."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        models = add_models(session, "ash", "birch")
        keys = {"board": board.id, "ash": models["ash"].id, "birch": models["birch"].id}

    used = {name: value for name, value in keys.items() if f":{name}" in statement}
    with wiring.sessions() as session, pytest.raises(IntegrityError):
        session.execute(text(statement), used)


def test_events_are_append_only(wiring: Wiring) -> None:
    """Who did what to the registry cannot be rewritten."""
    with wiring.sessions.begin() as session:
        session.execute(text("INSERT INTO event (actor, action, subject) VALUES ('a', 'b', 'c')"))

    for statement in ("UPDATE event SET actor = 'x'", "DELETE FROM event", "TRUNCATE event"):
        with wiring.sessions() as session, pytest.raises(IntegrityError, match="append-only"):
            session.execute(text(statement))
