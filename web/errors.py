"""What a request can do wrong before it reaches a use case, and how an error looks to a program.

ArenaError (arena.errors)
├── CrossSiteError               403  a form or call of another site, or from no site we know
├── StaleFormError               403  a form whose token does not belong to this browser
├── UnknownPageError             404
├── WrongMethodError             405
├── TooLargeError                413  a body beyond what any form here needs
├── BadRequestError              400  what HTTP itself does not allow
└── FailedError                  500  our fault; the log has the rest under the same request id
"""

from arena.errors import ArenaError, NotFoundError
from arena.hygiene import clean_text

PROBLEM_TYPE = "application/problem+json"


class CrossSiteError(ArenaError):
    """A state-changing request that another site made the browser send."""

    status = 403
    code = "cross_site"


class StaleFormError(ArenaError):
    """A form that was not made for this browser."""

    status = 403
    code = "stale_form"


class UnknownPageError(NotFoundError):
    """No page has this address."""

    code = "unknown_page"


class WrongMethodError(ArenaError):
    """The address exists, but not for this method."""

    status = 405
    code = "wrong_method"


class TooLargeError(ArenaError):
    """A body beyond what any form here needs."""

    status = 413
    code = "too_large"


class BadRequestError(ArenaError):
    """What HTTP itself does not allow."""

    status = 400
    code = "bad_request"


class FailedError(ArenaError):
    """Our own fault. Says nothing of what broke: the log does, under the request's id."""

    code = "internal"


TITLES = {
    400: "This request cannot be read",
    403: "This request was not accepted",
    404: "There is nothing here",
    405: "That cannot be done here",
    409: "That cannot be done now",
    410: "Too late",
    413: "Too much at once",
    422: "Something in the form cannot be read",
    429: "Too many requests",
    500: "Something failed on our side",
    503: "Not available just now",
}


def title_of(error: ArenaError) -> str:
    """Return the heading that an error's page and problem document share."""
    return TITLES.get(error.status, TITLES[400])


def problem(error: ArenaError, request_id: str) -> dict[str, object]:
    """Return an error as a problem document (RFC 9457), its text safe to encode."""
    return {
        "type": "about:blank",
        "title": title_of(error),
        "status": error.status,
        "code": error.code,
        "detail": clean_text(error.message),
        "request_id": request_id,
    }
