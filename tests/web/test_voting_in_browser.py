"""Voting in a real browser: by pointer, by keys, without scripts, and for everybody."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy import update

from arena.clock import now
from arena.store.tables import BattleRow, CompletionRow, PromptRow
from arena.terms import BattleState
from arena.wiring import Wiring
from tests.web.browser import WIDTHS, opened_browser, violations
from tests.web.pool import NAMES, add_votable, stored_votes

pytestmark = pytest.mark.browser

ANSWER = """# First heading

Some *words* with `code`, a [link](https://example.org) and $x^2$.

### Skipped a level

| left | right |
|------|------:|
| 1    | 2     |

```python
def answer(question: str) -> str:  # a line that is long enough to need scrolling on a narrow screen
    return "yes"
```

> quoted

1. one
2. two

$$
\\sum_{i=1}^n i = \\frac{n(n+1)}{2}
$$
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as chromium:
        yield chromium


@pytest.fixture(autouse=True)
def _board(wiring: Wiring) -> None:
    add_votable(wiring, prompts=6)
    with wiring.sessions.begin() as session:
        session.execute(update(CompletionRow).values(text=ANSWER))


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=site)
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def begin(page: Page) -> None:
    """Go to a new battle as a person would."""
    page.goto("/vote?board=people")
    page.get_by_role("button", name="Begin on People").click()
    expect(page.get_by_role("button", name="A is better")).to_be_visible()


def vote(page: Page, button: str = "A is better") -> None:
    page.get_by_role("button", name=button).click()
    expect(page.get_by_text("Saved:")).to_be_visible()


def hold(page: Page) -> None:
    """Stop the clock, so that the page stays as it is however long one looks at it."""
    page.get_by_role("button", name="Hold the clock").click()


def show_names(page: Page) -> None:
    page.get_by_role("button", name="Show names now").click()
    expect(page.get_by_role("heading", name="You chose A")).to_be_visible()


def put(page: Page, wiring: Wiring, **values: object) -> None:
    """Put the battle of this page in a state that time would bring, and load it again."""
    public_id = page.url.rpartition("/")[2]
    with wiring.sessions.begin() as session:
        session.execute(update(BattleRow).where(BattleRow.public_id == public_id).values(**values))
    page.reload()


def test_a_vote_by_pointer(page: Page, wiring: Wiring) -> None:
    """Draw, vote, see the names, go on."""
    begin(page)
    vote(page)
    show_names(page)

    for name in NAMES:
        assert page.get_by_role("link", name=name).count() == 1
    page.get_by_role("button", name="Next battle").click()
    expect(page.get_by_text("Battle 2 of 20")).to_be_visible()
    assert stored_votes(wiring) == 1


def test_a_vote_by_keys_alone(page: Page, wiring: Wiring) -> None:
    """Keys press the buttons of the page; up and down only scroll."""
    begin(page)

    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert stored_votes(wiring) == 0
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Saved: B is better")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_role("heading", name="Your vote is taken back")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="Tie")).to_be_visible()
    page.keyboard.press("t")
    expect(page.get_by_role("heading", name="Saved: a tie")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="You called it a tie")).to_be_visible()


def test_single_keys_can_be_switched_off(page: Page, wiring: Wiring) -> None:
    """Who dictates to a computer says letters all the time (WCAG 2.1.4)."""
    begin(page)
    page.keyboard.press("?")
    page.get_by_label("Single keys work outside of text fields").uncheck()
    page.get_by_role("button", name="Close").click()

    page.keyboard.press("t")
    page.wait_for_timeout(300)

    assert stored_votes(wiring) == 0


def test_every_control_is_reached_by_tab(page: Page) -> None:
    """Keys are a convenience; the tab order is what everybody has."""
    begin(page)
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(str(page.evaluate("document.activeElement.textContent.trim()")))

    assert reached[0] == "Skip to content"
    verdicts = [text.split()[0] for text in reached if text.startswith(("A is", "Tie", "B is"))]
    assert verdicts[:3] == ["A", "Tie", "B"]


def test_the_names_come_by_themselves_when_the_clock_ran_out(page: Page, wiring: Wiring) -> None:
    """Ten seconds to undo, without a press at their end; on a fresh page the clock goes on, not back."""
    page.clock.install()
    begin(page)
    vote(page)

    page.clock.run_for(11_000)

    expect(page.get_by_role("heading", name="You chose A")).to_be_visible()


def test_the_clock_can_be_held(page: Page) -> None:
    """Ten seconds are short for some; the time limit can be switched off (WCAG 2.2.1)."""
    page.clock.install()
    begin(page)
    vote(page)

    page.get_by_role("button", name="Hold the clock").click()
    page.clock.run_for(60_000)

    expect(page.get_by_role("heading", name="Saved: A is better")).to_be_visible()
    assert page.get_by_role("button", name="Hold the clock").get_attribute("aria-pressed") == "true"


def test_many_clicks_are_one_vote(page: Page, wiring: Wiring) -> None:
    """A slow line makes people press again."""
    begin(page)

    page.evaluate("""() => {
        const button = document.querySelector('[value="b"]');
        for (let n = 0; n < 20; n += 1) button.click();
    }""")

    expect(page.get_by_role("heading", name="Saved: B is better")).to_be_visible()
    assert stored_votes(wiring) == 1


def test_without_scripts_one_votes_as_well(browser: Browser, site: str, wiring: Wiring) -> None:
    """Every action is a form first, and nothing that needs the script is in the way."""
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()

    begin(page)
    vote(page)
    assert not page.get_by_role("button", name="Hold the clock").is_visible()
    show_names(page)

    context.close()
    assert stored_votes(wiring) == 1


def test_the_back_button_shows_the_vote_that_is_stored(page: Page) -> None:
    """An old page from the browser's memory would invite a second vote."""
    begin(page)
    vote(page)
    page.go_back()
    page.go_forward()

    expect(page.get_by_role("heading", name="Saved: A is better")).to_be_visible()


def test_hostile_answers_run_nothing_and_fetch_nothing(
    page: Page, wiring: Wiring, site: str
) -> None:
    """The browser is the judge: no dialog, no request elsewhere, no element outside of the answer."""
    hostile = (
        "<img src=x onerror=alert(1)><svg onload=alert(2)>\n\n![p](https://attacker.test/p.png)\n\n"
        "<script>alert(3)</script></div></article><form action=//attacker.test>\n\n"
        "[go](javascript:alert(4)) $\\href{javascript:alert(5)}{x}$ \u202egnp.exe <style>*{}</style>"
    )
    with wiring.sessions.begin() as session:
        session.execute(update(CompletionRow).values(text=hostile))
        session.execute(update(PromptRow).values(text=hostile))
    asked: list[str] = []
    dialogs: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: complaints.append(message.text))

    begin(page)
    page.wait_for_load_state("networkidle")

    assert dialogs == []
    assert complaints == []
    assert [url for url in asked if not url.startswith(site)] == []
    assert page.locator("main img, main svg, main style, main script").count() == 0
    assert page.locator(".duel > article").count() == 2


STATES: dict[str, Callable[[Page, Wiring], object]] = {
    "choose": lambda page, wiring: page.goto("/vote"),
    "open": lambda page, wiring: begin(page),
    "voted": lambda page, wiring: (begin(page), vote(page), hold(page)),
    "revealed": lambda page, wiring: (begin(page), vote(page), show_names(page)),
    "undone": lambda page, wiring: (begin(page), put(page, wiring, state=BattleState.UNDONE)),
    "void": lambda page, wiring: (begin(page), put(page, wiring, state=BattleState.VOID)),
    "expired": lambda page, wiring: (begin(page), put(page, wiring, expires_at=now())),
    "error": lambda page, wiring: page.goto("/nowhere"),
}


@pytest.mark.parametrize("state", STATES)
def test_everybody_can_use_every_state(
    browser: Browser, site: str, wiring: Wiring, state: str
) -> None:
    """No objection of axe, and no sideways scrolling, narrow and wide, light and dark."""
    context = browser.new_context(base_url=site)
    page = context.new_page()
    STATES[state](page, wiring)

    for width in WIDTHS:
        for scheme in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations(page) == [], (state, width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (state, width)
    context.close()


def test_the_theme_is_kept_without_a_flash(page: Page) -> None:
    """The server writes it, so that the first paint is right."""
    page.goto("/vote")
    button = page.get_by_role("button", name="Theme: auto")
    button.click()
    page.get_by_role("button", name="Theme: light").click()

    page.reload()

    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.get_by_role("button", name="Theme: dark").is_visible()
