"""What is written for COPY is read back as it was."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from arena.store.copying import OPTIONS, as_line, batched

CAST = datetime(2024, 4, 24, 23, 6, 40, 500_000, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    ["plain", "a\tb", "a\nb\r\n", "back\\slash", "\\N", "\\.", "né \N{SEEDLING}", "\\t", " ", "NULL", None],
    ids=repr,
)  # fmt: skip
def test_a_text_comes_back_as_it_was(written: str | None, session: Session) -> None:
    """An answer with tabs, or one that looks like the end of the data, must not shift its neighbours."""
    session.execute(text("CREATE TEMPORARY TABLE copied (n int, words text, cast_at timestamptz)"))
    cursor = session.connection().connection.cursor()

    with (
        cursor.copy(f"COPY copied FROM STDIN {OPTIONS}") as copy,
        batched(copy.write) as write,
    ):
        write((1, written, CAST))
        write((2, written, None))

    rows = session.execute(text("SELECT * FROM copied ORDER BY n")).all()
    assert [tuple(row) for row in rows] == [(1, written, CAST), (2, written, None)]


def test_a_row_is_one_line() -> None:
    """Null is an empty field."""
    assert as_line((1, None, "x")) == "1\t\tx\n"
