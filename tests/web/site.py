"""The site over a test's own database, on a real port: visited by a client that sends forms like a browser without scripts."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape

import httpx
import uvicorn

from arena.wiring import Wiring
from web.app import create_app

STARTING_SECONDS = 10


class Visitor(httpx.Client):
    """One browser with scripts off: it keeps cookies, says where its forms come from, and fills in their hidden fields."""

    def __init__(self, base: str) -> None:
        super().__init__(base_url=base, follow_redirects=True, timeout=30, trust_env=False)
        self.headers["Origin"] = base

    def submit(self, page: httpx.Response, action: str, **fields: str) -> httpx.Response:
        """Send the form of a page whose address matches `action`."""
        address, hidden = form_of(page.text, action)
        return self.post(address, data=hidden | fields)


def form_of(text: str, action: str) -> tuple[str, dict[str, str]]:
    """Return the address of a page's form and its hidden fields."""
    form = re.search(rf'<form[^>]*action="({action})"[^>]*>(.*?)</form>', text, re.DOTALL)
    assert form, f"the page has no form to {action}"
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[2])
    return form[1], {name: unescape(value) for name, value in hidden}


@contextmanager
def served(wiring: Wiring) -> Iterator[str]:
    """Serve the site for the length of a `with` block; yield its address."""
    config = uvicorn.Config(
        create_app(wiring),
        port=0,
        log_level="error",
        access_log=False,
        ws="none",
        server_header=False,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + STARTING_SECONDS
    while not server.started:
        assert time.monotonic() < end, "the site did not start"
        assert thread.is_alive(), "the site ended while starting"
        time.sleep(0.01)
    try:
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(STARTING_SECONDS)
