"""Styles are measured once for each answer, and read in the order of the votes."""

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.evaluation.style import READER, style_of
from arena.keys import new_public_id
from arena.store.preferences import Source
from arena.store.styles import keep_styles, stream_styles, unmeasured
from arena.store.tables import (
    BattleRow,
    BoardRow,
    CompletionRow,
    CompletionStyleRow,
    JudgmentRow,
    VoteRow,
)
from arena.terms import BattleState, JudgmentStatus, Order, Outcome
from tests.arena.rows import add_board, add_judge, add_models, add_pool

MANY = 1 << 40


def add_battle(session: Session, board: BoardRow, answers: list[CompletionRow]) -> BattleRow:
    """A settled battle of two kept answers, shown in this order."""
    first, second = answers
    battle = BattleRow(
        public_id=new_public_id(),
        board_id=board.id,
        prompt_id=first.prompt_id,
        model_a_id=first.model_id,
        model_b_id=second.model_id,
        completion_a_id=first.id,
        completion_b_id=second.id,
        state=BattleState.REVEALED,
    )
    session.add(battle)
    session.flush()
    return battle


def measure(session: Session, board: BoardRow) -> int:
    """Measure all that is not measured; return how many those were."""
    waiting = unmeasured(session, board.id, most=100)
    if waiting:
        keep_styles(session, [(each, style_of(text)) for each, text in waiting])
    return len(waiting)


def make_answers(session: Session) -> tuple[BoardRow, list[CompletionRow]]:
    """A board on which two models answered two prompts, the second model with a header."""
    board, models = add_board(session), add_models(session, "ash", "birch")
    add_pool(session, board, models, prompts=2)
    answers = session.scalars(select(CompletionRow).order_by(CompletionRow.id)).all()
    for answer in answers[1::2]:
        answer.text = f"# {answer.text}"
    session.flush()
    return board, list(answers)


def test_an_answer_is_measured_once(session: Session) -> None:
    """A refit every few seconds does not read all texts again; a new version of the reader does."""
    board, answers = make_answers(session)

    assert measure(session, board) == len(answers) == 4
    assert measure(session, board) == 0
    session.execute(update(CompletionStyleRow).values(reader=READER - 1, headers=99))
    assert measure(session, board) == 4
    found = session.get_one(CompletionStyleRow, answers[1].id)
    assert (found.headers, found.length) == (1, style_of(answers[1].text).length)


def test_votes_come_with_the_style_of_both_answers(session: Session) -> None:
    """In the order in which they were counted; a vote whose answers are not kept has none."""
    board, answers = make_answers(session)
    measure(session, board)
    models = {answer.model_id for answer in answers}
    straight = add_battle(session, board, answers[:2])
    turned = add_battle(session, board, answers[:2][::-1])
    bare = BattleRow(
        public_id=new_public_id(),
        board_id=board.id,
        model_a_id=min(models),
        model_b_id=max(models),
        state=BattleState.REVEALED,
    )
    session.add(bare)
    session.flush()
    for sequence, battle in enumerate((turned, bare, straight), start=1):
        vote = VoteRow(
            battle_id=battle.id, voter=f"voter-{sequence}", outcome=Outcome.A, sequence=sequence
        )
        session.add(vote)
    session.flush()

    parts = stream_styles(session, Source(board.id, None), watermark=MANY, up_to=0)
    rows = [tuple(row) for part in parts for row in part]

    assert [row[1] for row in rows] == [1, None, 0]
    assert [row[6] for row in rows] == [0, None, 1]
    assert rows[1] == (None,) * 10
    assert rows[0][:5] == rows[2][5:]


def test_a_judge_reads_the_answers_in_its_order(session: Session) -> None:
    """In the swapped order the answer of slot B stands first, and so does its style."""
    board, answers = make_answers(session)
    measure(session, board)
    judge, battle = add_judge(session, "judge"), add_battle(session, board, answers[:2])
    for sequence, order in enumerate((Order.STRAIGHT, Order.SWAPPED), start=1):
        judgment = JudgmentRow(
            judge_id=judge.id,
            battle_id=battle.id,
            order=order,
            status=JudgmentStatus.OK,
            outcome=Outcome.A,
            sequence=sequence,
        )
        session.add(judgment)
    session.flush()

    parts = stream_styles(session, Source(board.id, judge.id), watermark=MANY, up_to=0)

    assert [row[1] for part in parts for row in part] == [0, 1]
