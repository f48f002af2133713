"""The same voting for programs: each page's JSON twin."""

from typing import Annotated

from fastapi import APIRouter, Header, Request
from starlette.responses import Response

from web.forms import DrawCall, Key, Name, VoteCall
from web.schemas.battles import Battle, Stored, battle_of
from web.security import give_cookie
from web.voting.acting import PRIVATE, cast_own, draw_own, read_own, reveal_own, undo_own

router = APIRouter()


@router.post("/api/v1/battles", status_code=201)
def draw_json(request: Request, response: Response, call: DrawCall) -> Battle:
    """Draw a battle on a board, or return the caller's own that waits there."""
    battle = battle_of(read_own(request, draw_own(request, call.board)))
    response.headers["Location"] = f"/api/v1/battles/{battle.id}"
    _keep_private(request, response)
    return battle


@router.get("/api/v1/battles/{battle}")
def show_json(request: Request, response: Response, battle: Name) -> Battle:
    """Return a battle of the caller's own."""
    _keep_private(request, response)
    return battle_of(read_own(request, battle))


@router.post("/api/v1/battles/{battle}/vote")
async def vote_json(
    request: Request,
    response: Response,
    battle: Name,
    call: VoteCall,
    idempotency_key: Annotated[Key, Header()],
) -> Stored:
    """Store a vote. Send it again with the same key until it is answered: it is stored once."""
    cast = await cast_own(request, battle, call.outcome, key=idempotency_key)
    _keep_private(request, response)
    return Stored(battle=battle, outcome=cast.outcome)


@router.post("/api/v1/battles/{battle}/undo")
def undo_json(request: Request, response: Response, battle: Name) -> Battle:
    """Take a vote back that was not revealed yet."""
    undo_own(request, battle)
    return show_json(request, response, battle)


@router.post("/api/v1/battles/{battle}/reveal")
def reveal_json(request: Request, response: Response, battle: Name) -> Battle:
    """Settle a vote and return its battle with both names."""
    reveal_own(request, battle)
    return show_json(request, response, battle)


def _keep_private(request: Request, response: Response) -> None:
    response.headers.update(PRIVATE)
    give_cookie(request, response)
