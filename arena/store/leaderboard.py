"""Queries of what pages show: the newest published run of a source, its ratings, and what is newer than it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Row, func, select, text
from sqlalchemy.orm import Session, defer

from arena.errors import UnknownRatingRunError
from arena.store.preferences import Source
from arena.store.tables import (
    BoardRow,
    CompletionRow,
    JudgeRow,
    ModelRow,
    PreferenceCountRow,
    RatingRow,
    RatingRunRow,
    RatingViewRow,
)
from arena.terms import RunState

# Beyond this many, "newer waiting" says "at least": nobody waits for an exact count of a backlog.
MOST_WAITING = 10_000
MOST_PAST = 5_000
WAITING_VOTES = """
SELECT count(*) FROM (
    SELECT FROM vote JOIN battle ON battle.id = vote.battle_id
    WHERE battle.board_id = :board_id AND vote.outcome <> 'skip'
      AND (vote.sequence > :watermark OR (vote.sequence IS NULL AND battle.state = 'revealed'))
    LIMIT :most
) AS newer
"""
WAITING_JUDGMENTS = """
SELECT count(*) FROM (
    SELECT FROM judgment JOIN battle ON battle.id = judgment.battle_id
    WHERE battle.board_id = :board_id AND judgment.judge_id = :judge_id AND judgment.status = 'ok'
      AND battle.state <> 'void' AND (judgment.sequence > :watermark OR judgment.sequence IS NULL)
    LIMIT :most
) AS newer
"""
TOTALS = """
SELECT outcome, first_model_id, second_model_id, sum(n)::bigint FROM preference_count
WHERE board_id = :board_id AND judge_id IS NOT DISTINCT FROM CAST(:judge_id AS bigint)
GROUP BY GROUPING SETS ((outcome), (first_model_id), (second_model_id))
"""


@dataclass(frozen=True)
class CountedSource:
    """A source of a board, its name, and how many of its preferences are counted."""

    source: Source
    name: str
    preferences: int


def all_boards(session: Session) -> Sequence[BoardRow]:
    """Return every board, by title."""
    return session.scalars(select(BoardRow).order_by(BoardRow.title, BoardRow.name)).all()


def counted_sources(session: Session, board_id: int) -> list[CountedSource]:
    """Return the sources that have counted preferences on a board, people first."""
    rows = session.execute(
        select(PreferenceCountRow.judge_id, JudgeRow.name, func.sum(PreferenceCountRow.n))
        .outerjoin(JudgeRow, JudgeRow.id == PreferenceCountRow.judge_id)
        .where(PreferenceCountRow.board_id == board_id)
        .group_by(PreferenceCountRow.judge_id, JudgeRow.name)
        .order_by(JudgeRow.name.nulls_first())
    )
    return [
        CountedSource(Source(board_id, judge_id), name or "people", int(n))
        for judge_id, name, n in rows
    ]


def newest_run(session: Session, source: Source) -> RatingRunRow | None:
    """Return the newest published run of a source; without its covariance, which few pages need."""
    return session.scalar(
        select(RatingRunRow)
        .where(_is_of(source), RatingRunRow.state == RunState.PUBLISHED)
        .order_by(RatingRunRow.published_at.desc(), RatingRunRow.id.desc())
        .limit(1)
        .options(defer(RatingRunRow.covariance))
    )


def last_request(session: Session, source: Source) -> RatingRunRow | None:
    """Return the last run of a source that was asked for, whatever became of it."""
    return session.scalar(
        select(RatingRunRow)
        .where(_is_of(source))
        .order_by(RatingRunRow.id.desc())
        .limit(1)
        .options(defer(RatingRunRow.covariance))
    )


def find_run(session: Session, run_id: int) -> RatingRunRow:
    """Return a rating run in any state."""
    run = session.get(RatingRunRow, run_id, options=[defer(RatingRunRow.covariance)])
    if run is None:
        raise UnknownRatingRunError(f"There is no rating run {run_id}.", run=run_id)
    return run


def read_ratings(session: Session, run_id: int) -> Sequence[Row[RatingRow, ModelRow]]:
    """Return what a run says of every model, by rank and then by name."""
    return session.execute(
        select(RatingRow, ModelRow)
        .join(ModelRow, ModelRow.id == RatingRow.model_id)
        .where(RatingRow.rating_run_id == run_id)
        .order_by(RatingRow.rank.nulls_last(), ModelRow.name)
    ).all()


def views_of_run(session: Session, run_id: int) -> Sequence[str]:
    """Return the names of a run's other readings, in order."""
    return session.scalars(
        select(RatingViewRow.view)
        .where(RatingViewRow.rating_run_id == run_id)
        .distinct()
        .order_by(RatingViewRow.view)
    ).all()


def read_view(session: Session, run_id: int, view: str) -> Sequence[Row[RatingViewRow, ModelRow]]:
    """Return what another reading of a run says of every model, by rank and then by name."""
    return session.execute(
        select(RatingViewRow, ModelRow)
        .join(ModelRow, ModelRow.id == RatingViewRow.model_id)
        .where(RatingViewRow.rating_run_id == run_id, RatingViewRow.view == view)
        .order_by(RatingViewRow.rank.nulls_last(), ModelRow.name)
    ).all()


def pool_models(session: Session, board_id: int) -> Sequence[ModelRow]:
    """Return the models with answers that can be drawn on a board, by name."""
    answering = select(CompletionRow.model_id).where(
        CompletionRow.board_id == board_id, CompletionRow.in_pool
    )
    return session.scalars(
        select(ModelRow)
        .where(ModelRow.id.in_(answering), ModelRow.retired_at.is_(None))
        .order_by(ModelRow.name)
    ).all()


def pool_prompts(session: Session, board_id: int) -> int:
    """Return how many prompts the pool of a board has."""
    return (
        session.scalar(
            select(func.count(CompletionRow.prompt_id.distinct())).where(
                CompletionRow.board_id == board_id, CompletionRow.in_pool
            )
        )
        or 0
    )


def count_waiting(session: Session, source: Source, watermark: int) -> int:
    """Return how many settled preferences are newer than a watermark, counting no further than MOST_WAITING."""
    query = WAITING_VOTES if source.judge_id is None else WAITING_JUDGMENTS
    key = {"board_id": source.board_id, "judge_id": source.judge_id, "watermark": watermark}
    waiting: int = session.scalar(text(query), {**key, "most": MOST_WAITING}) or 0
    return waiting


@dataclass(frozen=True)
class Totals:
    """How many preferences a source has, by outcome as shown and by model."""

    outcomes: Counter[str]
    battles: Counter[int]

    @property
    def total(self) -> int:
        """How many there are in all."""
        return self.outcomes.total()


def read_totals(session: Session, source: Source) -> Totals:
    """Return the sums of a source's counts: a row for each outcome and each model, and not one a pair."""
    key = {"board_id": source.board_id, "judge_id": source.judge_id}
    outcomes: Counter[str] = Counter()
    battles: Counter[int] = Counter()
    for outcome, first, second, n in session.execute(text(TOTALS), key).all():
        if outcome is not None:
            outcomes[outcome] = n
        else:
            battles[first if first is not None else second] += n
    return Totals(outcomes, battles)


def read_covariance(session: Session, run_id: int) -> bytes | None:
    """Return the covariance of a run as it is stored: float64, little-endian, row by row."""
    return session.scalar(select(RatingRunRow.covariance).where(RatingRunRow.id == run_id))


@dataclass(frozen=True)
class PastRating:
    """What one published run said of a model."""

    run_id: int
    preferences: int
    rating: float
    lower: float | None
    upper: float | None


def past_ratings(session: Session, source: Source, model_id: int) -> list[PastRating]:
    """Return what the published runs of a source said of a model, oldest first; of very many, the newest."""
    rows = session.execute(
        select(
            RatingRunRow.id,
            RatingRunRow.preferences,
            RatingRow.rating,
            RatingRow.lower,
            RatingRow.upper,
        )
        .join(RatingRow, RatingRow.rating_run_id == RatingRunRow.id)
        .where(
            _is_of(source),
            RatingRow.model_id == model_id,
            RatingRow.rating.is_not(None),
            RatingRunRow.state == RunState.PUBLISHED,
        )
        .order_by(RatingRunRow.published_at.desc(), RatingRunRow.id.desc())
        .limit(MOST_PAST)
    ).all()
    return [
        PastRating(run_id, preferences or 0, rating or 0.0, lower, upper)
        for run_id, preferences, rating, lower, upper in reversed(rows)
    ]


def boards_of_model(session: Session, model_id: int) -> Sequence[BoardRow]:
    """Return the boards that a model has battles or answers on, by title."""
    compared = select(PreferenceCountRow.board_id).where(
        (PreferenceCountRow.first_model_id == model_id)
        | (PreferenceCountRow.second_model_id == model_id)
    )
    answered = select(CompletionRow.board_id).where(CompletionRow.model_id == model_id)
    return session.scalars(
        select(BoardRow)
        .where(BoardRow.id.in_(compared) | BoardRow.id.in_(answered))
        .order_by(BoardRow.title, BoardRow.name)
    ).all()


def _is_of(source: Source) -> ColumnElement[bool]:
    """Whether a run is of this source, said so that the index on both columns serves."""
    is_theirs = (
        RatingRunRow.judge_id.is_(None)
        if source.judge_id is None
        else RatingRunRow.judge_id == source.judge_id
    )
    return (RatingRunRow.board_id == source.board_id) & is_theirs
