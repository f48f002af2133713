"""The headers that every answer carries, errors too."""

from starlette.datastructures import MutableHeaders

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
PROTECTION = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
# What an answer without a word of its own on caching gets: a page is always asked for again.
CACHING = "no-cache"
ONE_YEAR = "max-age=31536000"


def protect(headers: MutableHeaders, *, is_https: bool) -> None:
    """Add the protecting headers to those of an answer."""
    headers.update(PROTECTION)
    headers.setdefault("Cache-Control", CACHING)
    if is_https:
        headers["Strict-Transport-Security"] = ONE_YEAR
