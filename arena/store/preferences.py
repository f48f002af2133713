"""Preferences become counts here, and nowhere else.

A settled vote, or a judgment that is `ok`, is counted once: it gets the next number of
`preference_sequence` and adds one to the roll-up, in one transaction and under one lock. The lock makes the
order of numbers the order of commits, so "everything up to number w" names the same preferences for ever:
that is the watermark of a rating run, and what a replay reads again.
"""

from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.orm import Session

from arena.store.engine import allow_any_time

PREFERENCE_LOCK = 4_208_116

# Of `outcome`, `a` means that the first shown won. A judgment in the swapped order showed slot B first.
NEW_VOTES = """
CREATE TEMPORARY TABLE new_preference ON COMMIT DROP AS
SELECT nextval('preference_sequence') AS sequence, settled.*
FROM (
    SELECT vote.id AS vote_id, NULL::bigint AS judgment_id, battle.board_id, NULL::bigint AS judge_id,
           battle.model_a_id AS first_model_id, battle.model_b_id AS second_model_id,
           vote.outcome, coalesce(vote.language, '') AS segment,
           (vote.cast_at AT TIME ZONE 'UTC')::date AS day
    FROM vote JOIN battle ON battle.id = vote.battle_id
    WHERE vote.sequence IS NULL AND NOT vote.is_undone AND battle.state = 'revealed'
    ORDER BY vote.id LIMIT :most
) AS settled
"""
NEW_JUDGMENTS = """
INSERT INTO new_preference
SELECT nextval('preference_sequence'), settled.*
FROM (
    SELECT NULL::bigint, judgment.id, battle.board_id, judgment.judge_id,
           CASE WHEN judgment."order" = 'straight' THEN battle.model_a_id ELSE battle.model_b_id END,
           CASE WHEN judgment."order" = 'straight' THEN battle.model_b_id ELSE battle.model_a_id END,
           CASE WHEN judgment."order" = 'straight' OR judgment.outcome IN ('tie', 'both_bad')
                THEN judgment.outcome
                WHEN judgment.outcome = 'a' THEN 'b' ELSE 'a' END,
           '', (judgment.created_at AT TIME ZONE 'UTC')::date
    FROM judgment JOIN battle ON battle.id = judgment.battle_id
    WHERE judgment.sequence IS NULL AND judgment.status = 'ok' AND battle.state <> 'void'
    ORDER BY judgment.id LIMIT :most
) AS settled
"""
NUMBER_VOTES = """
UPDATE vote SET sequence = new_preference.sequence
FROM new_preference WHERE vote.id = new_preference.vote_id
"""
NUMBER_JUDGMENTS = """
UPDATE judgment SET sequence = new_preference.sequence
FROM new_preference WHERE judgment.id = new_preference.judgment_id
"""
ADD_TO_COUNTS = """
INSERT INTO preference_count
    (board_id, judge_id, first_model_id, second_model_id, outcome, segment, day, n, last_sequence)
SELECT board_id, judge_id, first_model_id, second_model_id, outcome, segment, day,
       count(*), max(sequence)
FROM new_preference WHERE outcome <> 'skip'
GROUP BY 1, 2, 3, 4, 5, 6, 7
ON CONFLICT ON CONSTRAINT uq_preference_count_key DO UPDATE
SET n = preference_count.n + excluded.n, last_sequence = excluded.last_sequence
"""
BATCH = 200_000


@dataclass(frozen=True)
class Source:
    """Whose preferences: a board's people (`judge_id` None), or one of its judges."""

    board_id: int
    judge_id: int | None


def lock_preferences(session: Session) -> None:
    """Take, until the transaction ends, the lock under which preferences are numbered and counted."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": PREFERENCE_LOCK})


def count_new(session: Session) -> set[Source]:
    """Number and count up to a batch of settled votes and good judgments; return whose they were.

    An empty answer means that nothing is left to count.
    """
    lock_preferences(session)
    session.execute(text(NEW_VOTES), {"most": BATCH})
    session.execute(text(NEW_JUDGMENTS), {"most": BATCH})
    session.execute(text(NUMBER_VOTES))
    session.execute(text(NUMBER_JUDGMENTS))
    sources = add_counts(session)
    session.execute(text("DROP TABLE new_preference"))
    return sources


def add_counts(session: Session) -> set[Source]:
    """Add what the temporary table `new_preference` holds to the roll-up; return whose it was.

    The caller holds the lock and has numbered the rows. Columns: sequence, board_id, judge_id, first_model_id,
    second_model_id, outcome (`a`: the first shown won), segment, day.
    """
    session.execute(text(ADD_TO_COUNTS))
    rows = session.execute(text("SELECT DISTINCT board_id, judge_id FROM new_preference"))
    return {Source(board_id, judge_id) for board_id, judge_id in rows}


COUNTS_UP_TO = """
SELECT first_model_id, second_model_id, outcome, count(*)::bigint FROM (
    SELECT battle.model_a_id AS first_model_id, battle.model_b_id AS second_model_id, vote.outcome
    FROM vote JOIN battle ON battle.id = vote.battle_id
    WHERE CAST(:judge_id AS bigint) IS NULL AND battle.board_id = :board_id
      AND vote.sequence <= :watermark AND vote.outcome <> 'skip'
    UNION ALL
    SELECT CASE WHEN judgment."order" = 'straight' THEN battle.model_a_id ELSE battle.model_b_id END,
           CASE WHEN judgment."order" = 'straight' THEN battle.model_b_id ELSE battle.model_a_id END,
           CASE WHEN judgment."order" = 'straight' OR judgment.outcome IN ('tie', 'both_bad')
                THEN judgment.outcome
                WHEN judgment.outcome = 'a' THEN 'b' ELSE 'a' END
    FROM judgment JOIN battle ON battle.id = judgment.battle_id
    WHERE judgment.judge_id = :judge_id AND battle.board_id = :board_id
      AND judgment.sequence <= :watermark
) AS preference
GROUP BY 1, 2, 3
"""
COUNTS_NOW = """
SELECT first_model_id, second_model_id, outcome, sum(n)::bigint
FROM preference_count
WHERE board_id = :board_id AND judge_id IS NOT DISTINCT FROM CAST(:judge_id AS bigint)
GROUP BY 1, 2, 3
"""
WATERMARK = """
SELECT max(last_sequence) FROM preference_count
WHERE board_id = :board_id AND judge_id IS NOT DISTINCT FROM CAST(:judge_id AS bigint)
"""


@dataclass(frozen=True)
class CountRow:
    """How often two models met in this seating with this outcome."""

    first_model_id: int
    second_model_id: int
    outcome: str
    n: int


def read_counts(session: Session, source: Source) -> list[CountRow]:
    """Return the counts of a source from the roll-up: thousands of rows, however many the votes."""
    rows = session.execute(text(COUNTS_NOW), _key(source)).all()
    return [CountRow(*row) for row in rows]


def recount(session: Session, source: Source, watermark: int) -> list[CountRow]:
    """Return the counts of a source as they were at a watermark, from the preferences themselves: all are read."""
    allow_any_time(session)
    rows = session.execute(text(COUNTS_UP_TO), {**_key(source), "watermark": watermark}).all()
    return [CountRow(*row) for row in rows]


def read_watermark(session: Session, source: Source) -> int | None:
    """Return the number of the newest preference counted for a source, None if there is none."""
    watermark: int | None = session.scalar(text(WATERMARK), _key(source))
    return watermark


def _key(source: Source) -> dict[str, int | None]:
    return {"board_id": source.board_id, "judge_id": source.judge_id}
