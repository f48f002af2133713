"""The pages of voting. Every action is a form that works with scripts off, and ends at its battle's own page."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena import voting
from arena.terms import BattleState
from web.forms import DrawForm, Name, PlainForm, VoteForm
from web.pages import page
from web.rendering import Renderer
from web.security import check_token
from web.voting.acting import (
    PRIVATE,
    cast_own,
    draw_own,
    read_own,
    reveal_own,
    undo_own,
    wiring_of,
)
from web.voting.standing import read_standing

KEY_BYTES = 16
PAGES = {
    BattleState.OPEN: "vote/open.html",
    BattleState.VOTED: "vote/voted.html",
    BattleState.REVEALED: "vote/revealed.html",
    BattleState.UNDONE: "vote/undone.html",
    BattleState.VOID: "vote/void.html",
}
EXPIRED = "vote/expired.html"

router = APIRouter()


@router.get("/vote", response_class=HTMLResponse, include_in_schema=False)
def choose(request: Request, board: Name | None = None) -> Response:
    """Show how voting goes, and a form to begin on a board."""
    with wiring_of(request).sessions() as session:
        if board:
            boards = [voting.board_to_vote_on(session, board)]
        else:
            boards = voting.boards_to_vote_on(session)
    return page(request, "vote/choose.html", headers=PRIVATE, section="vote", boards=boards)


@router.post("/battles", include_in_schema=False)
def draw(request: Request, form: Annotated[DrawForm, Form()]) -> Response:
    """Draw a battle, or find the one that waits, and go there."""
    check_token(request, form.csrf)
    return _go(f"/battles/{draw_own(request, form.board)}")


@router.get("/battles/{battle}", response_class=HTMLResponse, include_in_schema=False)
def show(request: Request, battle: Name) -> Response:
    """Show a battle in the state it is in, as often as the page is loaded."""
    view = read_own(request, battle)
    renderer: Renderer = request.app.state.renderer
    return page(
        request,
        EXPIRED if view.is_expired else PAGES[view.state],
        headers=PRIVATE,
        section="vote",
        battle=view,
        prompt=renderer.prompt(view.prompt),
        answers=(renderer.answer(view.answer_a), renderer.answer(view.answer_b)),
        new_key=secrets.token_urlsafe(KEY_BYTES),
        standing=read_standing(request, view),
    )


@router.post("/battles/{battle}/vote", include_in_schema=False)
async def vote(request: Request, battle: Name, form: Annotated[VoteForm, Form()]) -> Response:
    """Store a vote and go back to its battle."""
    check_token(request, form.csrf)
    await cast_own(request, battle, form.outcome, key=form.idempotency_key)
    return _go(f"/battles/{battle}")


@router.post("/battles/{battle}/undo", include_in_schema=False)
def undo(request: Request, battle: Name, form: Annotated[PlainForm, Form()]) -> Response:
    """Take a vote back and go back to its battle."""
    check_token(request, form.csrf)
    undo_own(request, battle)
    return _go(f"/battles/{battle}")


@router.post("/battles/{battle}/reveal", include_in_schema=False)
def reveal(request: Request, battle: Name, form: Annotated[PlainForm, Form()]) -> Response:
    """Settle a vote and go back to its battle, which now shows the names."""
    check_token(request, form.csrf)
    reveal_own(request, battle)
    return _go(f"/battles/{battle}")


def _go(address: str) -> Response:
    return RedirectResponse(address, status_code=303, headers=PRIVATE)
