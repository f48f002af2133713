"""What an answer is dressed in is counted as a reader of the page sees it, and in linear time."""

import sys
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from arena.evaluation.style import Style, style_of

# A reference parser with the same switches as the page: tags are text. Deeper nesting than ours is not drawn.
REFERENCE = MarkdownIt("commonmark", {"html": False, "maxNesting": 100})
MARKS = (
    "#", "##", "*", "**", "***", "_", "__", "`", "``", "```", "~~~", "-", "- ", "* ", "1. ", "2) ", "+ ", " ", "  ",
    "    ", "\n", "\n\n", "> ", "a", "b", "\\", ".", "é", "===", "---", "漢",
)  # fmt: skip
LONG = 16_000

Counted = tuple[int, int, int, int, int]


def counted(text: str) -> Counted:
    style = style_of(text)
    return style.headers, style.lists, style.bold, style.code_blocks, style.code_spans


def counted_by_reference(text: str) -> Counted:
    def kinds(tokens: list[Token]) -> list[str]:
        return [kind for token in tokens for kind in (token.type, *kinds(token.children or []))]

    found = kinds(REFERENCE.parse(text))
    code_blocks = found.count("fence") + found.count("code_block")
    names = ("heading_open", "list_item_open", "strong_open")
    headers, items, bold = (found.count(name) for name in names)
    return headers, items, bold, code_blocks, found.count("code_inline")


def test_an_ordinary_answer_is_counted() -> None:
    """The features that the page speaks of, in one answer."""
    answer = (
        "# Plan\n\nUse **two** steps, `a` and __b__:\n\n1. One\n2. Two\n   - inner\n\n```py\nx\n```"
    )

    assert counted(answer) == (1, 3, 2, 1, 1)
    assert style_of(answer).code == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\n# no\n- no\n**no**\n```\n**yes**", (0, 0, 1, 1, 0)),
        ("````\n```\n# inner\n```\n````\n# yes", (1, 0, 0, 1, 0)),
        ("~~~\n```\n# never closed", (0, 0, 0, 1, 0)),
        ("> - ```\n>   # no\n# outside", (1, 1, 0, 1, 0)),
        ("Title\n=====\n\nLesser\n---", (2, 0, 0, 0, 0)),
        ("---\n\n***\n\n- - -", (0, 0, 0, 0, 0)),
        ("\\# no\n\n\\- no \\**no**\n\n1\\. no", (0, 0, 0, 0, 0)),
        ("`**no**` ``a ` b`` and ` alone", (0, 0, 0, 0, 2)),
        ("snake__case__name 2**3**4 5 ** 6", (0, 0, 1, 0, 0)),
        ("#hashtag\n\n####### seven", (0, 0, 0, 0, 0)),
        ("It was\n1986. A good year\n- for us", (0, 1, 0, 0, 0)),
        ("<h1>Tag</h1> <b>bold</b> <li>item</li>", (0, 0, 0, 0, 0)),
        ("<div>\n\n**bold** between tags\n\n</div>", (0, 0, 1, 0, 0)),
        ("    # indented is code\n\n    the same block\n\ntext", (0, 0, 0, 1, 0)),
        ("***both***, **outer __inner__**", (0, 0, 3, 0, 0)),
        ("- a\r\n- b\r\r# c", (1, 2, 0, 0, 0)),
        ("", (0, 0, 0, 0, 0)),
    ],
)
def test_what_only_looks_like_formatting_is_not_counted(text: str, expected: Counted) -> None:
    """Code, escapes, tags and stray marks are no headers, lists or bold."""
    assert counted(text) == expected


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(MARKS), max_size=9).map("".join))
def test_a_reference_parser_agrees(text: str) -> None:
    """What is counted is what a reader of the page sees: a full CommonMark parser finds the same."""
    assert counted(text) == counted_by_reference(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two words", 8),
        ("naïve", 5),
        ("nai\u0308ve", 5),
        ("漢字かな", 8),
        ("한국어", 6),
        ("สวัสดี", 4),
        ("a\u200b\x00b\ufeff", 2),
        (" \n\t\u3000", 0),
        ("👍", 2),
    ],
)
def test_length_is_the_room_that_letters_take(text: str, expected: int) -> None:
    """Counting words would make a Chinese answer one word long."""
    assert style_of(text).length == expected


def test_plain_letters_are_measured_alike_on_both_ways() -> None:
    """ASCII takes a shortcut; one letter that is not ASCII must not change what the others are worth."""
    text = "".join(map(chr, range(128)))

    assert style_of(text + "é").length == style_of(text).length + 1


def steps(text: str) -> int:
    """Return how many calls it takes to read a text: unlike seconds, the same on any machine."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        style_of(text)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize(
    "text",
    [
        "[", "*", "`", "_*", "a**", "**a ", "*a _b ", "\\`", ">", "> ", "- ", "-\n", "#\n", "a\n", "\n", "```\n", "|a", "漢", "1. ", "\t",
    ],
    ids=repr,
)  # fmt: skip
def test_a_hostile_answer_takes_linear_time(text: str) -> None:
    """A model chooses its answer: one that took minutes to read would stop the worker."""
    once = text * (LONG // (8 * len(text)))

    assert steps(once * 8) < 9 * steps(once) + 1000


def test_a_deep_list_over_many_lines_takes_linear_time() -> None:
    """Each line is looked at once for every list around it, so lists nest to a fixed depth."""
    deep = "- " * 40 + "x\n"

    assert style_of(deep).lists == 20
    assert steps(deep + "\n" * 4000) < 9 * steps(deep + "\n" * 500)


def test_an_empty_answer_has_no_style() -> None:
    """Nothing is made up for an answer that is not there."""
    assert style_of("") == Style(0, 0, 0, 0, 0, 0)
