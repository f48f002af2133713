"""Queries of the roll-up by month, to see whether a model changed behind its name."""

from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from arena.store.preferences import Source
from arena.terms import Outcome

OUTCOMES = (Outcome.A, Outcome.B, Outcome.TIE, Outcome.BOTH_BAD)
MONTHS = """
SELECT first_model_id, second_model_id, outcome,
       (12 * extract(year FROM day) + extract(month FROM day))::bigint, sum(n)::bigint
FROM preference_count
WHERE board_id = :board_id AND judge_id IS NOT DISTINCT FROM CAST(:judge_id AS bigint)
GROUP BY 1, 2, 3, 4
"""


class MonthRow(NamedTuple):
    """How often two models met in this seating with this outcome in one month; months are numbered on."""

    first_model_id: int
    second_model_id: int
    outcome: int
    month: int
    n: int


def read_months(session: Session, source: Source) -> list[MonthRow]:
    """Return the counts of a source by month, as they are now. Of `outcome`, the place in OUTCOMES."""
    where = {"board_id": source.board_id, "judge_id": source.judge_id}
    place = {outcome.value: number for number, outcome in enumerate(OUTCOMES)}
    return [
        MonthRow(first, second, place[outcome], month, n)
        for first, second, outcome, month, n in session.execute(text(MONTHS), where)
    ]
