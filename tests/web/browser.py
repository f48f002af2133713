"""Chromium for the tests that need a browser: found where it may be, fetched if it is nowhere, and never skipped."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

SETTING = "ARENA_CHROMIUM"
NAMES = ("chromium", "google-chrome", "google-chrome-stable", "chromium-browser")
INSTALL_SECONDS = 600
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
WIDTHS = (1440, 390)


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """Run Chromium for the length of a `with` block."""
    with sync_playwright() as playwright:
        program = find_chromium(playwright)
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()


def find_chromium(playwright: Playwright) -> str:
    """Return a Chromium: the one that is set, playwright's own, the system's, or one fetched now."""
    if SETTING in os.environ:
        return os.environ[SETTING]
    found = _present(playwright.chromium.executable_path)
    if found is None:
        said = fetch()
        found = _present(playwright.chromium.executable_path)
        assert found is not None, (
            f"The browser tests need Chromium, and there is none. Looked at ${SETTING}, playwright's own and "
            f"{', '.join(NAMES)} on PATH, then tried to fetch one:\n{said}\n"
            f"Install one by `playwright install chromium`, or set {SETTING} to its program."
        )
    return found


def _present(own: str) -> str | None:
    if Path(own).exists():
        return own
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@cache
def fetch() -> str:
    """Fetch a Chromium by the means at hand, once; return what the attempts said."""
    attempts = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        attempts += [["apt-get", "update"], ["apt-get", "install", "-y", "chromium"]]
    said = []
    for attempt in attempts:
        sys.stderr.write(f"browser tests: no Chromium here, running {' '.join(attempt)}\n")
        done = subprocess.run(
            attempt, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
        )
        said.append(f"{' '.join(attempt)}: {(done.stdout + done.stderr)[-300:]}")
    return "\n".join(said)


def violations(page: Page) -> list[str]:
    """Return what axe objects to on a page, each with where it is."""
    options = {"runOnly": {"type": "tag", "values": list(RULES)}}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']}: {each['help']} at {[node['html'][:120] for node in each['nodes']][:3]}"
        for each in found
    ]
