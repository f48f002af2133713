"""What may not come in at all: requests that another site made a browser send, and bodies too large for any form."""

from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.errors import ArenaError
from web.errors import CrossSiteError, TooLargeError

MOST_BODY_BYTES = 64 * 1024
READING = frozenset({"GET", "HEAD", "OPTIONS"})
# What a browser says of its own accord of where a request comes from; None is one that does not say it.
OWN_SITES = frozenset({"same-origin", "none", None})
API = "/api/"


class Guard:
    """Refuses by `refuse`, which makes the answer for an error; the rest it lets through."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        refuse: Callable[[Request, ArenaError], Response],
        public_host: str | None,
    ) -> None:
        self._app = app
        self._refuse = refuse
        self._public_host = public_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at one request before anything else does."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        error = self._objection(scope, headers)
        if error is not None:
            await self._refuse(Request(scope), error)(scope, receive, send)
            return
        await self._app(scope, limited(receive), send)

    def _objection(self, scope: Scope, headers: Headers) -> ArenaError | None:
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > MOST_BODY_BYTES:
            return too_large()
        if scope["method"] not in READING and not self._is_own(scope, headers):
            return CrossSiteError(
                "This request came from another site, so nothing was changed. "
                "Open the page here and use its own form."
            )
        return None

    def _is_own(self, scope: Scope, headers: Headers) -> bool:
        """Whether our own page can have sent this.

        Under our referrer policy a browser calls the origin of our own forms "null", and on plain http it says nothing
        else of where they come from: what they are known by then is their token, which calls to the API do not have.
        """
        site = headers.get("sec-fetch-site")
        origin = headers.get("origin")
        if site not in OWN_SITES or origin is None:
            return site in OWN_SITES
        if origin == "null":
            return site is not None or not scope["path"].startswith(API)
        return host_of(origin) in {headers.get("host"), self._public_host}


def host_of(origin: str) -> str:
    """Return the host and port of an origin; of what is none, nothing that could be a host."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def too_large() -> TooLargeError:
    """Return the error for a body beyond the limit."""
    return TooLargeError(
        f"The request's body is larger than {MOST_BODY_BYTES} bytes, which no form here needs."
    )


def limited(receive: Receive) -> Receive:
    """Return the stream of a body, which ends with 413 once too much of it has come."""
    taken = 0

    async def receive_limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MOST_BODY_BYTES:
            raise HTTPException(413)
        return message

    return receive_limited
