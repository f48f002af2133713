"""Queries of pools: what one offers, what a voter has seen of it, and the prompt and answers of a drawn pair."""

import numpy as np
from scipy.sparse import csr_array
from sqlalchemy import ColumnElement, Select, and_, except_, exists, func, intersect, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from arena.pairing import Counts, Offer, PairOfModels
from arena.store.tables import BattleRow, CompletionRow, ModelRow, PoolRow

# The triggers on `completion` take it too, and keep it to the end of their transaction: whoever holds it counts a
# pool that nobody is changing.
POOL_LOCK = 4_208_120


def read_offer(session: Session, board_id: int) -> Offer:
    """Return what may be drawn on a board: completions in its pool, of models that are not retired."""
    offer = _stored(session, board_id) or _counted(session, board_id)
    drawn = select(ModelRow.id).where(ModelRow.id.in_(offer.models), ModelRow.retired_at.is_(None))
    return offer.among(frozenset(session.scalars(drawn)))


def count_seen(session: Session, board_id: int, voter: str) -> dict[PairOfModels, int]:
    """Return for each pair on how many prompts a voter was shown it that can still be drawn for it."""
    low = func.least(BattleRow.model_a_id, BattleRow.model_b_id)
    high = func.greatest(BattleRow.model_a_id, BattleRow.model_b_id)
    rows = session.execute(
        select(low, high, func.count(BattleRow.prompt_id.distinct()))
        .where(
            BattleRow.board_id == board_id,
            BattleRow.voter == voter,
            exists().where(_answers_of(BattleRow.model_a_id)),
            exists().where(_answers_of(BattleRow.model_b_id)),
        )
        .group_by(low, high)
    )
    return {(row[0], row[1]): row[2] for row in rows}


def choose_prompt(
    session: Session, board_id: int, models: PairOfModels, *, voter: str, level: float
) -> int | None:
    """Return the prompt at `level` (0 up to 1) of those that a voter may still see the pair on; None if none is left."""
    low, high = models
    seen = select(BattleRow.prompt_id).where(
        BattleRow.board_id == board_id,
        BattleRow.voter == voter,
        BattleRow.prompt_id.is_not(None),
        func.least(BattleRow.model_a_id, BattleRow.model_b_id) == low,
        func.greatest(BattleRow.model_a_id, BattleRow.model_b_id) == high,
    )
    both = intersect(_answered(board_id, low), _answered(board_id, high)).subquery()
    left = except_(select(both.c.prompt_id), seen).cte("unseen")
    place = func.floor(level * select(func.count()).select_from(left).scalar_subquery())
    return session.scalar(
        select(left.c.prompt_id).order_by(left.c.prompt_id).offset(place).limit(1)
    )


def answers_to(session: Session, board_id: int, prompt_id: int | None, model_id: int) -> list[int]:
    """Return the completions of a model to a prompt that may be drawn."""
    return list(
        session.scalars(
            select(CompletionRow.id)
            .where(
                CompletionRow.board_id == board_id,
                CompletionRow.in_pool,
                CompletionRow.prompt_id == prompt_id,
                CompletionRow.model_id == model_id,
            )
            .order_by(CompletionRow.id)
        )
    )


def _answered(board_id: int, model_id: int) -> Select[int]:
    return select(CompletionRow.prompt_id).where(
        CompletionRow.board_id == board_id,
        CompletionRow.in_pool,
        CompletionRow.model_id == model_id,
    )


def _answers_of(model: InstrumentedAttribute[int]) -> ColumnElement[bool]:
    return and_(
        CompletionRow.board_id == BattleRow.board_id,
        CompletionRow.in_pool,
        CompletionRow.prompt_id == BattleRow.prompt_id,
        CompletionRow.model_id == model,
    )


def _stored(session: Session, board_id: int) -> Offer | None:
    pool = session.get(PoolRow, board_id)
    if pool is None:
        return None
    models = tuple(pool.models["models"])
    return Offer(models, np.frombuffer(pool.shared, "<i4").reshape(len(models), len(models)))


def _counted(session: Session, board_id: int) -> Offer:
    """Count what a pool offers, and keep it unless somebody is changing the pool right now."""
    is_still = session.scalar(
        select(func.pg_try_advisory_xact_lock(POOL_LOCK, func.hashtext(str(board_id))))
    )
    answered = select(CompletionRow.prompt_id, CompletionRow.model_id).where(
        CompletionRow.board_id == board_id, CompletionRow.in_pool
    )
    offer = _offer([(row[0], row[1]) for row in session.execute(answered.distinct())])
    if is_still:
        shared = offer.shared.astype("<i4").tobytes()
        session.add(PoolRow(board_id=board_id, models={"models": offer.models}, shared=shared))
        session.flush()
    return offer


def _offer(answered: list[tuple[int, int]]) -> Offer:
    """Return the offer of a pool in which each (prompt, model) was answered."""
    prompts, models = np.array(answered, dtype=np.int64).reshape(-1, 2).T
    prompt_ids, prompt = np.unique(prompts, return_inverse=True)
    model_ids, model = np.unique(models, return_inverse=True)
    answers = csr_array(
        (np.ones(len(prompt), np.int32), (prompt, model)), (len(prompt_ids), len(model_ids))
    )
    shared: Counts = (answers.T @ answers).toarray().astype(np.int32)
    return Offer(tuple(model_ids.tolist()), shared)
