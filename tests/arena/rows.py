"""Rows for tests: the smallest board that can do what a test needs."""

from sqlalchemy.orm import Session

from arena.keys import new_public_id
from arena.store.tables import (
    BattleRow,
    BoardRow,
    CompletionRow,
    JudgeRow,
    JudgmentRow,
    ModelRow,
    PromptRow,
    VoteRow,
)
from arena.terms import BattleState, JudgmentStatus, Order, Outcome


def add_board(session: Session, name: str = "people", **fields: object) -> BoardRow:
    """A board that bootstraps little, so that tests are quick."""
    board = BoardRow(name=name, title=name.title(), **({"rounds": 100} | fields))
    session.add(board)
    session.flush()
    return board


def add_models(session: Session, *names: str) -> dict[str, ModelRow]:
    models = {name: ModelRow(name=name) for name in names}
    session.add_all(models.values())
    session.flush()
    return models


def add_pool(
    session: Session, board: BoardRow, models: dict[str, ModelRow], *, prompts: int
) -> None:
    """Every model answers every prompt."""
    for number in range(prompts):
        prompt = PromptRow(digest=f"{board.name}-{number}", text=f"Question {number}?")
        session.add(prompt)
        session.flush()
        session.add_all(
            CompletionRow(
                board_id=board.id,
                prompt_id=prompt.id,
                model_id=model.id,
                digest=f"{number}-{model.id}",
                text=f"Answer {number * 100 + place}.",
            )
            for place, model in enumerate(models.values())
        )
    session.flush()


def add_votes(
    session: Session, board: BoardRow, a: ModelRow, b: ModelRow, *, outcome: Outcome, n: int
) -> None:
    """Settled votes that are not counted yet, each of a voter of its own."""
    for _ in range(n):
        battle = _revealed(session, board, a, b)
        session.add(VoteRow(battle_id=battle.id, voter=new_public_id(), outcome=outcome))
    session.flush()


def add_judge(session: Session, name: str) -> JudgeRow:
    judge = JudgeRow(
        name=name, model=name, template_digest="t", decoder={}, decoder_digest=f"d-{name}"
    )
    session.add(judge)
    session.flush()
    return judge


def add_judgment(
    session: Session,
    board: BoardRow,
    judge: JudgeRow,
    a: ModelRow,
    b: ModelRow,
    *,
    outcomes: dict[Order, Outcome | None],
) -> None:
    """One battle read by a judge, once for each order; None could not be parsed."""
    battle = _revealed(session, board, a, b)
    session.add_all(
        JudgmentRow(
            judge_id=judge.id,
            battle_id=battle.id,
            order=order,
            status=JudgmentStatus.UNPARSED if outcome is None else JudgmentStatus.OK,
            outcome=outcome,
        )
        for order, outcome in outcomes.items()
    )
    session.flush()


def _revealed(session: Session, board: BoardRow, a: ModelRow, b: ModelRow) -> BattleRow:
    battle = BattleRow(
        public_id=new_public_id(),
        board_id=board.id,
        model_a_id=a.id,
        model_b_id=b.id,
        state=BattleState.REVEALED,
    )
    session.add(battle)
    session.flush()
    return battle
