"""Pairs, models and records in a real browser: for everybody, at every width, and with hostile names."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import update

from arena.store.tables import ModelRow, RunRow
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import publish
from tests.web.awkward_board import SLASHED, add_awkward, newest_run
from tests.web.browser import WIDTHS, opened_browser, violations

pytestmark = pytest.mark.browser

LONGEST_NAME = "w" * 200
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as chromium:
        yield chromium


@pytest.fixture
def addresses(wiring: Wiring) -> dict[str, str]:
    """One page of each kind, on a board with a history."""
    add_awkward(wiring)
    publish(wiring, "people")
    with wiring.sessions() as session:
        run = session.query(RunRow.id).order_by(RunRow.id).first()
    assert run is not None
    return {
        "pairs": "/boards/people/pairs",
        "model": f"/models/{quote(SLASHED, safe='')}",
        "rating run": f"/rating-runs/{newest_run(wiring)}",
        "run": f"/runs/{run.id}",
    }


@pytest.mark.parametrize(("width", "scheme"), list(zip(WIDTHS, ("light", "dark"), strict=True)))
def test_every_page_is_for_everybody(
    browser: Browser, site: str, addresses: dict[str, str], width: int, scheme: str
) -> None:
    """No objection of axe, nothing that scrolls the page sideways, nothing that the policy had to stop."""
    page = browser.new_page(
        base_url=site, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    for name, address in addresses.items():
        page.goto(address)
        assert violations(page) == [], name
        assert page.evaluate(SIDEWAYS) <= 0, name
    page.close()

    assert complaints == []


def test_two_models_are_compared_by_keyboard(
    browser: Browser, site: str, addresses: dict[str, str]
) -> None:
    """The form must be reached and sent without a pointer."""
    page: Page = browser.new_page(base_url=site)
    page.goto(addresses["pairs"])
    page.get_by_label("One model").select_option("cedar")
    page.get_by_label("against another").select_option("dawn")
    page.get_by_role("button", name="Apply").press("Enter")

    expect(page.get_by_role("heading", name="cedar and dawn")).to_be_visible()
    expect(page.get_by_text("3 battles: 0 won, 0 tied, 0 both bad, 3 lost.")).to_be_visible()
    page.close()


def test_a_name_of_two_hundred_letters_stays_on_its_page(
    browser: Browser, wiring: Wiring, site: str, addresses: dict[str, str]
) -> None:
    """Names are as long as the border lets them be."""
    with wiring.sessions.begin() as session:
        session.execute(update(ModelRow).where(ModelRow.name == "cedar").values(name=LONGEST_NAME))
    page = browser.new_page(base_url=site, viewport={"width": 390, "height": 900})
    for address in (addresses["pairs"], f"/models/{LONGEST_NAME}", addresses["rating run"]):
        page.goto(address)
        assert page.evaluate(SIDEWAYS) <= 0, address
    page.close()
