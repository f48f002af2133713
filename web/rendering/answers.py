"""One answer: its beginning is rendered, and what is beyond the cap stands folded and plain behind it."""

import re
from functools import lru_cache

from markupsafe import Markup

from web.rendering.cleaning import clean
from web.rendering.markdown import open_parser

# The same for both sides, so that the page does not favour whoever is brief.
SHOWN_LETTERS = 16_000
CACHED = 512

# What a parser pays for: brackets and marks that never close, cells, deep nesting. No answer needs this many.
MOST_MARKS = 2_000
DEEPEST_BRACKETS = 60
COSTLY = re.compile(r"[\[~$`<&|]")

FOLD = Markup(
    '<details class="long"><summary>Show the other {count:,} characters, unformatted</summary>'
    '<pre tabindex="0" dir="auto">{rest}</pre></details>'
)


class Renderer:
    """Renders texts, and remembers what it rendered."""

    def __init__(self) -> None:
        self._parser = open_parser()
        self._formatted = lru_cache(maxsize=CACHED)(self._format)

    def answer(self, text: str) -> Markup:
        """Return a model's answer as HTML."""
        shown, rest = divide(text)
        return self._formatted(shown) + fold(rest)

    def prompt(self, text: str) -> Markup:
        """Return a prompt as it was sent to the models: letter for letter, with its line breaks."""
        shown, rest = divide(text)
        return plain(shown) + fold(rest)

    def _format(self, text: str) -> Markup:
        if is_costly(text):
            return plain(text)
        return clean(self._parser.render(text))


def divide(text: str) -> tuple[str, str]:
    """Return what is shown at once and the rest, cut between two paragraphs where there is such a place."""
    if len(text) <= SHOWN_LETTERS:
        return text, ""
    half = SHOWN_LETTERS // 2
    for gap in ("\n\n", "\n", " "):
        cut = text.rfind(gap, half, SHOWN_LETTERS)
        if cut > 0:
            return text[:cut], text[cut:]
    return text[:SHOWN_LETTERS], text[SHOWN_LETTERS:]


def fold(rest: str) -> Markup:
    """Return what is beyond the cap, folded away."""
    return FOLD.format(count=len(rest), rest=rest) if rest else Markup()


def plain(text: str) -> Markup:
    """Return a text letter for letter."""
    return Markup('<p class="plain-text">{}</p>').format(text)


def is_costly(text: str) -> bool:
    """Whether a text has more marks, or deeper brackets, than a Markdown parser should be given."""
    if len(COSTLY.findall(text)) > MOST_MARKS:
        return True
    depth = deepest = 0
    for letter in re.findall(r"[\[\]]", text):
        depth = depth + 1 if letter == "[" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest > DEEPEST_BRACKETS
