"""The blocks of a Markdown text: headers, list items, blocks of code, and the passages between them.

The rules are CommonMark's with HTML switched off, as pages show answers: a tag is plain text, and what
stands between tags is Markdown. Time grows with the length of the text and with nothing else: a line is
looked at once for each quotation or list that it stands in, and those nest to DEEPEST and no further.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

DEEPEST = 20
CODE_INDENT = 4
QUOTATION = 0

HEADER = re.compile(r" {0,3}#{1,6}(?= |$)")
UNDERLINE = re.compile(r" {0,3}(?:=+|-+) *$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
QUOTED = re.compile(r" {0,3}> ?")
ITEM = re.compile(r"( {0,3})([-+*]|(\d{1,9})[.)])( +|$)")
# A line that begins with anything else is text at once: most lines are.
MARKED = re.compile(r" {0,3}[-#>+*_=`~0-9]| {4}|$")
RULES = ({"-"}, {"*"}, {"_"})
SHORTEST_RULE = 3


@dataclass(frozen=True)
class Outline:
    """What a text is built of; `passages` are its paragraphs and headers, which may hold spans."""

    headers: int
    items: int
    code_blocks: int
    passages: tuple[str, ...]


class Place(NamedTuple):
    """Where a line stands: what is left of it, and in how many of the open quotations and items it is."""

    rest: str
    depth: int


def outline(text: str) -> Outline:
    """Return the blocks of a text."""
    reader = _Reader()
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        reader.read(line.expandtabs(CODE_INDENT).rstrip(" "))
    reader.end_paragraph()
    return Outline(reader.headers, reader.items, reader.code_blocks, tuple(reader.passages))


class _Reader:
    """What has been read so far, line by line."""

    def __init__(self) -> None:
        self.headers = self.items = self.code_blocks = 0
        self.passages: list[str] = []
        # Outermost first: QUOTATION, or the spaces that a line needs to stand in a list item.
        self._open: list[int] = []
        self._paragraph: list[str] = []
        self._fence = ""
        self._in_indented_code = False
        self._item_is_bare = False

    def read(self, line: str) -> None:
        """Take in the next line."""
        place = self._place(line)
        if self._item_is_bare and not place.rest:
            # An item that begins with an empty line holds no second one.
            self._leave(len(self._open) - 1)
        self._item_is_bare = False
        is_inside = place.depth == len(self._open)
        if self._fence and is_inside:
            self._read_code(place.rest)
        elif not is_inside and self._is_lazy(place.rest):
            self._paragraph.append(place.rest.lstrip())
        else:
            self._leave(place.depth)
            self._read_block(place.rest)

    def end_paragraph(self) -> None:
        """Close the paragraph that is open, if one is."""
        if self._paragraph:
            self.passages.append("\n".join(self._paragraph))
            self._paragraph = []

    def _place(self, line: str) -> Place:
        """Return the line without the marks of the quotations and items that it continues."""
        for depth, needed in enumerate(self._open):
            if needed == QUOTATION:
                quoted = QUOTED.match(line)
                if quoted is None:
                    return Place(line, depth)
                line = line[quoted.end() :]
            elif not line or line.startswith(" " * needed):
                line = line[needed:]
            else:
                return Place(line, depth)
        return Place(line, len(self._open))

    def _is_lazy(self, rest: str) -> bool:
        """Whether the line goes on with a paragraph although it lacks the marks of its surroundings."""
        return bool(self._paragraph and rest) and not _begins_block(rest)

    def _leave(self, depth: int) -> None:
        """Close what is open beyond this depth."""
        if depth < len(self._open):
            self.end_paragraph()
            del self._open[depth:]
            self._fence = ""
            self._in_indented_code = False

    def _read_code(self, rest: str) -> None:
        closing = FENCE.match(rest)
        if closing and not closing[2] and closing[1].startswith(self._fence):
            self._fence = ""

    def _read_block(self, rest: str) -> None:
        """Take in what is left of a line behind the marks of its surroundings."""
        if not MARKED.match(rest):
            self._in_indented_code = False
            self._paragraph.append(rest.lstrip())
            return
        while (inner := self._entered(rest)) is not None:
            rest = inner
        if not rest:
            self.end_paragraph()
        elif self._is_indented_code(rest):
            self.code_blocks += not self._in_indented_code
            self._in_indented_code = True
        else:
            self._in_indented_code = False
            self._read_text(rest)

    def _is_indented_code(self, rest: str) -> bool:
        return not self._paragraph and rest.startswith(" " * CODE_INDENT)

    def _read_text(self, rest: str) -> None:
        header = HEADER.match(rest)
        if self._paragraph and UNDERLINE.match(rest):
            self.headers += 1
            self.end_paragraph()
        elif header:
            self.headers += 1
            self.end_paragraph()
            self.passages.append(rest[header.end() :].strip())
        elif fence := _opened_fence(rest):
            self.code_blocks += 1
            self.end_paragraph()
            self._fence = fence
        elif _is_rule(rest):
            self.end_paragraph()
        else:
            self._paragraph.append(rest.lstrip())

    def _entered(self, rest: str) -> str | None:
        """Open the quotation or item that the line begins with; return what stands in it, or None."""
        if len(self._open) >= DEEPEST or self._is_indented_code(rest):
            return None
        if quoted := QUOTED.match(rest):
            self._enter(QUOTATION)
            return rest[quoted.end() :]
        if self._is_underline(rest) or _is_rule(rest):
            return None
        item = self._item(rest)
        if item is None:
            return None
        self.items += 1
        width = _content_column(item)
        self._enter(width)
        self._item_is_bare = item.end() == len(rest)
        return rest[width:]

    def _is_underline(self, rest: str) -> bool:
        return bool(self._paragraph) and UNDERLINE.match(rest) is not None

    def _enter(self, needed: int) -> None:
        self.end_paragraph()
        self._in_indented_code = False
        self._open.append(needed)

    def _item(self, rest: str) -> "re.Match[str] | None":
        """Return the mark of a list item. Within a paragraph only one with text is, numbered 1 if at all."""
        item = ITEM.match(rest)
        if item and self._paragraph and (item.end() == len(rest) or item[3] not in {None, "1"}):
            return None
        return item


def _begins_block(rest: str) -> bool:
    """Whether the line begins anything but a paragraph or code by indentation."""
    return MARKED.match(rest) is not None and (
        any(mark.match(rest) for mark in (HEADER, QUOTED, ITEM))
        or _opened_fence(rest) != ""
        or _is_rule(rest)
    )


def _opened_fence(rest: str) -> str:
    """Return the fence that opens a block of code, or nothing."""
    fence = FENCE.match(rest)
    if fence is None or (fence[1][0] == "`" and "`" in fence[2]):
        return ""
    return fence[1]


def _is_rule(rest: str) -> bool:
    """Whether the line is drawn across the page: three or more of one mark and nothing else."""
    marks = rest.replace(" ", "")
    is_drawn = len(marks) >= SHORTEST_RULE and set(marks) in RULES
    return is_drawn and not rest.startswith(" " * CODE_INDENT)


def _content_column(item: "re.Match[str]") -> int:
    """Return how far in the content of an item begins; more spaces than four belong to code in it."""
    marker = len(item[1]) + len(item[2])
    spaces = len(item[4])
    return marker + (spaces if 1 <= spaces <= CODE_INDENT else 1)
