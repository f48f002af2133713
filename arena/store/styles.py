"""Queries of how answers are dressed: which are not measured yet, and the features of both answers of each vote."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from sqlalchemy import Row, exists, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from arena.evaluation.style import READER, Style
from arena.store.engine import allow_any_time
from arena.store.preferences import Source
from arena.store.reviews import IN_FORCE
from arena.store.tables import CompletionRow, CompletionStyleRow

ROWS_AT_ONCE = 50_000

# One row a vote, in the order of counting: the features of the answer shown first, then of the second.
OF_VOTES = """
SELECT a.length, a.headers, a.lists, a.bold, a.code_blocks + a.code_spans,
       b.length, b.headers, b.lists, b.bold, b.code_blocks + b.code_spans
FROM vote JOIN battle ON battle.id = vote.battle_id
     LEFT JOIN completion_style AS a ON a.completion_id = battle.completion_a_id
     LEFT JOIN completion_style AS b ON b.completion_id = battle.completion_b_id
WHERE battle.board_id = :board_id AND vote.sequence <= :watermark AND vote.outcome <> 'skip'
  AND vote.voter NOT IN (SELECT voter FROM quarantined)
ORDER BY vote.sequence
"""
# A judge that reads in the swapped order is shown the answer of slot B first.
OF_JUDGMENTS = """
SELECT first.length, first.headers, first.lists, first.bold, first.code_blocks + first.code_spans,
       second.length, second.headers, second.lists, second.bold, second.code_blocks + second.code_spans
FROM judgment JOIN battle ON battle.id = judgment.battle_id
     LEFT JOIN completion_style AS first ON first.completion_id =
         CASE WHEN judgment."order" = 'straight' THEN battle.completion_a_id ELSE battle.completion_b_id END
     LEFT JOIN completion_style AS second ON second.completion_id =
         CASE WHEN judgment."order" = 'straight' THEN battle.completion_b_id ELSE battle.completion_a_id END
WHERE judgment.judge_id = :judge_id AND battle.board_id = :board_id
  AND judgment.sequence <= :watermark
ORDER BY judgment.sequence
"""

StyleRows = Sequence[Row[*tuple[int | None, ...]]]


def unmeasured(session: Session, board_id: int, *, most: int) -> Sequence[Row[int, str]]:
    """Return id and text of completions of a board that this version of the reader has not seen."""
    measured = exists().where(
        CompletionStyleRow.completion_id == CompletionRow.id, CompletionStyleRow.reader == READER
    )
    return session.execute(
        select(CompletionRow.id, CompletionRow.text)
        .where(CompletionRow.board_id == board_id, ~measured)
        .order_by(CompletionRow.id)
        .limit(most)
    ).all()


def keep_styles(session: Session, styles: Sequence[tuple[int, Style]]) -> None:
    """Store what was measured; two workers that measure the same agree."""
    rows = [{"completion_id": each, "reader": READER} | asdict(style) for each, style in styles]
    statement = insert(CompletionStyleRow).values(rows)
    newer = {name: statement.excluded[name] for name in rows[0] if name != "completion_id"}
    session.execute(statement.on_conflict_do_update(index_elements=["completion_id"], set_=newer))


def stream_styles(
    session: Session, source: Source, *, watermark: int, up_to: int
) -> Iterator[StyleRows]:
    """Yield the features of both answers of the preferences of a source, in the order of `stream_single`.

    Where the answers are not kept, they are None.
    """
    allow_any_time(session)
    where: dict[str, int | None] = {"board_id": source.board_id, "watermark": watermark}
    statement = IN_FORCE + OF_VOTES if source.judge_id is None else OF_JUDGMENTS
    where |= {"up_to": up_to} if source.judge_id is None else {"judge_id": source.judge_id}
    options = {"yield_per": ROWS_AT_ONCE}
    yield from session.execute(text(statement), where, execution_options=options).partitions()
