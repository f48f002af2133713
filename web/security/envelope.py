"""The outermost layer: an id for each request, the protecting headers on each answer, HEAD from GET, a log line."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.security.headers import protect

ID_HEADER = "X-Request-ID"


@dataclass(frozen=True)
class Seen:
    """One request that was answered. `route` is the pattern of its address, never the address itself."""

    method: str
    route: str
    status: int
    seconds: float


class Envelope:
    """Wraps the application; tells `seen` about every answer."""

    def __init__(self, app: ASGIApp, *, seen: Callable[[Seen], None], is_https: bool) -> None:
        self._app = app
        self._seen = seen
        self._is_https = is_https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        identity = secrets.token_hex(8)
        is_head = scope["method"] == "HEAD"
        inner = {**scope, "method": "GET"} if is_head else scope
        inner.setdefault("state", {})["request_id"] = identity
        status = 500

        async def send_protected(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                protect(headers, is_https=self._is_https)
                headers[ID_HEADER] = identity
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=identity):
            try:
                await self._app(inner, receive, send_protected)
            finally:
                seconds = time.perf_counter() - started
                self._seen(Seen(scope["method"], route_of(inner), status, seconds))


def route_of(scope: Scope) -> str:
    """Return the pattern that an address matched; one word for all that matched none."""
    return getattr(scope.get("route"), "path", "unmatched")


def request_id(connection: HTTPConnection) -> str:
    """Return the id of a request, as its answer's header and the log have it."""
    return str(connection.scope.get("state", {}).get("request_id", ""))


def protect_failure(request: Request, response: Response) -> None:
    """Give the answer to a failure what this layer gives the others: it is sent from outside of it."""
    protect(response.headers, is_https=request.url.scheme == "https")
    response.headers[ID_HEADER] = request_id(request)
