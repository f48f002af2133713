"""The Markdown parser: CommonMark with tables, strikethrough and dollar maths; no HTML, and links in place of images."""

from collections.abc import MutableMapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.dollarmath import dollarmath_plugin

from web.rendering.code import highlight
from web.rendering.maths import mathml

# An answer stands under the heading of its side, which is the second level.
SIDE_LEVEL = 2
DEEPEST_LEVEL = 6
SAFE_SCHEMES = ("http://", "https://", "mailto:")
SCROLLING = '<div class="scroll" tabindex="0" role="group" aria-label="{label}">'
ALIGNMENTS = {"text-align:right": "to-end", "text-align:center": "to-middle"}

# What the parser hands from rule to rule belongs to the parser: its values have no narrower type.
Environment = MutableMapping[str, Any]


class Parser(MarkdownIt):
    """CommonMark whose links lead to the web or to a mailbox and nowhere else."""

    def validateLink(self, url: str) -> bool:  # noqa: N802  # the library's name
        """Whether a link may be followed; one that may not stays text."""
        return url.strip().lower().startswith(SAFE_SCHEMES)


def open_parser() -> MarkdownIt:
    """Return the parser that answers are rendered by."""
    parser = Parser("commonmark", {"html": False, "highlight": highlight})
    parser.enable(["table", "strikethrough"])
    # Without these two, "$5 and $6" would be a formula.
    parser.use(
        dollarmath_plugin,
        allow_space=False,
        allow_digits=False,
        renderer=lambda text, options: mathml(text, is_block=options["display_mode"]),
    )
    parser.core.ruler.push("levels", level_headings)
    parser.core.ruler.push("cells", align_cells)
    for rule, render in (
        ("image", image_as_link),
        ("table_open", table_open),
        ("table_close", table_close),
        ("math_block", block_of_maths),
        ("code_block", block_of_code),
        ("link_close", link_close),
    ):
        parser.add_render_rule(rule, render)
    return parser


def level_headings(state: StateCore) -> None:
    """Set headings under the side's own, with no level left out; one without words is a paragraph."""
    before = SIDE_LEVEL
    for place, token in enumerate(state.tokens):
        if token.type != "heading_open":
            continue
        closing = state.tokens[place + 2]
        if not state.tokens[place + 1].content.strip():
            token.tag = closing.tag = "p"
            continue
        level = min(SIDE_LEVEL + int(token.tag[1]), before + 1, DEEPEST_LEVEL)
        token.tag = closing.tag = f"h{level}"
        before = level


def align_cells(state: StateCore) -> None:
    """Say by a class what the parser says by a style, which the site's policy forbids; no heading cell is empty."""
    for place, token in enumerate(state.tokens):
        if token.type not in {"th_open", "td_open"}:
            continue
        alignment = ALIGNMENTS.get(str(token.attrs.pop("style", "")))
        if alignment:
            token.attrs["class"] = alignment
        if token.type == "th_open" and not state.tokens[place + 1].content.strip():
            token.tag = state.tokens[place + 2].tag = "td"


def image_as_link(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    place: int,
    options: OptionsDict,
    env: Environment,
) -> str:
    """Return an image as a link to it: to show it would tell its host who reads this."""
    token = tokens[place]
    words = renderer.renderInlineAsText(token.children, options, env) or str(token.attrs["src"])
    return f'<a href="{escapeHtml(str(token.attrs["src"]))}">image: {escapeHtml(words)}</a>'


def link_close(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    place: int,
    _options: OptionsDict,
    _env: Environment,
) -> str:
    """End a link; one without words shows where it leads."""
    before = tokens[place - 1]
    is_empty = before.type == "link_open"
    return f"{escapeHtml(str(before.attrs['href']))}</a>" if is_empty else "</a>"


def block_of_code(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    place: int,
    _options: OptionsDict,
    _env: Environment,
) -> str:
    """Return indented code, which names no language."""
    return highlight(tokens[place].content, "", "")


def table_open(*_: object) -> str:
    """Begin a table that scrolls by itself when it is wide."""
    return f"{SCROLLING.format(label='Table')}<table>"


def table_close(*_: object) -> str:
    """End a table."""
    return "</table></div>"


def block_of_maths(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    place: int,
    _options: OptionsDict,
    _env: Environment,
) -> str:
    """Return a formula on a line of its own."""
    formula = mathml(tokens[place].content, is_block=True)
    return f"{SCROLLING.format(label='Formula')}{formula}</div>"
