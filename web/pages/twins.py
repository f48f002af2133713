"""Where a page's JSON twin is."""

from starlette.requests import Request

API = "/api/v1"


def json_address(request: Request) -> str:
    """Return the address of the JSON twin of the page that is asked for, its names still encoded."""
    path = request.scope["raw_path"].decode("latin-1")
    query = request.scope["query_string"].decode("latin-1")
    return f"{API}{path}?{query}" if query else f"{API}{path}"
