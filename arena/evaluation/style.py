"""How an answer is dressed: its length and its formatting, counted from the text alone."""

import unicodedata
from collections import Counter
from dataclasses import dataclass

from arena.evaluation.markdown_blocks import outline
from arena.evaluation.markdown_spans import spans

# Letters of these widths take the room of two (Unicode Standard Annex 11).
WIDE = ("W", "F")
UNPRINTED = bytes(code for code in range(128) if not chr(code).isprintable()) + b" "


@dataclass(frozen=True)
class Style:
    """The features of one answer.

    Parameters
    ----------
    length : int
        The room that it takes: its characters without white space, a wide one (Han, kana, Hangul) as two.
    headers, lists, bold : int
        Headers, items of ordered and unordered lists, bold spans.
    code_blocks, code_spans : int
        Blocks of code, fenced or indented, and pieces of code within text.
    """

    length: int
    headers: int
    lists: int
    bold: int
    code_blocks: int
    code_spans: int

    @property
    def code(self) -> int:
        """All pieces of code, a block as one."""
        return self.code_blocks + self.code_spans


# The version of what is counted: what another version has counted is counted again.
READER = 1
# The features that a fit can be asked to hold apart, in the order of its columns.
FEATURES = ("length", "headers", "lists", "bold", "code")


def style_of(text: str) -> Style:
    """Return the features of an answer; an empty one has none. Time is linear in its length."""
    blocks = outline(text)
    within = [spans(passage) for passage in blocks.passages]
    return Style(
        length=printed_length(text),
        headers=blocks.headers,
        lists=blocks.items,
        bold=sum(found.bold for found in within),
        code_blocks=blocks.code_blocks,
        code_spans=sum(found.code for found in within),
    )


def printed_length(text: str) -> int:
    """Return how many letters wide a text is, without white space.

    No words are looked for, since many languages do not divide them. Marks that join a letter, and
    characters that print nothing, take no room.
    """
    if text.isascii():
        return len(text.encode().translate(None, UNPRINTED))
    return sum(n * _width(character) for character, n in Counter(text).items())


def _width(character: str) -> int:
    if unicodedata.category(character)[0] in "MCZ" or character.isspace():
        return 0
    return 2 if unicodedata.east_asian_width(character) in WIDE else 1
