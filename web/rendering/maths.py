"""TeX as MathML. A formula that cannot be read is shown as it was written."""

from latex2mathml import converter, exceptions
from markdown_it.common.utils import escapeHtml

LONGEST_FORMULA = 2_000
DEEPEST_BRACES = 30
# The converter has a dozen errors of its own without a common parent, and on odd input raises these instead.
UNREADABLE: tuple[type[Exception], ...] = (
    *(each for each in vars(exceptions).values() if isinstance(each, type)),
    AttributeError,
    LookupError,
    RecursionError,
    StopIteration,
    TypeError,
    ValueError,
)


def mathml(tex: str, *, is_block: bool) -> str:
    """Return a formula as MathML, or as code if it is too long, too deep or not readable."""
    if len(tex) > LONGEST_FORMULA or depth(tex) > DEEPEST_BRACES:
        return as_code(tex)
    try:
        found: str = converter.convert(tex, display="block" if is_block else "inline")
    except UNREADABLE:
        return as_code(tex)
    return found


def as_code(tex: str) -> str:
    """Return a formula as it was written."""
    return f"<code>{escapeHtml(tex)}</code>"


def depth(tex: str) -> int:
    """Return how deep the braces of a formula go."""
    now = deepest = 0
    for letter in tex:
        now += (letter == "{") - (letter == "}")
        deepest = max(deepest, now)
    return deepest
