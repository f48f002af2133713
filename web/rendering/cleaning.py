"""The last word on what an answer's HTML may hold, whatever came before: a list of what is allowed."""

import nh3
from markupsafe import Markup

MATHS = frozenset(
    [
        "math",
        "mrow",
        "mi",
        "mo",
        "mn",
        "ms",
        "mtext",
        "mspace",
        "msub",
        "msup",
        "msubsup",
        "munder",
        "mover",
        "munderover",
        "mmultiscripts",
        "mprescripts",
        "none",
        "mfrac",
        "msqrt",
        "mroot",
        "mtable",
        "mtr",
        "mtd",
        "mstyle",
        "mpadded",
        "mphantom",
        "menclose",
    ]
)
TEXT = frozenset(
    [
        "p",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "li",
        "blockquote",
        "hr",
        "br",
        "strong",
        "em",
        "s",
        "a",
        "code",
        "pre",
        "span",
        "div",
        "section",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ]
)
MATHS_ATTRIBUTES = frozenset(
    [
        "accent",
        "columnalign",
        "columnlines",
        "columnspacing",
        "depth",
        "display",
        "displaystyle",
        "fence",
        "form",
        "height",
        "linethickness",
        "lspace",
        "mathsize",
        "mathvariant",
        "maxsize",
        "minsize",
        "movablelimits",
        "notation",
        "rowlines",
        "rowspacing",
        "rspace",
        "scriptlevel",
        "separator",
        "stretchy",
        "symmetric",
        "voffset",
        "width",
    ]
)
ATTRIBUTES: dict[str, set[str]] = {tag: set(MATHS_ATTRIBUTES) for tag in MATHS} | {
    "a": {"href", "title"},
    "code": {"class"},
    "div": {"class", "tabindex", "role", "aria-label"},
    "ol": {"start"},
    "p": {"class"},
    "pre": {"tabindex", "dir"},
    "span": {"class"},
    "td": {"class"},
    "th": {"class"},
}


def clean(html: str) -> Markup:
    """Return HTML that holds nothing but what is allowed."""
    return Markup(  # noqa: S704  # this is the sanitizer
        nh3.clean(
            html,
            tags=set(MATHS | TEXT),
            attributes=ATTRIBUTES,
            url_schemes={"http", "https", "mailto"},
            link_rel="noopener noreferrer nofollow ugc",
            strip_comments=True,
        )
    )
