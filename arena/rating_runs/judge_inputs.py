"""What a run of people's votes reads of the judges of its board, and how a replay finds the same again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy.orm import Session

from arena.store.judged_battles import JudgedRow, JudgeMark, VotesRead, judge_marks, read_judged
from arena.store.preferences import Source


@dataclass(frozen=True)
class JudgeInputs:
    """The battles that a judge of the board had read when the run began."""

    mark: JudgeMark
    rows: tuple[JudgedRow, ...]


def marks_now(session: Session, source: Source) -> list[JudgeMark]:
    """Return the judges that a run of a source reads now: those of the board for people, none for a judge."""
    return judge_marks(session, source.board_id) if source.judge_id is None else []


def as_selection(marks: Sequence[JudgeMark]) -> list[dict[str, object]]:
    """Return what a run stores of the judges that it read."""
    return [asdict(mark) for mark in marks]


# A stored document: its values are whatever the run wrote.
def marks_of(selection: Mapping[str, Any] | None) -> list[JudgeMark]:
    """Return the judges that a run read, from what it stored; runs of earlier versions read none."""
    return [JudgeMark(**mark) for mark in (selection or {}).get("judges", ())]


def read_judges(
    session: Session, marks: Sequence[JudgeMark], votes: VotesRead
) -> tuple[JudgeInputs, ...]:
    """Return what each judge had read at its mark, with people's votes on the same battles."""
    return tuple(JudgeInputs(mark, tuple(read_judged(session, mark, votes))) for mark in marks)
