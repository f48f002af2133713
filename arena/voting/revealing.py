"""After the vote: take it back, or see the names. A vote counts from its reveal on."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.orm import Session

from arena.clock import now
from arena.errors import AlreadySettledError, NotVotedError, UnknownBattleError
from arena.settings import Settings
from arena.store import battles
from arena.store.battles import BattleFacts
from arena.terms import BattleState, Outcome


@dataclass(frozen=True)
class Revealed:
    """What a reveal did: whether it settled the vote just now, and of which board."""

    board_id: int
    is_new: bool
    is_rated: bool


def undo_vote(session: Session, public_id: str, voter: str) -> None:
    """Take back a vote that is not yet revealed. Its prompt and pair are not offered to the voter again."""
    facts = _own(session, public_id, voter)
    state = BattleState(facts.battle.state)
    if state is BattleState.UNDONE:
        return
    if state is BattleState.REVEALED:
        raise AlreadySettledError("The names were shown, so this vote stays as it is.")
    if facts.vote is None or not battles.move(
        session, facts.battle.id, before=BattleState.VOTED, after=BattleState.UNDONE
    ):
        raise NotVotedError("There is no vote on this battle to take back.")
    battles.note_undo(session, facts.vote.id)


def reveal_battle(session: Session, public_id: str, voter: str) -> Revealed:
    """Settle a vote and let its names be shown. Asking twice changes nothing."""
    facts = _own(session, public_id, voter)
    state = BattleState(facts.battle.state)
    is_new = state is BattleState.VOTED and battles.move(
        session, facts.battle.id, before=BattleState.VOTED, after=BattleState.REVEALED
    )
    if not is_new and state is not BattleState.REVEALED:
        raise NotVotedError("The names are shown after your vote.")
    is_rated = facts.vote is not None and Outcome(facts.vote.outcome).is_rated
    return Revealed(board_id=facts.board.id, is_new=is_new, is_rated=is_rated)


def settle_overdue(session: Session, settings: Settings) -> set[int]:
    """Settle the votes whose voter never asked for the names; return the boards they count on."""
    return battles.settle_overdue(
        session, before=now() - timedelta(seconds=settings.settle_seconds)
    )


def _own(session: Session, public_id: str, voter: str) -> BattleFacts:
    """Return a voter's own battle, which until the transaction ends changes for nobody else."""
    battles.lock_battle(session, public_id)
    facts = battles.find_battle(session, public_id, voter)
    if facts is None:
        raise UnknownBattleError("There is no such battle of yours.")
    return facts
