"""How many people a rating rests on, without going through all votes for each run."""

from dataclasses import dataclass

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from arena.store.engine import allow_any_time
from arena.store.preferences import Source
from arena.store.tables import RatingRunRow
from arena.terms import RunState

ALL_VOTERS = """
SELECT count(*) FROM (
    SELECT DISTINCT vote.voter FROM vote JOIN battle ON battle.id = vote.battle_id
    WHERE battle.board_id = :board_id AND vote.sequence <= :watermark AND vote.outcome <> 'skip'
) AS voter
"""
# Voters of this site stand on their battle too, which has an index by voter; imported ones do not.
IMPORTED = """
SELECT EXISTS (
    SELECT FROM vote JOIN battle ON battle.id = vote.battle_id
    WHERE vote.sequence > :known AND vote.sequence <= :watermark AND battle.board_id = :board_id
      AND vote.voter IS DISTINCT FROM battle.voter
)
"""
FIRST_TIME_VOTERS = """
SELECT count(DISTINCT vote.voter) FROM vote JOIN battle ON battle.id = vote.battle_id
WHERE vote.sequence > :known AND vote.sequence <= :watermark AND vote.outcome <> 'skip'
  AND battle.board_id = :board_id
  AND NOT EXISTS (
      SELECT FROM battle AS former
           JOIN vote AS counted ON counted.battle_id = former.id AND counted.voter = former.voter
      WHERE former.voter = battle.voter AND former.board_id = :board_id
        AND counted.sequence <= :known AND counted.outcome <> 'skip'
  )
"""


def count_voters(session: Session, source: Source, watermark: int) -> int | None:
    """Return how many people voted up to this watermark, those in quarantine too; None for a judge.

    The newest run says how many it rested on, and only voters of newer votes are looked at. With imported votes
    among those, all votes are gone through once, however long that takes.
    """
    if source.judge_id is not None:
        return None
    where = {"board_id": source.board_id, "watermark": watermark}
    newest = _newest_run(session, source.board_id, watermark)
    if newest is not None:
        since = where | {"known": newest.watermark}
        if not session.scalar(text(IMPORTED), since):
            return newest.voters + int(session.scalars(text(FIRST_TIME_VOTERS), since).one())
    allow_any_time(session)
    return int(session.scalars(text(ALL_VOTERS), where).one())


@dataclass(frozen=True)
class _Known:
    """How many voters had voted up to a watermark."""

    watermark: int
    voters: int


def _newest_run(session: Session, board_id: int, watermark: int) -> _Known | None:
    newest = (
        select(RatingRunRow.watermark, RatingRunRow.voters, RatingRunRow.selection)
        .where(
            RatingRunRow.board_id == board_id,
            RatingRunRow.judge_id.is_(None),
            RatingRunRow.state == RunState.PUBLISHED,
            RatingRunRow.watermark <= watermark,
        )
        .order_by(RatingRunRow.watermark.desc())
        .limit(1)
    )
    row = session.execute(newest).one_or_none()
    if row is None or row.watermark is None or row.voters is None:
        return None
    # A run's number leaves those in quarantine out; here they are voters like all others.
    left_out = ((row.selection or {}).get("quarantined") or {}).get("voters", 0)
    return _Known(row.watermark, row.voters + left_out)
