"""Queries of preferences one by one, for what the roll-up does not hold: who cast them, and on which prompt."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from arena.store.engine import allow_any_time
from arena.store.preferences import Source
from arena.store.reviews import IN_FORCE

ROWS_AT_ONCE = 50_000

# One row a vote in the order of counting: first shown, second shown, outcome, voter, prompt.
VOTES = """
SELECT battle.model_a_id, battle.model_b_id, vote.outcome,
       dense_rank() OVER (ORDER BY vote.voter) - 1, battle.prompt_id
FROM vote JOIN battle ON battle.id = vote.battle_id
WHERE battle.board_id = :board_id AND vote.sequence <= :watermark AND vote.outcome <> 'skip'
  AND vote.voter NOT IN (SELECT voter FROM quarantined)
ORDER BY vote.sequence
"""
# A judge is one voter. Both readings of a battle are on one prompt, whether the battle names it or not.
JUDGMENTS = """
SELECT CASE WHEN judgment."order" = 'straight' THEN battle.model_a_id ELSE battle.model_b_id END,
       CASE WHEN judgment."order" = 'straight' THEN battle.model_b_id ELSE battle.model_a_id END,
       CASE WHEN judgment."order" = 'straight' OR judgment.outcome IN ('tie', 'both_bad')
            THEN judgment.outcome
            WHEN judgment.outcome = 'a' THEN 'b' ELSE 'a' END,
       NULL::bigint, coalesce(battle.prompt_id, -battle.id)
FROM judgment JOIN battle ON battle.id = judgment.battle_id
WHERE judgment.judge_id = :judge_id AND battle.board_id = :board_id
  AND judgment.sequence <= :watermark
ORDER BY judgment.sequence
"""

VoteRows = Sequence[Row[int, int, str, int | None, int | None]]


def stream_single(
    session: Session, source: Source, *, watermark: int, up_to: int
) -> Iterator[VoteRows]:
    """Yield the preferences of a source up to a watermark, a part at once.

    Votes of voters whom the decisions up to a number keep out are not among them.
    """
    allow_any_time(session)
    where: dict[str, int | None] = {"board_id": source.board_id, "watermark": watermark}
    statement = IN_FORCE + VOTES if source.judge_id is None else JUDGMENTS
    where |= {"up_to": up_to} if source.judge_id is None else {"judge_id": source.judge_id}
    options = {"yield_per": ROWS_AT_ONCE}
    yield from session.execute(text(statement), where, execution_options=options).partitions()


VOTERS = """
SELECT DISTINCT vote.voter
FROM vote JOIN battle ON battle.id = vote.battle_id
WHERE battle.board_id = :board_id AND vote.sequence <= :watermark AND vote.outcome <> 'skip'
  AND vote.voter NOT IN (SELECT voter FROM quarantined)
ORDER BY vote.voter
"""


def numbered_voters(session: Session, source: Source, *, watermark: int, up_to: int) -> list[str]:
    """Return the voters in the order in which `stream_single` numbers them."""
    allow_any_time(session)
    where = {"board_id": source.board_id, "watermark": watermark, "up_to": up_to}
    return list(session.scalars(text(IN_FORCE + VOTERS), where))
