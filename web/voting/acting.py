"""What both the pages and their twins do: act on a battle as its own voter, in a transaction that one can see."""

from starlette.requests import Request

from arena import rating_runs, voting
from arena.terms import Outcome
from arena.voting import Ballot, BattleView, Cast, VoteWriter
from arena.wiring import Wiring
from web.security import hashed_address, voter_of

# A battle is its voter's alone: no cache on the way may keep it.
PRIVATE = {"Cache-Control": "no-store"}


def draw_own(request: Request, board: str) -> str:
    """Draw a battle on a board, or find the one that waits there; return its public id."""
    wiring = wiring_of(request)
    with wiring.sessions.begin() as session:
        return voting.draw_battle(
            session,
            board,
            voter_of(request),
            generator=request.app.state.generator,
            settings=wiring.settings,
        )


def read_own(request: Request, battle: str) -> BattleView:
    """Return a battle as its voter may see it now."""
    wiring = wiring_of(request)
    with wiring.sessions() as session:
        return voting.read_battle(session, battle, voter_of(request), settings=wiring.settings)


async def cast_own(request: Request, battle: str, outcome: Outcome, *, key: str) -> Cast:
    """Store a vote; it is committed when this returns."""
    writer: VoteWriter = request.app.state.writer
    voter = voter_of(request)
    # Keys are the voter's own: another's can neither be met by chance nor be used up.
    own_key = f"{voter}:{key}"
    return await writer.cast(Ballot(battle, voter, outcome, own_key, hashed_address(request)))


def undo_own(request: Request, battle: str) -> None:
    """Take a vote back."""
    with wiring_of(request).sessions.begin() as session:
        voting.undo_vote(session, battle, voter_of(request))


def reveal_own(request: Request, battle: str) -> None:
    """Settle a vote, and ask for the refit that will count it: the bell rings once all is stored."""
    wiring = wiring_of(request)
    with wiring.sessions.begin() as session:
        revealed = voting.reveal_battle(session, battle, voter_of(request))
        counts = revealed.is_new and revealed.is_rated
        wanted = rating_runs.request_people(session, revealed.board_id) if counts else None
    if wanted is not None:
        rating_runs.ring(wiring, wanted)


def wiring_of(request: Request) -> Wiring:
    """Return the parts of this process."""
    wiring: Wiring = request.app.state.wiring
    return wiring
