"""Voting: choose a board, see two answers, say which is better, take it back or see the names."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Form, Header, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena import rating_runs, voting
from arena.terms import BattleState, Outcome
from arena.voting import Ballot, BattleView, Cast, VoteWriter
from arena.wiring import Wiring
from web.forms import DrawCall, DrawForm, Key, Name, PlainForm, VoteCall, VoteForm
from web.pages import page
from web.rendering import Renderer
from web.schemas.battles import Battle, Stored, battle_of
from web.security import check_token, give_cookie, hashed_address, voter_of

KEY_BYTES = 16
# A battle is its voter's alone: no cache on the way may keep it.
PRIVATE = {"Cache-Control": "no-store"}
PAGES = {
    BattleState.OPEN: "vote/open.html",
    BattleState.VOTED: "vote/voted.html",
    BattleState.REVEALED: "vote/revealed.html",
    BattleState.UNDONE: "vote/undone.html",
    BattleState.VOID: "vote/void.html",
}
EXPIRED = "vote/expired.html"

router = APIRouter(tags=["voting"])


@router.get("/vote", response_class=HTMLResponse, include_in_schema=False)
def choose(request: Request, board: Name | None = None) -> Response:
    """Show how voting goes, and a form to begin on a board."""
    with _wiring(request).sessions() as session:
        if board:
            boards = [voting.board_to_vote_on(session, board)]
        else:
            boards = voting.boards_to_vote_on(session)
    return page(request, "vote/choose.html", headers=PRIVATE, section="vote", boards=boards)


@router.post("/battles", include_in_schema=False)
def draw(request: Request, form: Annotated[DrawForm, Form()]) -> Response:
    """Draw a battle, or find the one that waits, and go there."""
    check_token(request, form.csrf)
    return _go(f"/battles/{_draw(request, form.board)}")


@router.get("/battles/{battle}", response_class=HTMLResponse, include_in_schema=False)
def show(request: Request, battle: Name) -> Response:
    """Show a battle in the state it is in, as often as the page is loaded."""
    view = _read(request, battle)
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
    )


@router.post("/battles/{battle}/vote", include_in_schema=False)
async def vote(request: Request, battle: Name, form: Annotated[VoteForm, Form()]) -> Response:
    """Store a vote and go back to its battle."""
    check_token(request, form.csrf)
    await _cast(request, battle, form.outcome, key=form.idempotency_key)
    return _go(f"/battles/{battle}")


@router.post("/battles/{battle}/undo", include_in_schema=False)
def undo(request: Request, battle: Name, form: Annotated[PlainForm, Form()]) -> Response:
    """Take a vote back and go back to its battle."""
    check_token(request, form.csrf)
    _undo(request, battle)
    return _go(f"/battles/{battle}")


@router.post("/battles/{battle}/reveal", include_in_schema=False)
def reveal(request: Request, battle: Name, form: Annotated[PlainForm, Form()]) -> Response:
    """Settle a vote and go back to its battle, which now shows the names."""
    check_token(request, form.csrf)
    _reveal(request, battle)
    return _go(f"/battles/{battle}")


@router.post("/api/v1/battles", status_code=201)
def draw_json(request: Request, response: Response, call: DrawCall) -> Battle:
    """Draw a battle on a board, or return the caller's own that waits there."""
    battle = battle_of(_read(request, _draw(request, call.board)))
    response.headers["Location"] = f"/api/v1/battles/{battle.id}"
    _keep_private(request, response)
    return battle


@router.get("/api/v1/battles/{battle}")
def show_json(request: Request, response: Response, battle: Name) -> Battle:
    """Return a battle of the caller's own."""
    _keep_private(request, response)
    return battle_of(_read(request, battle))


@router.post("/api/v1/battles/{battle}/vote")
async def vote_json(
    request: Request,
    response: Response,
    battle: Name,
    call: VoteCall,
    idempotency_key: Annotated[Key, Header()],
) -> Stored:
    """Store a vote. Send it again with the same key until it is answered: it is stored once."""
    cast = await _cast(request, battle, call.outcome, key=idempotency_key)
    _keep_private(request, response)
    return Stored(battle=battle, outcome=cast.outcome)


@router.post("/api/v1/battles/{battle}/undo")
def undo_json(request: Request, response: Response, battle: Name) -> Battle:
    """Take a vote back that was not revealed yet."""
    _undo(request, battle)
    return show_json(request, response, battle)


@router.post("/api/v1/battles/{battle}/reveal")
def reveal_json(request: Request, response: Response, battle: Name) -> Battle:
    """Settle a vote and return its battle with both names."""
    _reveal(request, battle)
    return show_json(request, response, battle)


def _draw(request: Request, board: str) -> str:
    wiring = _wiring(request)
    with wiring.sessions.begin() as session:
        return voting.draw_battle(
            session,
            board,
            voter_of(request),
            generator=request.app.state.generator,
            settings=wiring.settings,
        )


def _read(request: Request, battle: str) -> BattleView:
    wiring = _wiring(request)
    with wiring.sessions() as session:
        return voting.read_battle(session, battle, voter_of(request), settings=wiring.settings)


async def _cast(request: Request, battle: str, outcome: Outcome, *, key: str) -> Cast:
    writer: VoteWriter = request.app.state.writer
    voter = voter_of(request)
    # Keys are the voter's own: another's can neither be met by chance nor be used up.
    own_key = f"{voter}:{key}"
    return await writer.cast(Ballot(battle, voter, outcome, own_key, hashed_address(request)))


def _undo(request: Request, battle: str) -> None:
    with _wiring(request).sessions.begin() as session:
        voting.undo_vote(session, battle, voter_of(request))


def _reveal(request: Request, battle: str) -> None:
    """Settle a vote, and ask for the refit that will count it: the bell rings once all is stored."""
    wiring = _wiring(request)
    with wiring.sessions.begin() as session:
        revealed = voting.reveal_battle(session, battle, voter_of(request))
        counts = revealed.is_new and revealed.is_rated
        wanted = rating_runs.request_people(session, revealed.board_id) if counts else None
    if wanted is not None:
        rating_runs.ring(wiring, wanted)


def _go(address: str) -> Response:
    return RedirectResponse(address, status_code=303, headers=PRIVATE)


def _keep_private(request: Request, response: Response) -> None:
    response.headers.update(PRIVATE)
    give_cookie(request, response)


def _wiring(request: Request) -> Wiring:
    wiring: Wiring = request.app.state.wiring
    return wiring
