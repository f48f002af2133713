"""Rows come out of any container with the number of their line."""

from pathlib import Path

import pytest

from arena.errors import FormatError
from arena.formats.rejection import Rejection
from arena.formats.rows import Row, open_rows


def rows_of(path: Path, content: bytes) -> list[Row | Rejection]:
    path.write_bytes(content)
    with open_rows(path) as rows:
        return list(rows.each)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file"


def test_line_numbers_survive_every_line_end(path: Path) -> None:
    """A person looks the line up in an editor."""
    rows = rows_of(path, b'{"a":1}\r\n\r\n{"a":2}\n{"a":3},\n{"a":4}')

    assert [row.line for row in rows] == [1, 3, 4, 5]
    assert rows[2] == Rejection(4, "invalid_json", "'{\"a\":3},'")


def test_quoted_line_breaks_do_not_shift_line_numbers(path: Path) -> None:
    """The row after a long answer is still found."""
    rows = rows_of(path, b'a,b\n"x\ny",1\nz,2\n')

    assert rows == [Row(2, {"a": "x\ny", "b": "1"}), Row(4, {"a": "z", "b": "2"})]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators_are_told_from_the_header(path: Path, separator: str) -> None:
    """Spreadsheets of half the world write semicolons."""
    content = f'a{separator}b\n"x{separator}y"{separator}0,61\n'
    expected = "0,61" if separator != "," else None

    rows = rows_of(path, content.encode())

    if expected is None:
        assert rows == [Rejection(2, "wrong_number_of_fields", "3 fields, expected 2")]
    else:
        assert rows == [Row(2, {"a": f"x{separator}y", "b": expected})]


def test_a_bad_row_of_csv_does_not_take_the_next_with_it(path: Path) -> None:
    """One quote too many is one row."""
    rows = rows_of(path, b'a,b\n"x"y,1\nz,2\n')

    assert isinstance(rows[0], Rejection)
    assert (rows[0].line, rows[0].reason) == (2, "invalid_csv")
    assert rows[1] == Row(3, {"a": "z", "b": "2"})


@pytest.mark.parametrize(
    "content",
    [
        b'[{"id":1},{"id":2}]',
        b'[\n  {"id": 1},\n  {\n    "id": 2\n  }\n]\n',
        b' [ {"id":1} , {"id":2} ] ',
    ],
    ids=["compact", "pretty", "spaced"],
)
def test_an_array_is_taken_where_lines_were_expected(path: Path, content: bytes) -> None:
    """FastChat's own dumps are arrays."""
    assert [row.values["id"] for row in rows_of(path, content) if isinstance(row, Row)] == [1, 2]


def test_a_long_array_is_never_held_whole(path: Path) -> None:
    """An element is read as soon as it is complete."""
    path.write_bytes(b"[" + b",".join(b'{"id":%d}' % n for n in range(50_000)) + b"]")

    with open_rows(path) as rows:
        assert sum(1 for _ in rows.each) == 50_000


@pytest.mark.parametrize("content", [b'[{"id":1},{"id"', b'[{"id":1},', b'[{"id":1}'])
def test_an_array_cut_off_is_refused(path: Path, content: bytes) -> None:
    """Half a file is not a smaller file."""
    with pytest.raises(FormatError):
        rows_of(path, content)


def test_nesting_without_end_is_one_bad_row(path: Path) -> None:
    """A hundred thousand brackets must not end the process."""
    rows = rows_of(path, b'{"a":' + b"[" * 100_000 + b'\n{"a":1}\n{"a":' + b"1" * 5000 + b"}\n")

    assert [type(row) for row in rows] == [Rejection, Row, Rejection]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_marked_encodings_are_read(path: Path, encoding: str) -> None:
    """Windows tools write a mark and UTF-16."""
    mark = {"utf-16-le": "\ufeff", "utf-16-be": "\ufeff"}.get(encoding, "")

    rows = rows_of(path, f'{mark}{{"a": "né 🙂"}}\n'.encode(encoding))

    assert rows == [Row(1, {"a": "né 🙂"})]


def test_latin1_is_refused_at_its_byte(path: Path) -> None:
    """Guessing an encoding turns names into other names."""
    content = b'{"a": "plain"}\n{"a": "n\xe9"}\n'

    with pytest.raises(FormatError, match=f"not UTF-8 at byte {content.index(0xE9)}"):
        rows_of(path, content)


def test_a_column_named_twice_is_refused(path: Path) -> None:
    """Which of the two counts is not ours to choose."""
    with pytest.raises(FormatError, match="twice"):
        rows_of(path, b"a,a\n1,2\n")


def test_a_header_that_is_not_csv_is_refused(path: Path) -> None:
    """Line ends of old Macs, or no text at all."""
    with pytest.raises(FormatError, match="header that is not CSV"):
        rows_of(path, b"\r\x01")
