"""Bold and code within a passage of Markdown, by CommonMark's rules, in time linear in its length."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

MARK = re.compile(r"\\[!-/:-@\[-`{-~]|`+|\*+|_+")
TICKS = re.compile(r"`+")
BOLD = 2
# Two runs that may each open and close do not join if their lengths add up to a multiple of this.
CLASH = 3


class Spans(NamedTuple):
    """How many spans of a passage are bold, and how many are code."""

    bold: int
    code: int


@dataclass
class Run:
    """Stars or underscores in a row: `number` counts runs, `left` the marks that no span has used yet."""

    number: int
    mark: str
    length: int
    opens: bool
    closes: bool
    left: int

    @property
    def kind(self) -> tuple[str, bool, int]:
        """What decides which earlier runs it may join."""
        return self.mark, self.opens, self.length % CLASH

    def joins(self, closer: "Run") -> bool:
        """Whether this run, having opened, and a later one that closes may hold a span."""
        if self.mark != closer.mark:
            return False
        is_clash = (self.closes or closer.opens) and (self.length + closer.length) % CLASH == 0
        return not is_clash or (self.length % CLASH == 0 and closer.length % CLASH == 0)


def spans(passage: str) -> Spans:
    """Return how many spans are bold and how many are code; what is in code is neither."""
    runs: list[Run] = []
    code, at = 0, 0
    ends = _code_ends(passage)
    while found := MARK.search(passage, at):
        at = found.end()
        if found[0][0] == "`":
            after = _behind_code(ends[len(found[0])], at)
            code += after is not None
            at = after or at
        elif found[0][0] != "\\":
            runs.append(_run(passage, found, len(runs)))
    return Spans(_count_bold(runs), code)


def _code_ends(passage: str) -> dict[int, list[tuple[int, int]]]:
    """Return by length the start and end of each row of backticks, the last first."""
    ends: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for ticks in reversed(list(TICKS.finditer(passage))):
        ends[len(ticks[0])].append(ticks.span())
    return ends


def _behind_code(ends: list[tuple[int, int]], at: int) -> int | None:
    """Return where the code that begins at a place has ended, if it ends; forgets all ends before it."""
    while ends:
        start, end = ends.pop()
        if start >= at:
            return end
    return None


def _run(passage: str, found: "re.Match[str]", number: int) -> Run:
    """Return a row of stars or underscores with what its neighbours let it do."""
    before = passage[found.start() - 1] if found.start() else " "
    after = passage[found.end()] if found.end() < len(passage) else " "
    goes_right = not _is_space(after) and (
        not _is_sign(after) or _is_space(before) or _is_sign(before)
    )
    goes_left = not _is_space(before) and (
        not _is_sign(before) or _is_space(after) or _is_sign(after)
    )
    opens, closes = goes_right, goes_left
    if found[0][0] == "_":  # an underscore within a word is part of it
        opens = goes_right and (not goes_left or _is_sign(before))
        closes = goes_left and (not goes_right or _is_sign(after))
    length = len(found[0])
    return Run(number, found[0][0], length, opens, closes, length)


def _is_space(character: str) -> bool:
    return character.isspace()


def _is_sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _count_bold(runs: list[Run]) -> int:
    """Return how many pairs of runs hold a bold span."""
    bold = 0
    openers: list[Run] = []
    # Of each kind of closer, the last run up to which no opener was found: nothing is searched twice.
    searched: dict[tuple[str, bool, int], int] = defaultdict(lambda: -1)
    for run in runs:
        if run.closes:
            bold += sum(width == BOLD for width in _joined(run, openers, searched))
        if run.opens and run.left:
            openers.append(run)
    return bold


def _joined(
    closer: Run, openers: list[Run], searched: dict[tuple[str, bool, int], int]
) -> Iterator[int]:
    """Close spans with a run, innermost first; yield how many marks on each side hold each one."""
    while closer.left:
        place = len(openers) - 1
        while place >= 0 and openers[place].number > searched[closer.kind]:
            if openers[place].joins(closer):
                break
            place -= 1
        else:
            searched[closer.kind] = closer.number - 1
            return
        del openers[place + 1 :]
        width = min(BOLD, openers[-1].left, closer.left)
        openers[-1].left -= width
        closer.left -= width
        if not openers[-1].left:
            openers.pop()
        yield width
