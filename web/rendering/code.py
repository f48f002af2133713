"""Code with its words marked by classes; the sheet gives them their colours."""

from markdown_it.common.utils import escapeHtml
from pygments import highlight as mark
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LONGEST_CODE = 8_000
PREFIX = "hl-"
# Languages whose lexers read any text in a time that grows with its length.
LANGUAGES = frozenset(
    [
        "bash",
        "c",
        "c++",
        "cpp",
        "css",
        "diff",
        "go",
        "html",
        "java",
        "javascript",
        "js",
        "json",
        "kotlin",
        "php",
        "py",
        "python",
        "ruby",
        "rust",
        "sh",
        "sql",
        "swift",
        "toml",
        "ts",
        "typescript",
        "xml",
        "yaml",
    ]
)


def highlight(code: str, language: str, _attributes: str) -> str:
    """Return a block of code. A language that is not named, or not known, is shown without colours."""
    return f'<pre tabindex="0" dir="ltr"><code>{_marked(code, language.lower())}</code></pre>\n'


def _marked(code: str, language: str) -> str:
    if language not in LANGUAGES or len(code) > LONGEST_CODE:
        return escapeHtml(code)
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return escapeHtml(code)
    marked: str = mark(code, lexer, HtmlFormatter(nowrap=True, classprefix=PREFIX))
    return marked
