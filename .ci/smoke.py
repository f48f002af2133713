"""Try an installed wheel from a folder that is no checkout: serve, vote once, see the vote counted, end."""

import http.cookiejar
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

PACKAGES = {"arena", "judges", "ranking", "web"}
CARRIED = ("py.typed", "migrations/env.py", "templates/", "static/", "demo/prompts.jsonl")
WAIT_SECONDS = 60
ARENA = Path(sys.executable).parent / "arena"


def check_wheel(path: str) -> None:
    """The wheel's top level is the four packages, and it carries what is not code."""
    names = zipfile.ZipFile(path).namelist()
    top = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert top == PACKAGES, f"the wheel holds {sorted(top)}, expected {sorted(PACKAGES)}"
    for part in CARRIED:
        assert any(part in name for name in names), f"the wheel lacks {part}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Browser:
    """A client that keeps cookies and sends forms, as one with scripts off would."""

    def __init__(self, base: str) -> None:
        self.base = base
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(jar)

    def get(self, path: str) -> str:
        with self.opener.open(self.base + path, timeout=20) as answer:
            return answer.read().decode()

    def send(self, page: str, action: str, **fields: str) -> str:
        """Send the form of a page that has this action, with its hidden fields."""
        form = re.search(rf'<form[^>]*action="({action})"[^>]*>(.*?)</form>', page, re.S)
        assert form, f"the page has no form to {action}"
        hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[2])
        data = urllib.parse.urlencode(dict(hidden) | fields).encode()
        request = urllib.request.Request(self.base + form[1], data, {"Origin": self.base})
        with self.opener.open(request, timeout=20) as answer:
            return answer.read().decode()


def wait_until_ready(server: subprocess.Popen[bytes], base: str) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            urllib.request.urlopen(f"{base}/readyz", timeout=2).close()
        except OSError:
            assert server.poll() is None, f"`arena up` ended with {server.returncode}"
            assert time.monotonic() < end, f"{base} was not ready within {WAIT_SECONDS} s"
            time.sleep(0.2)
        else:
            return


def votes_on_board(browser: Browser) -> int:
    """How many votes the newest rating run of the demo rests on; 0 before the first."""
    run = json.loads(browser.get("/api/v1/boards/demo"))["run"]
    return 0 if run is None else int(run["preferences"])


def wait_for_votes(browser: Browser, least: int) -> int:
    """Wait until the board rests on so many votes, and return on how many."""
    end = time.monotonic() + WAIT_SECONDS
    while (votes := votes_on_board(browser)) < least:
        assert time.monotonic() < end, f"the board rests on {votes} votes, {least} expected"
        time.sleep(0.2)
    return votes


def vote_once(browser: Browser) -> None:
    """Draw, vote, see the names, and wait for the board to count one more."""
    before = wait_for_votes(browser, 1)
    battle = browser.send(browser.get("/vote?board=demo"), "/battles")
    saved = browser.send(battle, r"/battles/[^/]+/vote", outcome="a")
    revealed = browser.send(saved, r"/battles/[^/]+/reveal")
    assert "You chose A" in revealed, "the names were not shown"
    wait_for_votes(browser, before + 1)


def main() -> None:
    check_wheel(sys.argv[1])
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="arena-", dir="/tmp") as home:
        environment = os.environ | {"ARENA_HOME": home}
        server = subprocess.Popen(
            [ARENA, "up", "--demo", "--port", str(port)], env=environment, start_new_session=True
        )
        try:
            base = f"http://127.0.0.1:{port}"
            wait_until_ready(server, base)
            vote_once(Browser(base))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=30)
    print("the wheel serves, takes a vote and counts it")


if __name__ == "__main__":
    main()
