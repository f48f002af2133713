"""Queries of battles: those that wait for a voter, and the way from open to revealed."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, exists, func, select, update
from sqlalchemy.orm import Session, aliased

from arena.store.tables import (
    BattleRow,
    BoardRow,
    CompletionRow,
    ModelRow,
    PromptRow,
    VoteRow,
    VoteUndoRow,
)
from arena.terms import BattleState, Outcome


@dataclass(frozen=True)
class Progress:
    """What a voter has answered on a board."""

    answered: int
    skipped: int


def boards_with_pairs(session: Session) -> list[BoardRow]:
    """Return the boards whose pool has a prompt that two models answered, by title."""
    pairs = (
        select(CompletionRow.board_id)
        .join(ModelRow, ModelRow.id == CompletionRow.model_id)
        .where(CompletionRow.in_pool, ModelRow.retired_at.is_(None))
        .group_by(CompletionRow.board_id, CompletionRow.prompt_id)
        .having(func.count(CompletionRow.model_id.distinct()) > 1)
    )
    boards = select(BoardRow).where(BoardRow.id.in_(pairs)).order_by(BoardRow.title, BoardRow.name)
    return list(session.scalars(boards))


def find_open(session: Session, board_id: int, voter: str) -> BattleRow | None:
    """Return the battle that waits for this voter, so that asking again draws no second one."""
    return session.scalar(
        select(BattleRow)
        .where(
            BattleRow.board_id == board_id,
            BattleRow.voter == voter,
            BattleRow.state == BattleState.OPEN,
            BattleRow.expires_at > func.now(),
        )
        .order_by(BattleRow.id)
        .limit(1)
    )


def lock_voter(session: Session, board_id: int, voter: str) -> None:
    """Let a voter's draws on a board take turns, so that two tabs share one open battle."""
    session.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"{board_id}/{voter}"))))


@dataclass(frozen=True)
class BattleFacts:
    """A battle with all that hangs on it. Names are here: who reads this decides what to show."""

    battle: BattleRow
    board: BoardRow
    prompt: str
    answer_a: str
    answer_b: str
    model_a: str
    model_b: str
    vote: VoteRow | None


def lock_battle(session: Session, public_id: str) -> None:
    """Let those who move a battle take turns. Who had to wait reads it afterwards, as it is by then."""
    battle = select(BattleRow.id).where(BattleRow.public_id == public_id)
    session.execute(battle.with_for_update(key_share=True))


def find_battle(session: Session, public_id: str, voter: str) -> BattleFacts | None:
    """Return a voter's own battle with its texts; nobody else's is ever found."""
    answer_a, answer_b = aliased(CompletionRow), aliased(CompletionRow)
    model_a, model_b = aliased(ModelRow), aliased(ModelRow)
    row = session.execute(
        select(
            BattleRow,
            BoardRow,
            PromptRow.text,
            answer_a.text,
            answer_b.text,
            model_a.name,
            model_b.name,
            VoteRow,
        )
        .join(BoardRow, BoardRow.id == BattleRow.board_id)
        .join(PromptRow, PromptRow.id == BattleRow.prompt_id)
        .join(answer_a, answer_a.id == BattleRow.completion_a_id)
        .join(answer_b, answer_b.id == BattleRow.completion_b_id)
        .join(model_a, model_a.id == BattleRow.model_a_id)
        .join(model_b, model_b.id == BattleRow.model_b_id)
        .outerjoin(VoteRow, and_(VoteRow.battle_id == BattleRow.id, VoteRow.voter == voter))
        .where(BattleRow.public_id == public_id, BattleRow.voter == voter)
    ).one_or_none()
    return None if row is None else BattleFacts(*row)


def read_progress(session: Session, board_id: int, voter: str) -> Progress:
    """Return how many battles of a board a voter has answered and kept, and how many of them were skips."""
    row = session.execute(
        select(func.count(), func.count().filter(VoteRow.outcome == Outcome.SKIP))
        .select_from(VoteRow)
        .join(BattleRow, BattleRow.id == VoteRow.battle_id)
        .where(
            BattleRow.voter == voter,
            BattleRow.board_id == board_id,
            VoteRow.voter == voter,
            BattleRow.state.in_([BattleState.VOTED, BattleState.REVEALED]),
        )
    ).one()
    return Progress(*row)


def move(session: Session, battle_id: int, *, before: BattleState, after: BattleState) -> bool:
    """Take a battle from one state to the next; False if it was not in the first any more."""
    statement = (
        update(BattleRow)
        .where(BattleRow.id == battle_id, BattleRow.state == before)
        .values(state=after)
        .returning(BattleRow.id)
    )
    return session.scalar(statement) is not None


def note_undo(session: Session, vote_id: int) -> None:
    """Write down that a vote was taken back, so that nobody looks through it again for one to count."""
    session.execute(update(VoteRow).where(VoteRow.id == vote_id).values(is_undone=True))
    session.add(VoteUndoRow(vote_id=vote_id))


def settle_overdue(session: Session, *, before: datetime) -> set[int]:
    """Settle every vote cast before an instant and never revealed; return the boards they belong to."""
    statement = (
        update(BattleRow)
        .where(
            BattleRow.state == BattleState.VOTED,
            exists().where(_is_vote_of_battle(), VoteRow.cast_at < before),
        )
        .values(state=BattleState.REVEALED)
        .returning(BattleRow.board_id)
    )
    return set(session.scalars(statement))


def _is_vote_of_battle() -> ColumnElement[bool]:
    return VoteRow.battle_id == BattleRow.id


def battle_expiry(now: datetime, hours: float) -> datetime:
    """Return when a battle drawn now stops taking a vote."""
    return now + timedelta(hours=hours)
