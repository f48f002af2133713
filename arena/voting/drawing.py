"""Draw a battle for a voter, and read it again."""

from datetime import datetime

from numpy.random import Generator
from sqlalchemy.orm import Session

from arena.clock import now
from arena.errors import NotEnoughModelsError, NothingLeftError, UnknownBattleError
from arena.keys import new_public_id
from arena.pairing import Draw, draw_uniform
from arena.settings import Settings
from arena.store import battles
from arena.store.battles import BattleFacts, Progress
from arena.store.boards import find_board
from arena.store.tables import BattleRow, BoardRow
from arena.terms import BattleState, Outcome
from arena.voting.views import BattleView, BoardRef, Names


def draw_battle(
    session: Session, board_name: str, voter: str, *, generator: Generator, settings: Settings
) -> str:
    """Return the public id of the battle that waits for a voter, drawing one if none does.

    Raises
    ------
    NotEnoughModelsError
        If no two models of the pool have answered one prompt.
    NothingLeftError
        If the voter has seen every prompt and pair of the pool.
    """
    board = find_board(session, board_name)
    battles.lock_voter(session, board.id, voter)
    waiting = battles.find_open(session, board.id, voter)
    if waiting is not None:
        return waiting.public_id
    draw = _draw(session, board, voter, generator)
    battle = BattleRow(
        public_id=new_public_id(),
        board_id=board.id,
        prompt_id=draw.a.prompt_id,
        model_a_id=draw.a.model_id,
        model_b_id=draw.b.model_id,
        completion_a_id=draw.a.completion_id,
        completion_b_id=draw.b.completion_id,
        state=BattleState.OPEN,
        voter=voter,
        policy_id=battles.current_policy(session, board.id).id,
        probability=draw.probability,
        expires_at=battles.battle_expiry(now(), settings.battle_hours),
    )
    session.add(battle)
    session.flush()
    return battle.public_id


def _draw(session: Session, board: BoardRow, voter: str, generator: Generator) -> Draw:
    pool = battles.read_pool(session, board.id)
    draw = draw_uniform(pool, battles.read_seen(session, board.id, voter), generator)
    if draw is not None:
        return draw
    if draw_uniform(pool, frozenset(), generator) is not None:
        raise NothingLeftError(
            f"You have seen every pair that board {board.title!r} can offer. Thank you.",
            board=board.name,
        )
    models = len({candidate.model_id for candidate in pool})
    raise NotEnoughModelsError(
        f"Board {board.title!r} has answers of {models} models that can be drawn, and no prompt that two of "
        "them answered. Import completions of at least two models to one prompt.",
        board=board.name,
    )


def read_battle(session: Session, public_id: str, voter: str, *, settings: Settings) -> BattleView:
    """Return a voter's own battle as they may see it now."""
    facts = battles.find_battle(session, public_id, voter)
    if facts is None:
        raise UnknownBattleError("There is no such battle of yours.")
    progress = battles.read_progress(session, facts.board.id, voter)
    return _view(facts, progress, settings)


def _view(facts: BattleFacts, progress: Progress, settings: Settings) -> BattleView:
    state = BattleState(facts.battle.state)
    is_answered = state in {BattleState.VOTED, BattleState.REVEALED}
    place = progress.answered - 1 if is_answered else progress.answered
    return BattleView(
        public_id=facts.battle.public_id,
        board=BoardRef(facts.board.name, facts.board.title, facts.board.is_simulated),
        state=state,
        is_expired=state is BattleState.OPEN and _is_past(facts.battle.expires_at),
        prompt=facts.prompt,
        answer_a=facts.answer_a,
        answer_b=facts.answer_b,
        outcome=None if facts.vote is None else Outcome(facts.vote.outcome),
        undo_seconds_left=_seconds_left(facts, settings) if state is BattleState.VOTED else None,
        names=Names(facts.model_a, facts.model_b) if state is BattleState.REVEALED else None,
        number=place % settings.session_votes + 1,
        wanted=settings.session_votes,
        answered=progress.answered,
        skipped=progress.skipped,
        sequence=None if facts.vote is None else facts.vote.sequence,
    )


def _is_past(instant: datetime | None) -> bool:
    return instant is not None and instant <= now()


def _seconds_left(facts: BattleFacts, settings: Settings) -> int:
    if facts.vote is None:
        return 0
    spent = (now() - facts.vote.cast_at).total_seconds()
    return max(0, round(settings.grace_seconds - spent))
