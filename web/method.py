"""The method in plain words, with an address for every term that pages use."""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from web.pages import page

router = APIRouter()


@router.get("/method", response_class=HTMLResponse, include_in_schema=False)
def show(request: Request) -> Response:
    """Say how votes become ratings and what the numbers can bear."""
    return page(request, "method.html", section="method")
