"""Boards in a real browser: for everybody, at every width, by keyboard, and with scripts off."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from arena.store.tables import BoardRow, ModelRow
from arena.wiring import Wiring
from tests.arena.rows import add_board
from tests.web.browser import WIDTHS, opened_browser, violations
from tests.web.rated_board import JUDGE, add_cells, add_rated, add_reading, newest_of

pytestmark = pytest.mark.browser

PAGES = (
    "/",
    "/boards/people",
    f"/boards/people?source={JUDGE}&cells=none",
    "/boards/people?reading=with+flagged",
    "/boards/bare",
    "/method",
)
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SHIFTS = """() => new Promise(done => {
    let sum = 0;
    new PerformanceObserver(list => { for (const each of list.getEntries()) sum += each.value; })
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 300);
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as chromium:
        yield chromium


@pytest.fixture
def boards(wiring: Wiring) -> Wiring:
    """A board with ratings, another reading, a judge and cells of every kind, and a bare one."""
    add_rated(wiring)
    add_cells(wiring)
    add_reading(wiring, "with flagged", newest_of(wiring).id, shift=10.0)
    with wiring.sessions.begin() as session:
        add_board(session, "bare")
    return wiring


def opened(
    browser: Browser, site: str, *, width: int, scheme: str = "light", **options: bool
) -> Page:
    """A page of a fresh visitor on a screen of this width."""
    size = {"width": width, "height": 900}
    return browser.new_page(base_url=site, color_scheme=scheme, viewport=size, **options)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_for_everybody(
    browser: Browser, site: str, boards: Wiring, width: int, scheme: str
) -> None:
    """No objection of axe, nothing that scrolls the page sideways, nothing that the policy had to stop."""
    page = opened(browser, site, width=width, scheme=scheme)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    for address in PAGES:
        page.goto(address)
        assert violations(page) == [], address
        assert page.evaluate(SIDEWAYS) <= 0, address
    page.close()
    assert complaints == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_while_a_board_loads(
    browser: Browser, site: str, boards: Wiring, width: int
) -> None:
    """A row that jumps under the pointer is a wrong click."""
    page = opened(browser, site, width=width)
    page.goto("/boards/people")

    assert page.evaluate(SHIFTS) == 0
    page.close()


def test_a_first_start_is_for_everybody(browser: Browser, site: str) -> None:
    """The page without any board is the first one that most people see."""
    page = opened(browser, site, width=1440)
    page.goto("/")

    expect(page.get_by_role("heading", level=1)).to_have_text("There is no board yet")
    assert violations(page) == []
    page.close()


def test_longest_names_keep_the_page_in_its_width(
    browser: Browser, site: str, boards: Wiring
) -> None:
    """Names come from anybody, at any length, in any script."""
    with boards.sessions.begin() as session:
        session.scalars(select(BoardRow).where(BoardRow.name == "people")).one().title = "w" * 200
        session.scalars(select(ModelRow).where(ModelRow.name == "ash")).one().name = "W" * 200
        session.scalars(select(ModelRow).where(ModelRow.name == "dawn")).one().name = "م" * 200
    for width in WIDTHS:
        page = opened(browser, site, width=width)
        for address in ("/", "/boards/people"):
            page.goto(address)
            assert page.evaluate(SIDEWAYS) <= 0, (width, address)
        page.close()


def test_a_board_is_filtered_and_sorted_with_scripts_off(
    browser: Browser, site: str, boards: Wiring
) -> None:
    """Every action is a form or a link first."""
    page = opened(browser, site, width=1440, java_script_enabled=False)
    page.goto("/boards/people")

    page.get_by_label("Source").select_option(JUDGE)
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("link", name="Model", exact=True).click()

    heads = page.get_by_role("rowheader")
    expect(page.get_by_role("columnheader", name="Model", exact=True)).to_have_attribute(
        "aria-sort", "ascending"
    )
    expect(heads.first).to_contain_text("ash")
    assert f"source={JUDGE}" in page.url
    page.close()


def test_another_reading_is_chosen_by_keyboard_with_scripts_off(
    browser: Browser, site: str, boards: Wiring
) -> None:
    """It is found where the source is chosen, and the way back stands above the table."""
    page = opened(browser, site, width=1440, java_script_enabled=False)
    page.goto("/boards/people")

    page.get_by_label("Reading").select_option("with flagged")
    page.get_by_role("button", name="Apply").press("Enter")
    expect(page.get_by_text("Another reading of rating run")).to_be_visible()
    page.get_by_role("link", name="The ratings of the run").press("Enter")

    expect(page.get_by_text("Another reading of rating run")).to_have_count(0)
    assert "reading" not in page.url
    page.close()


def test_a_reason_is_reached_by_keyboard(browser: Browser, site: str, boards: Wiring) -> None:
    """What a pointer finds by hovering must be there for a key."""
    page = opened(browser, site, width=1440)
    page.goto("/boards/people")

    mark = page.get_by_role("link", name="failed, reason")
    mark.focus()
    page.keyboard.press("Enter")

    note = page.locator("li:target")
    expect(note).to_contain_text("reason of a cell that is failed")
    expect(note).to_be_in_viewport()
    page.close()


def test_a_small_screen_shows_ratings_or_cells(browser: Browser, site: str, boards: Wiring) -> None:
    """A wide table on a phone is a list that one can switch, without a script."""
    page = opened(browser, site, width=390, java_script_enabled=False)
    page.goto("/boards/people")
    cell = page.locator("td.cell").first
    bar = page.locator("td.plot").first

    expect(bar).to_be_visible()
    expect(cell).to_be_hidden()
    page.get_by_label("Cells", exact=True).last.check()
    expect(bar).to_be_hidden()
    expect(cell).to_be_visible()
    page.close()
