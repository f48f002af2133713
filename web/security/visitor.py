"""Who votes: a signed random cookie, the keyed hash that stands for it in the tables, and the tokens of its forms."""

import hmac
import secrets
from dataclasses import dataclass

from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import HTTPConnection
from starlette.responses import Response

from arena.clock import now
from arena.keys import keyed_hash
from arena.wiring import Wiring
from web.errors import StaleFormError

COOKIE = "arena"
SECURE_COOKIE = "__Host-arena"
SECRET_BYTES = 16
LIFE_SECONDS = 180 * 24 * 3600
RENEW_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Visitor:
    """A browser: the random secret of its cookie, and whether the cookie must be sent (again)."""

    secret: str
    needs_cookie: bool


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Return who asks, one and the same through a request; a browser without a valid cookie is a new visitor."""
    state = connection.state
    if not hasattr(state, "visitor"):
        state.visitor = _read_visitor(connection)
    found: Visitor = state.visitor
    return found


def _read_visitor(connection: HTTPConnection) -> Visitor:
    signed = connection.cookies.get(_cookie_name(connection), "")
    signer = _signer(connection)
    try:
        value, signed_at = signer.unsign(signed, max_age=LIFE_SECONDS, return_timestamp=True)
        secret = value.decode()
    except (BadSignature, UnicodeError):
        return Visitor(secrets.token_urlsafe(SECRET_BYTES), needs_cookie=True)
    age = (now() - signed_at).total_seconds()
    return Visitor(secret, needs_cookie=age > RENEW_SECONDS)


def give_cookie(connection: HTTPConnection, response: Response) -> None:
    """Send a visitor's cookie, if this request asked who they are and they have no fresh one."""
    visitor: Visitor | None = getattr(connection.state, "visitor", None)
    if visitor is None or not visitor.needs_cookie:
        return
    response.set_cookie(
        _cookie_name(connection),
        _signer(connection).sign(visitor.secret).decode(),
        max_age=LIFE_SECONDS,
        path="/",
        secure=is_https(connection),
        httponly=True,
        samesite="lax",
    )


def voter_of(connection: HTTPConnection) -> str:
    """Return what stands for the visitor in the tables; it leads back to no cookie."""
    return keyed_hash(_wiring(connection).key, "voter", visitor_of(connection).secret)


def hashed_address(connection: HTTPConnection) -> str | None:
    """Return what stands for the visitor's address today; tomorrow's differs, and neither leads back to it."""
    if connection.client is None:
        return None
    purpose = f"address {now():%Y-%m-%d}"
    return keyed_hash(_wiring(connection).key, purpose, connection.client.host)


def form_token(connection: HTTPConnection, action: str) -> str:
    """Return the token of a form: good for one visitor and one action."""
    secret = visitor_of(connection).secret
    return keyed_hash(_wiring(connection).key, "form", f"{secret}\0{action}")


def check_token(connection: HTTPConnection, token: str) -> None:
    """Raise unless a form's token was made for this visitor and this address."""
    expected = form_token(connection, connection.url.path)
    if not hmac.compare_digest(expected.encode(), token.encode()):
        raise StaleFormError(
            "This form was not made for this browser, or its cookie is gone. Nothing was changed. "
            "Allow the site's one cookie, open the page again and send the form from there."
        )


def is_https(connection: HTTPConnection) -> bool:
    """Whether browsers reach us by https: then the cookie is bound to this host and never sent in the clear."""
    public = _wiring(connection).settings.public_url or ""
    return public.startswith("https://") or connection.url.scheme == "https"


def _cookie_name(connection: HTTPConnection) -> str:
    return SECURE_COOKIE if is_https(connection) else COOKIE


def _signer(connection: HTTPConnection) -> TimestampSigner:
    return TimestampSigner(_wiring(connection).key, salt="arena visitor")


def _wiring(connection: HTTPConnection) -> Wiring:
    wiring: Wiring = connection.app.state.wiring
    return wiring
