"""A board on which a judge reads battles that people voted on, and many that they did not."""

from collections.abc import Iterable

import numpy as np
from scipy.special import expit
from sqlalchemy import insert
from sqlalchemy.orm import Session

from arena.keys import new_public_id
from arena.store.tables import Base, BattleRow, BoardRow, JudgeRow, JudgmentRow, ModelRow, VoteRow
from arena.terms import BattleState, JudgmentStatus, Order, Outcome

STRENGTHS = {"ash": 0.6, "birch": 0.2, "cedar": -0.2, "dawn": -0.6}
# How much the judge likes each model more than people do, in logits.
TASTE = {"ash": -0.5, "birch": 0.5, "cedar": 0.0, "dawn": 0.0}
# What two answers to one prompt differ by beside their models: the judge sees it as people do.
PROMPTS = 2.0
LEAN = 0.5


def add_battle(
    session: Session, board: BoardRow, models: tuple[ModelRow, ModelRow], *, votes: list[Outcome]
) -> BattleRow:
    """A settled battle with votes, each of a voter of its own."""
    a, b = models
    battle = BattleRow(**_battle(board, a, b))
    session.add(battle)
    session.flush()
    session.add_all(
        VoteRow(battle_id=battle.id, voter=new_public_id(), outcome=vote) for vote in votes
    )
    return battle


def add_reading(
    judge: JudgeRow, battle: BattleRow, straight: Outcome | None, swapped: Outcome | None
) -> list[JudgmentRow]:
    """A judge's two readings of a battle, by slot; None could not be parsed."""
    return [
        JudgmentRow(
            judge_id=judge.id,
            battle_id=battle.id,
            order=order,
            status=JudgmentStatus.UNPARSED if said is None else JudgmentStatus.OK,
            outcome=said,
        )
        for order, said in ((Order.STRAIGHT, straight), (Order.SWAPPED, swapped))
    ]


def add_judged(
    session: Session,
    board: BoardRow,
    judge: JudgeRow,
    models: dict[str, ModelRow],
    *,
    both: int,
    judge_only: int,
    seed: int = 0,
) -> None:
    """Add battles among the four models, the first of them with a vote, each read in both orders."""
    generator = np.random.default_rng(seed)
    battles, votes, said = [], [], []
    for _ in range(both + judge_only):
        first, second = generator.permutation(list(STRENGTHS))[:2].tolist()
        logit = STRENGTHS[first] - STRENGTHS[second] + generator.normal(0, PROMPTS)
        liked = logit + TASTE[first] - TASTE[second]
        battles.append(_battle(board, models[first], models[second]))
        votes.append(Outcome.A if generator.random() < expit(logit) else Outcome.B)
        # It leans to the answer that it reads first.
        said.append([Outcome.A if liked > lean else Outcome.B for lean in (-LEAN, LEAN)])
    statement = insert(BattleRow).returning(BattleRow.id, sort_by_parameter_order=True)
    ids = session.scalars(statement, battles).all()
    cast = zip(ids[:both], votes, strict=False)
    _insert(
        session,
        VoteRow,
        ({"battle_id": i, "voter": new_public_id(), "outcome": vote} for i, vote in cast),
    )
    _insert(
        session,
        JudgmentRow,
        (
            {
                "judge_id": judge.id,
                "battle_id": i,
                "order": order,
                "status": "ok",
                "outcome": outcome,
            }
            for i, outcomes in zip(ids, said, strict=True)
            for order, outcome in zip(Order, outcomes, strict=True)
        ),
    )


def _battle(board: BoardRow, a: ModelRow, b: ModelRow) -> dict[str, object]:
    return {
        "public_id": new_public_id(),
        "board_id": board.id,
        "model_a_id": a.id,
        "model_b_id": b.id,
        "state": BattleState.REVEALED,
    }


def _insert(session: Session, table: type[Base], rows: Iterable[dict[str, object]]) -> None:
    if found := list(rows):
        session.execute(insert(table), found)
