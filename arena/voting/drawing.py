"""Draw a battle for a voter, and read it again."""

from dataclasses import dataclass
from datetime import datetime

from numpy.random import Generator
from sqlalchemy.orm import Session

from arena.clock import now
from arena.errors import (
    ArenaError,
    NotEnoughModelsError,
    NothingLeftError,
    UnavailableError,
    UnknownBattleError,
)
from arena.keys import new_public_id
from arena.pairing import DrawnPair, Offer, Policy, draw_pair, probabilities
from arena.settings import Settings
from arena.store import battles, known, policies, pools
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
    policy = policies.current_policy(session, board.id)
    pair = _draw_pair(session, board, voter, policy=policy.policy, generator=generator)
    prompt_id, a, b = _draw_answers(session, board, pair, voter=voter, generator=generator)
    battle = BattleRow(
        public_id=new_public_id(),
        board_id=board.id,
        prompt_id=prompt_id,
        model_a_id=a.model_id,
        model_b_id=b.model_id,
        completion_a_id=a.completion_id,
        completion_b_id=b.completion_id,
        state=BattleState.OPEN,
        voter=voter,
        policy_id=policy.row_id,
        probability=pair.probability,
        expires_at=battles.battle_expiry(now(), settings.battle_hours),
    )
    session.add(battle)
    session.flush()
    return battle.public_id


@dataclass(frozen=True)
class Slot:
    """A model and the completion that stands for it."""

    model_id: int
    completion_id: int


def _draw_pair(
    session: Session, board: BoardRow, voter: str, *, policy: Policy, generator: Generator
) -> DrawnPair:
    """Draw two models by the board's policy, of all pairs that the voter has not seen to the end."""
    offer = pools.read_offer(session, board.id)
    pairs = offer.open_pairs(pools.count_seen(session, board.id, voter))
    if pairs is None:
        raise _nothing_to_draw(board, offer)
    found = known.read_known(session, board.id) if policy.needs_ratings else None
    return draw_pair(offer, pairs, probabilities(policy, offer, pairs, found), generator)


def _draw_answers(
    session: Session, board: BoardRow, pair: DrawnPair, *, voter: str, generator: Generator
) -> tuple[int, Slot, Slot]:
    """Draw a prompt that the voter has not seen the pair on, one completion of each model, and their seats."""
    level = generator.random()
    prompt_id = pools.choose_prompt(session, board.id, pair.models, voter=voter, level=level)
    answers = [pools.answers_to(session, board.id, prompt_id, model) for model in pair.models]
    if prompt_id is None or not all(answers):
        raise UnavailableError(
            "The pool of the board changed while a battle was drawn from it. Please ask again."
        )
    slots = [
        Slot(model, each[int(generator.integers(len(each)))])
        for model, each in zip(pair.models, answers, strict=True)
    ]
    if generator.integers(2):
        slots.reverse()
    return prompt_id, slots[0], slots[1]


def _nothing_to_draw(board: BoardRow, offer: Offer) -> ArenaError:
    if offer.open_pairs({}) is not None:
        return NothingLeftError(
            f"You have seen every pair that board {board.title!r} can offer. Thank you.",
            board=board.name,
        )
    return NotEnoughModelsError(
        f"Board {board.title!r} has answers of {len(offer.models)} models that can be drawn, and no prompt that "
        "two of them answered. Import completions of at least two models to one prompt.",
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
