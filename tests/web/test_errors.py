"""No input, however hostile, gives a 5xx; and an error says what happened to whoever caused it."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import httpx
import pytest

from arena.store.engine import open_engine, open_sessions
from arena.wiring import Wiring
from tests.web.pool import add_votable, begin, id_of
from tests.web.site import Visitor, form_of, served
from web.security.guard import MOST_BODY_BYTES

TEXTS = {
    "NUL": "hello\u0000world",
    "lone surrogate": "\ud800",
    "bidi": "\u202egnp.exe",
    "markup": "<img src=# onerror=alert(1)>",
    "too long": "x" * 5000,
    "beyond int64": str(2**63),
    "infinite": "1e999",
    "empty": "",
    "format": "%s{0}{{7*7}}",
}
JSON = {"Content-Type": "application/json"}
BODIES = {
    "infinite": b'{"outcome": 1e999}',
    "not a number": b'{"outcome": NaN}',
    "beyond int64": b'{"outcome": %d}' % 2**63,
    "5,000 digits": b'{"outcome": ' + b"9" * 5000 + b"}",
    "surrogate in a value": b'{"outcome": "\\ud800"}',
    "surrogate in a name": b'{"\\ud800": "a"}',
    "NUL": b'{"outcome": "\\u0000"}',
    "twice": b'{"outcome": "left", "outcome": "right"}',
    "deep": b"[" * 20_000 + b"]" * 20_000,
    "not JSON": b"outcome=a",
    "not UTF-8": b'{"outcome": "\xff"}',
    "byte order mark": b'\xef\xbb\xbf{"outcome": "left"}',
    "a list": b'["a"]',
    "null": b"null",
    "nothing": b"",
}
TYPES = (
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "application/json; charset=utf-16",
    "image/png",
    "\u00e9",
)


@pytest.fixture(autouse=True)
def _board(wiring: Wiring) -> None:
    add_votable(wiring)


def test_a_body_that_cannot_be_read_is_refused(visitor: Visitor) -> None:
    """And never answered with our own failure, whatever type it says it has."""
    address = f"/api/v1/battles/{id_of(begin(visitor))}/vote"

    for (kind, body), media_type in product(BODIES.items(), TYPES):
        headers = {"Content-Type": media_type.encode(), "Idempotency-Key": "k"}
        answer = visitor.post(address, content=body, headers=headers)
        assert 400 <= answer.status_code < 500, (kind, media_type, answer.text)
        assert answer.headers["content-type"] == "application/problem+json"


def test_any_text_may_come_in_any_field(visitor: Visitor) -> None:
    """What cannot be stored is refused or cleaned before Postgres sees it, and nothing is obeyed."""
    battle = begin(visitor)
    action, hidden = form_of(battle.text, r"/battles/[^/]+/vote")
    fields = hidden | {"outcome": "a"}

    for kind, text in TEXTS.items():
        encoded = text.encode("utf-8", "surrogatepass")
        call = json.dumps({"board": text}).encode()
        answers = [
            visitor.post("/api/v1/battles", content=call, headers=JSON),
            visitor.post("/battles", data={"board": encoded, "csrf": encoded}),
            *(
                visitor.post(action, data=fields | {name: encoded})
                for name in ("csrf", "outcome", "another")
            ),
            visitor.get("/vote", params={"board": encoded}),
            visitor.get(f"/battles/{quoted(encoded)}"),
            visitor.get(f"/api/v1/battles/{quoted(encoded)}"),
            visitor.get("/vote", headers={"Cookie": b"arena=" + encoded.replace(b"\0", b"")}),
        ]
        for answer in answers:
            assert answer.status_code < 500, (kind, str(answer.url), answer.text)
            is_page = answer.headers["content-type"].startswith("text/html")
            assert not (is_page and "<img" in answer.text), (kind, str(answer.url))


def quoted(text: bytes) -> str:
    """Any bytes as a part of an address."""
    return "".join(f"%{byte:02x}" for byte in text)


def test_a_key_that_is_no_key_is_refused(visitor: Visitor) -> None:
    """Postgres cannot store every byte that a header can hold."""
    address = f"/api/v1/battles/{id_of(begin(visitor))}/vote"

    for key in (b"\xff\xfe", b"a b", b"", b"k" * 5000):
        headers = {"Idempotency-Key": key}
        assert visitor.post(address, json={"outcome": "a"}, headers=headers).status_code == 422


def test_a_huge_body_is_refused(visitor: Visitor) -> None:
    """No form here needs it; memory is for everybody. A body may hide its length by coming in pieces."""
    body = b'{"board": "' + b"x" * MOST_BODY_BYTES + b'"}'

    announced = visitor.post("/api/v1/battles", content=body, headers=JSON)
    streamed = visitor.post("/api/v1/battles", content=iter([body[:9], body[9:]]), headers=JSON)

    assert announced.status_code == streamed.status_code == 413
    assert announced.json()["code"] == streamed.json()["code"] == "too_large"


def test_programs_get_a_problem_and_people_a_page(visitor: Visitor) -> None:
    """Each reads what they can use, with the number that the log has."""
    call, page = visitor.get("/api/v1/battles/none"), visitor.get("/battles/none")

    problem = call.json()
    assert call.headers["content-type"] == "application/problem+json"
    assert problem["status"] == 404
    assert problem["code"] == "unknown_battle"
    assert problem["request_id"] == call.headers["x-request-id"]
    assert "There is no such battle of yours." in page.text
    assert page.headers["x-request-id"] in page.text


def test_a_refusal_never_sends_back_what_came(visitor: Visitor) -> None:
    """A secret that was sent by mistake must not come to rest in a page or a log."""
    address = f"/api/v1/battles/{id_of(begin(visitor))}/vote"

    answer = visitor.post(
        address, json={"outcome": "canary-7f3a"}, headers={"Idempotency-Key": "k"}
    )

    assert answer.status_code == 422
    assert "outcome" in answer.json()["detail"]
    assert "canary" not in answer.text


def test_a_wrong_method_says_which_is_right(visitor: Visitor) -> None:
    """405 without Allow leaves a program guessing."""
    answer = visitor.delete("/api/v1/battles")

    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


def test_head_is_a_get_without_a_body(visitor: Visitor) -> None:
    """Monitors and link checkers ask so."""
    for address in ("/vote", "/healthz", "/nowhere"):
        head, get = visitor.head(address), visitor.get(address)
        assert head.status_code == get.status_code
        assert head.content == b""


def test_without_postgres_the_answer_is_come_again(wiring: Wiring, tmp_path: Path) -> None:
    """503 and not 500: it is no bug, it passes, and a balancer must know the difference."""
    away = open_engine(f"postgresql://arena@/arena?host={tmp_path}")

    with served(replace(wiring, engine=away, sessions=open_sessions(away))) as base:
        answers = [
            httpx.get(base + address) for address in ("/vote", "/battles/x", "/api/v1/battles/x")
        ]

    for answer in answers:
        assert answer.status_code == 503
        assert answer.headers["retry-after"]
        assert str(tmp_path) not in answer.text
