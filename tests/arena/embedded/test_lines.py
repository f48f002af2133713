"""The log keeps every line whole, and loses none."""

import os

import pytest

from arena.embedded.lines import Lines


def relayed(written: list[bytes], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What the log shows of what a part wrote, piece by piece, before it ended."""
    lines = Lines()
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb", buffering=0) as pipe:
        lines.listen("web", pipe)
        for piece in written:
            os.write(write_end, piece)
            lines.relay(1)
        os.close(write_end)
        lines.relay(1)
    lines.close()
    return capsys.readouterr().err.splitlines()


def test_a_line_in_pieces_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A pipe gives what it has; two parts' halves must not mix."""
    assert relayed([b"one ", b"line\ntwo", b"\n"], capsys) == [
        "        web | one line",
        "        web | two",
    ]


def test_the_last_words_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """What a part says as it dies often lacks the end of its line, and is what one needs."""
    assert relayed([b"out of memory"], capsys) == ["        web | out of memory"]


def test_bytes_that_are_no_text_do_not_end_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    """A log that raises would take the whole tree down."""
    assert relayed([b"\xff\xfe\n"], capsys) == ["        web | \ufffd\ufffd"]


def test_no_colour_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    """A log in a file is read by programs."""
    assert "\033" not in relayed([b"plain\n"], capsys)[0]
