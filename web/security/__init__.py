"""What stands between a browser and the pages: who it is, whether the request is its own, what it is told."""

from web.security.envelope import Envelope, Seen, protect_failure, request_id
from web.security.guard import Guard
from web.security.headers import protect
from web.security.visitor import (
    Visitor,
    check_token,
    form_token,
    give_cookie,
    hashed_address,
    visitor_of,
    voter_of,
)

__all__ = [
    "Envelope",
    "Guard",
    "Seen",
    "Visitor",
    "check_token",
    "form_token",
    "give_cookie",
    "hashed_address",
    "protect",
    "protect_failure",
    "request_id",
    "visitor_of",
    "voter_of",
]
