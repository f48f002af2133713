"""Who may send what, and what every answer tells the browser."""

import re
from dataclasses import replace
from html import unescape

import httpx
import pytest
from itsdangerous import TimestampSigner
from sqlalchemy import select

from arena import rating_runs
from arena.store.boards import find_board
from arena.store.preferences import Source
from arena.store.tables import ModelRow
from arena.terms import Outcome
from arena.wiring import Wiring
from tests.arena.rows import add_votes
from tests.web.pool import NAMES, ORGANIZATION, add_votable, begin, cast, id_of, stored_votes
from tests.web.site import Visitor, form_of, served
from web.security.guard import MOST_BODY_BYTES

EVIL = "https://evil.test"
MOST_PAGES = 300
STRANGERS = (
    {"Origin": EVIL},
    {"Origin": "http://["},
    {"Origin": ""},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "null"},
    {"Origin": EVIL, "Content-Type": "text/plain"},
)
PROTECTING = (
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "cross-origin-opener-policy",
    "x-request-id",
    "cache-control",
)


@pytest.fixture(autouse=True)
def _board(wiring: Wiring) -> None:
    add_votable(wiring)


def test_every_answer_carries_the_protecting_headers(visitor: Visitor) -> None:
    """A header that is missing on errors is missing where attackers look."""
    battle = begin(visitor)
    sheet = re.search(r'href="(/static/arena[^"]+)"', battle.text)
    assert sheet
    answers = [
        battle,
        visitor.get("/vote"),
        visitor.get(sheet[1]),
        visitor.get("/healthz"),
        visitor.get("/readyz"),
        visitor.get("/metrics"),
        visitor.get("/nowhere"),
        visitor.get("/api/v1/nowhere"),
        visitor.get("/api/v1/openapi.json"),
        visitor.put("/vote"),
        visitor.post("/battles", data={"board": "people"}),
        visitor.post("/battles", content=b"x" * (MOST_BODY_BYTES + 1)),
        visitor.post("/battles", headers={"Origin": EVIL}),
    ]

    for answer in answers:
        missing = [name for name in PROTECTING if name not in answer.headers]
        assert not missing, f"{answer.request.method} {answer.url} lacks {missing}"
        assert "'unsafe" not in answer.headers["content-security-policy"]
        assert "server" not in answer.headers


def test_a_failure_of_ours_is_protected_too(wiring: Wiring, logged: None) -> None:
    """It says its number and nothing of what broke: the log has that."""
    broken = replace(wiring, sessions=None)  # type: ignore[arg-type]  # what only a bug could do

    with served(broken) as base:
        page, call = httpx.get(f"{base}/vote"), httpx.get(f"{base}/api/v1/battles/x")

    assert page.status_code == call.status_code == 500
    for answer in (page, call):
        assert not [name for name in PROTECTING if name not in answer.headers]
        assert "NoneType" not in answer.text
    assert call.json()["request_id"] == call.headers["x-request-id"]


def test_battles_are_kept_by_no_cache(visitor: Visitor) -> None:
    """A battle is its voter's alone."""
    battle = begin(visitor)

    for address in (battle.url.path, f"/api/v1{battle.url.path}", "/vote"):
        assert visitor.get(address).headers["cache-control"] == "no-store"


def test_files_are_kept_for_ever_at_an_address_of_their_content(visitor: Visitor) -> None:
    """A new sheet has a new address, so the old one never goes stale."""
    page = visitor.get("/vote").text
    addresses = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)

    for address in addresses:
        assert "immutable" in visitor.get(address).headers["cache-control"]
    assert len(addresses) == 3
    assert visitor.get("/static/arena.css").status_code == 404


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere(visitor: Visitor) -> None:
    """The policy would stop it; better not to write it."""
    page = begin(visitor).text

    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", page)
    assert not re.findall(r'(?:src|href)="https?:', page)


def test_the_cookie_is_signed_random_and_out_of_reach_of_scripts(site: str) -> None:
    """A cookie that can be guessed or written is somebody else's vote."""
    seen = set()
    for _ in range(20):
        with Visitor(site) as visitor:
            header = visitor.get("/vote").headers["set-cookie"]
        assert "HttpOnly" in header
        assert "SameSite=lax" in header
        assert "Max-Age=15552000" in header
        seen.add(header.split("=", 1)[1].split(".")[0])

    assert len(seen) == 20
    assert min(len(secret) for secret in seen) >= 22  # 128 bits in base64


def test_behind_https_the_cookie_is_bound_to_the_host(wiring: Wiring) -> None:
    """A subdomain or a plain connection must not be able to set it."""
    settings = wiring.settings.model_copy(update={"public_url": "https://arena.example"})

    with served(replace(wiring, settings=settings)) as base, Visitor(base) as visitor:
        answer = visitor.get("/vote")

    header = answer.headers["set-cookie"]
    assert header.startswith("__Host-arena=")
    assert "Secure" in header
    assert "Path=/" in header
    assert "Domain" not in header
    assert "strict-transport-security" in answer.headers


def test_a_forged_cookie_is_a_new_visitor(site: str, visitor: Visitor, wiring: Wiring) -> None:
    """The signature is what makes it ours."""
    battle = begin(visitor)
    secret = visitor.cookies["arena"].split(".")[0]
    forged = TimestampSigner("another key", salt="arena visitor").sign(secret).decode()

    with httpx.Client(base_url=site, cookies={"arena": forged}) as other:
        answer = other.get(f"/api/v1/battles/{id_of(battle)}")

    assert answer.status_code == 404


def test_a_reader_gets_no_cookie(visitor: Visitor) -> None:
    """Only who votes needs to be told from others."""
    visitor.get("/healthz")
    visitor.get("/nowhere")

    assert not visitor.cookies


def test_another_site_cannot_vote(visitor: Visitor, wiring: Wiring) -> None:
    """Its form would come with the voter's cookie."""
    battle = begin(visitor)
    action, hidden = form_of(battle.text, r"/battles/[^/]+/vote")
    kinds = {"Idempotency-Key": "k", "Content-Type": "application/json"}

    for headers in STRANGERS:
        form = visitor.post(action, data=hidden | {"outcome": "a"}, headers=headers)
        call = visitor.post(
            f"/api/v1{action}", content=b'{"outcome": "a"}', headers=kinds | headers
        )
        assert form.status_code == call.status_code == 403, headers
    assert stored_votes(wiring) == 0


def test_a_form_of_no_named_origin_is_known_by_its_token(visitor: Visitor, wiring: Wiring) -> None:
    """Browsers say "null" of our own forms, since we let them send no referrer; a call to the API has no token."""
    battle = begin(visitor)
    action, hidden = form_of(battle.text, r"/battles/[^/]+/vote")
    nobody = {"Origin": "null"}

    call = visitor.post(
        f"/api/v1{action}", json={"outcome": "a"}, headers=nobody | {"Idempotency-Key": "k"}
    )
    forged = visitor.post(action, data=hidden | {"outcome": "a", "csrf": "x"}, headers=nobody)
    own = visitor.post(action, data=hidden | {"outcome": "a"}, headers=nobody)

    assert (call.status_code, forged.status_code, own.status_code) == (403, 403, 200)
    assert stored_votes(wiring) == 1


def test_a_form_needs_the_token_of_its_own_visitor_and_address(
    site: str, visitor: Visitor, wiring: Wiring
) -> None:
    """Old browsers say nothing of where a form comes from."""
    battle = begin(visitor)
    action, hidden = form_of(battle.text, r"/battles/[^/]+/vote")
    with Visitor(site) as other:
        _, others = form_of(other.get("/vote").text, "/battles")
    _, elsewhere = form_of(visitor.get("/vote").text, "/battles")

    for token in ("x", "\u00e9", others["csrf"], elsewhere["csrf"]):
        answer = visitor.post(action, data=hidden | {"outcome": "a", "csrf": token})
        assert answer.status_code == 403, token
    assert stored_votes(wiring) == 0


def test_reading_changes_nothing(visitor: Visitor, wiring: Wiring) -> None:
    """A link in a mail must not vote, undo or reveal."""
    voted = cast(visitor, begin(visitor))

    for action in ("vote", "undo", "reveal"):
        assert visitor.get(f"{voted.url.path}/{action}").status_code == 405
    assert "Saved: A is better" in visitor.get(voted.url.path).text


def test_no_address_is_stored(visitor: Visitor, wiring: Wiring) -> None:
    """What stands for it leads back to nobody, and changes every day."""
    cast(visitor, begin(visitor))

    with wiring.engine.connect() as connection:
        (address,) = connection.exec_driver_sql("SELECT address FROM vote").one()

    assert re.fullmatch("[0-9a-f]{32}", address)


def test_before_the_vote_nothing_tells_who_answered(visitor: Visitor) -> None:
    """The crawl of a voter who wants to know: every page, header, cookie, file and error they can reach."""
    leaks = [*NAMES, ORGANIZATION, "model_id", "completion_id"]
    battle = begin(visitor)
    twin = f"/api/v1{battle.url.path}"

    found = [
        battle,
        *battle.history,
        visitor.get(twin),
        visitor.get(battle.url.path, headers={"Accept": "application/json"}),
        visitor.post(f"{twin}/reveal"),
        visitor.post(f"{twin}/undo"),
        visitor.get(f"{battle.url.path}/names"),
        visitor.get("/vote"),
        visitor.get("/api/v1/openapi.json"),
        visitor.get("/metrics"),
        visitor.get("/readyz"),
        *(visitor.get(address) for address in re.findall(r'"(/static/[^"]+)"', battle.text)),
    ]

    for answer in found:
        told = answer.text + str(answer.headers.raw) + str(answer.url)
        assert not [leak for leak in leaks if leak.lower() in told.lower()], str(answer.url)


def test_an_answer_that_can_be_drawn_is_on_no_page_but_its_battle(
    visitor: Visitor, wiring: Wiring
) -> None:
    """Beside a name it would tell the next voter who wrote it: so nothing that links lead to may show it."""
    with wiring.sessions.begin() as session:
        board = find_board(session, "people")
        a, b = session.scalars(select(ModelRow).order_by(ModelRow.name))
        add_votes(session, board, a, b, outcome=Outcome.A, n=6)
        add_votes(session, board, a, b, outcome=Outcome.B, n=4)
        source = Source(board.id, None)
        rating_runs.request(session, source)
    rating_runs.refit(wiring, source)
    waiting, seen = ["/", "/api/v1/boards"], dict[str, str]()

    while waiting and len(seen) < MOST_PAGES:
        address = waiting.pop()
        answer = visitor.get(address)
        seen[address] = answer.text
        found = {unescape(link) for link in re.findall(r'href="(/[^"#]*)', answer.text)}
        waiting += sorted(found - seen.keys() - set(waiting))

    assert any(NAMES[0] in text for text in seen.values()), "the crawl must reach names at all"
    assert not [address for address, text in seen.items() if re.search(r"Answer \d+\.", text)]


def test_both_sides_have_the_same_markup(visitor: Visitor) -> None:
    """But for the letter and the answer there is nothing to compare."""
    sides = re.findall(r"<article.*?</article>", begin(visitor).text, re.DOTALL)
    shapes = []
    for letter, other, side in zip("ab", "ba", sides, strict=True):
        shape = re.sub(r"Answer \d+\.", "ANSWER", side)
        shape = shape.replace(f"side-{letter}", "MINE").replace(f"side-{other}", "OTHER")
        shape = shape.replace(f">{letter.upper()}<", ">MINE<")
        shapes.append(shape.replace(f"go to {other.upper()}", "go to OTHER"))

    assert shapes[0] == shapes[1]
