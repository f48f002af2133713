"""What the scripted judge said, as rows: one judge, one judge run, two judgments a battle."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from arena.demo.simulation import LAST_DAY
from arena.errors import ConflictError
from arena.store.tables import JudgeRow, JudgeRunItemRow, JudgeRunRow, JudgmentRow
from arena.terms import JudgmentStatus, Order, Outcome
from judges import Judge, Judgment, Verdict

# By slot of the battle: the first answer of the straight order stands in slot A.
OUTCOMES = {Verdict.FIRST: Outcome.A, Verdict.SECOND: Outcome.B, Verdict.TIE: Outcome.TIE}


def add_judge(session: Session, judge: Judge) -> int:
    """Store the judge unless it is there, and return its id.

    Raises
    ------
    ConflictError
        If the name belongs to another judge.
    """
    values = {
        "name": judge.name,
        "model": judge.decoder.model,
        "template": judge.template,
        "template_digest": judge.template_digest,
        "decoder": asdict(judge.decoder),
        "decoder_digest": judge.decoder.digest,
    }
    session.execute(upsert(JudgeRow).values(values).on_conflict_do_nothing())
    identity = {key: values[key] for key in ("model", "template_digest", "decoder_digest")}
    judge_id = session.scalar(select(JudgeRow.id).filter_by(**identity))
    if judge_id is None:
        raise ConflictError(
            f"A judge of another template or decoder is called {judge.name!r}. "
            "Load the demo into an empty database.",
            judge=judge.name,
        )
    return judge_id


def add_judgments(
    session: Session,
    board_id: int,
    judge_id: int,
    *,
    judgments: Sequence[tuple[int, Judgment]],
) -> None:
    """Store judgments, each with the id of its battle, as the items of one judge run."""
    rows = [_judgment(judge_id, battle_id, judgment) for battle_id, judgment in judgments]
    statement = insert(JudgmentRow).returning(JudgmentRow.id, sort_by_parameter_order=True)
    judgment_ids = list(session.scalars(statement, rows))
    run_id = _add_run(session, board_id, judge_id, judgments=judgments)
    session.execute(
        insert(JudgeRunItemRow),
        [{"judge_run_id": run_id, "judgment_id": judgment_id} for judgment_id in judgment_ids],
    )


def outcome_by_slot(judgment: Judgment) -> Outcome | None:
    """Return a judgment's verdict by slot, whatever the order was; None if it has none."""
    verdict = judgment.straightened
    return None if verdict is None else OUTCOMES[verdict]


def _judgment(judge_id: int, battle_id: int, judgment: Judgment) -> dict[str, object]:
    return {
        "judge_id": judge_id,
        "battle_id": battle_id,
        "order": Order(judgment.order),
        "status": JudgmentStatus(judgment.status),
        "outcome": outcome_by_slot(judgment),
        "raw": judgment.raw,
        "created_at": LAST_DAY,
    }


def _add_run(
    session: Session,
    board_id: int,
    judge_id: int,
    *,
    judgments: Sequence[tuple[int, Judgment]],
) -> int:
    battles = {battle_id for battle_id, _ in judgments}
    plan = {"battles": len(battles), "orders": list(Order), "samples": 1, "simulated": True}
    run = JudgeRunRow(
        board_id=board_id, judge_id=judge_id, plan=plan, created_at=LAST_DAY, ended_at=LAST_DAY
    )
    session.add(run)
    session.flush()
    return run.id
