"""What is stored compares as it looks."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.hygiene import (
    RefusedError,
    clean_document,
    clean_name,
    clean_text,
    match_key,
    safe_file_name,
)


@given(st.text(alphabet=st.characters(codec=None, exclude_categories=())))
def test_any_text_becomes_storable(text: str) -> None:
    """Postgres refuses NUL, UTF-8 refuses lone surrogates; neither may end an import."""
    cleaned = clean_text(text)

    assert "\x00" not in cleaned
    assert cleaned.encode().decode() == cleaned
    assert clean_text(cleaned) == cleaned


def test_a_lone_surrogate_is_replaced_and_its_neighbours_stay() -> None:
    """The reader sees where something was lost."""
    assert clean_text("x\ud800y\x00") == "x\ufffdy\ufffd"


def test_keys_match_however_they_were_typed() -> None:
    """A trailing space or a decomposed accent must not make two prompts of one."""
    assert match_key("Que\u0301 es X? ") == match_key("Qu\u00e9 es X?")


def test_a_document_is_made_strict() -> None:
    """jsonb refuses NaN, so what a tool wrote bare is kept by name."""
    document = {"a\x00": [float("nan"), float("-inf"), 1.5, None, {"b": "\ud800"}]}

    cleaned = clean_document(document)

    assert cleaned == {"a\ufffd": ["nan", "-inf", 1.5, None, {"b": "\ufffd"}]}
    assert json.dumps(cleaned, allow_nan=False)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("  ", "empty_name"),
        ("a" * 201, "long_name"),
        ("gpt\u202e4", "control_in_name"),
        ("two\nlines", "control_in_name"),
    ],
)
def test_a_name_that_deceives_is_refused(name: str, reason: str) -> None:
    """A name that shows itself as another would move votes between models in the reader's head."""
    with pytest.raises(RefusedError) as refused:
        clean_name(name)
    assert refused.value.reason == reason


def test_names_that_differ_by_case_stay_apart() -> None:
    """Two models are never joined because a file system or a reader would."""
    names = ["Ash", "ash", "CON", "ash.", "con", "../ash", "ash-bda94d3dce78"]

    assert [clean_name(name) for name in names] == names
    files = [safe_file_name(name) for name in names]
    assert len({file.casefold() for file in files}) == len(names)
    assert all("/" not in file and not file.startswith(("con", ".")) for file in files)
