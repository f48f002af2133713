"""Measure voting beside the empty endpoint and beside a plain session, then let locust loose for a while."""

import http.cookiejar
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from arena.embedded.postgres import EmbeddedPostgres
from loadtests.client import Outcome, burst, request_bytes
from loadtests.server import free_port, served, wait_for

VOTES = 2000
CONNECTIONS = 32
LOCUST_SECONDS = 30
VOTERS = 20
HERE = Path(__file__).parent


def main() -> None:
    with served("--demo") as (port, home):
        print(f"{VOTES} votes, {CONNECTIONS} connections, client on the same cores\n")
        empty = burst(
            port, [request_bytes("GET /healthz", port=port)] * VOTES, connections=CONNECTIONS
        )
        battles = drawn(port, 2 * VOTES)
        votes = burst(port, [battle.vote for battle in battles[:VOTES]], connections=CONNECTIONS)
        plain = plain_votes(home, battles[VOTES:])
        show("/healthz", empty)
        show("vote, whole path, durable", votes)
        show("vote, plain ORM session", plain)
        print(f"\nvote / healthz {votes.per_second / empty.per_second:.2f} (bar 0.40)")
        print(f"vote / plain session {votes.per_second / plain.per_second:.1f} (bar 3)\n")
        for file in ("voters.py", "viewers.py"):
            locust(port, file)


def show(name: str, found: Outcome) -> None:
    print(
        f"{name:28s} {found.per_second:8.0f}/s  median {found.median_ms:6.1f} ms  "
        f"p99 {found.p99_ms:6.1f} ms  {found.statuses}"
    )


class Battle:
    """A drawn battle with the request that votes on it."""

    def __init__(self, port: int) -> None:
        jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        base = f"http://127.0.0.1:{port}"
        start = self.read(f"{base}/vote?board=demo")
        page = self.read(f"{base}/battles", hidden(start, "/battles") | {"board": "demo"}, base)
        found = re.search(r'action="(/battles/([^"/]+)/vote)"', page)
        assert found, "no battle was drawn"
        self.public_id = found[2]
        fields = hidden(page, found[1]) | {"outcome": "a"}
        headers = {
            "Cookie": "; ".join(f"{each.name}={each.value}" for each in jar),
            "Origin": base,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        body = urllib.parse.urlencode(fields).encode()
        self.vote = request_bytes(f"POST {found[1]}", port=port, headers=headers, body=body)

    def read(self, url: str, fields: dict[str, str] | None = None, origin: str = "") -> str:
        data = urllib.parse.urlencode(fields).encode() if fields is not None else None
        request = urllib.request.Request(url, data, {"Origin": origin} if origin else {})
        with self.opener.open(request, timeout=30) as answer:
            return str(answer.read().decode())


def hidden(page: str, action: str) -> dict[str, str]:
    form = re.search(rf'<form[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.S)
    assert form, f"no form to {action}"
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[1]))


def drawn(port: int, n: int) -> list[Battle]:
    """One battle for each of n voters who have never been here."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda _: Battle(port), range(n)))


def plain_votes(home: Path, battles: list[Battle]) -> Outcome:
    """The same votes through a route that opens a session for each."""
    port = free_port()
    url = EmbeddedPostgres(home).url
    command = [sys.executable, "-m", "uvicorn", "loadtests.plain_orm:create_app", "--factory"]
    command += ["--port", str(port), "--log-level", "warning", "--no-access-log"]
    server = subprocess.Popen(command, env=os.environ | {"PLAIN_ORM_URL": url})
    try:
        wait_for(f"http://127.0.0.1:{port}/openapi.json", 30)
        requests = [
            request_bytes(f"POST /vote/{battle.public_id}", port=port) for battle in battles
        ]
        return burst(port, requests, connections=CONNECTIONS)
    finally:
        server.terminate()
        server.wait()


def locust(port: int, file: str) -> None:
    print(f"--- locust {file}, {VOTERS} users, {LOCUST_SECONDS} s")
    command = [
        sys.executable,
        "-m",
        "locust",
        "-f",
        str(HERE / file),
        "--headless",
        "--only-summary",
    ]
    command += ["-u", str(VOTERS), "-r", str(VOTERS), "-t", f"{LOCUST_SECONDS}s"]
    command += ["-H", f"http://127.0.0.1:{port}", "--exit-code-on-error", "0"]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
