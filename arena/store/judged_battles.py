"""Queries of the battles that a judge has read, with what people said of the same ones."""

from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.orm import Session

from arena.store.engine import allow_any_time
from arena.store.reviews import IN_FORCE

# `outcome` is by slot in both orders, so it is never turned here. Only an `ok` judgment has a sequence. What was
# said is put under each other and grouped: a join of two groupings is gone through once for each battle where the plan is wrong.
# It follows on IN_FORCE.
JUDGED = """
, judged AS MATERIALIZED (
    SELECT judgment.battle_id, battle.model_a_id, battle.model_b_id, judgment."order" AS said_by,
           judgment.outcome
    FROM judgment JOIN battle ON battle.id = judgment.battle_id
    WHERE judgment.judge_id = :judge_id AND battle.board_id = :board_id
      AND judgment.sequence <= :judge_watermark
), said AS (
    SELECT battle_id, model_a_id, model_b_id, said_by, outcome FROM judged
    UNION ALL
    SELECT read.battle_id, read.model_a_id, read.model_b_id, 'vote', vote.outcome
    FROM (SELECT DISTINCT battle_id, model_a_id, model_b_id FROM judged) AS read
         JOIN vote ON vote.battle_id = read.battle_id
    WHERE vote.sequence <= :watermark AND vote.outcome <> 'skip'
      AND vote.voter NOT IN (SELECT voter FROM quarantined)
), of_battle AS (
    SELECT model_a_id, model_b_id,
           array_agg(outcome ORDER BY outcome) FILTER (WHERE said_by = 'straight') AS straight,
           array_agg(outcome ORDER BY outcome) FILTER (WHERE said_by = 'swapped') AS swapped,
           array_agg(outcome ORDER BY outcome) FILTER (WHERE said_by = 'vote') AS votes
    FROM said GROUP BY battle_id, model_a_id, model_b_id
)
SELECT model_a_id, model_b_id, straight, swapped, votes, count(*)::bigint
FROM of_battle GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
"""
JUDGES = """
SELECT judge.id, judge.name, max(preference_count.last_sequence)
FROM preference_count JOIN judge ON judge.id = preference_count.judge_id
WHERE preference_count.board_id = :board_id
GROUP BY judge.id, judge.name ORDER BY judge.name
"""


@dataclass(frozen=True)
class JudgeMark:
    """A judge of a board, and the number of the newest of its judgments that is counted."""

    judge_id: int
    judge: str
    watermark: int


@dataclass(frozen=True)
class JudgedRow:
    """How many battles of two models a judge and people spoke of in these words, by slot.

    `straight` and `swapped` are the judge's readings in each order, `votes` what people said; each empty if there
    are none.
    """

    model_a_id: int
    model_b_id: int
    straight: tuple[str, ...]
    swapped: tuple[str, ...]
    votes: tuple[str, ...]
    n: int


@dataclass(frozen=True)
class VotesRead:
    """Which votes of a board count: up to a watermark, by the decisions about voters up to a number."""

    board_id: int
    watermark: int
    up_to: int


def judge_marks(session: Session, board_id: int) -> list[JudgeMark]:
    """Return the judges that have counted judgments on a board, by name."""
    rows = session.execute(text(JUDGES), {"board_id": board_id})
    return [JudgeMark(*row) for row in rows]


def read_judged(session: Session, mark: JudgeMark, votes: VotesRead) -> list[JudgedRow]:
    """Return the battles that a judge had read at its mark; alike ones are one row."""
    allow_any_time(session)
    where = {
        "board_id": votes.board_id,
        "watermark": votes.watermark,
        "up_to": votes.up_to,
        "judge_id": mark.judge_id,
        "judge_watermark": mark.watermark,
    }
    return [
        JudgedRow(a, b, tuple(straight or ()), tuple(swapped or ()), tuple(said or ()), n)
        for a, b, straight, swapped, said, n in session.execute(text(IN_FORCE + JUDGED), where)
    ]
