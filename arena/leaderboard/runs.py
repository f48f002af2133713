"""Read the record behind a number: a run of a scenario, or a rating run."""

from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from arena.leaderboard.columns import main_column
from arena.leaderboard.published import facts_of, head_of
from arena.leaderboard.readings import models_in
from arena.leaderboard.record_findings import find_run, find_score
from arena.leaderboard.run_views import RatingRunView, RunCell, RunItem, RunView
from arena.leaderboard.standings import Beside, standing_of
from arena.leaderboard.views import Standing
from arena.store import evidence
from arena.store import leaderboard as rows
from arena.store.boards import source_name
from arena.store.evidence import ColumnFound, ColumnKey
from arena.store.preferences import Source
from arena.store.tables import BoardRow, CellRow, RatingRunRow, RunRow, ScenarioRow
from arena.terms import Axis, BothBad, Direction, Missing, RunState

ITEMS = "items"


def read_run(session: Session, run_id: int) -> RunView:
    """Return a run of a scenario with its cells and items.

    Raises
    ------
    UnknownRunError
        If there is no run of this number.
    """
    run, scenario, model = evidence.find_run(session, run_id)
    cells = evidence.cells_of_run(session, run_id)
    items, withheld = read_items(session, run)
    main = main_cell(cells, scenario)
    return RunView(
        id=run.id,
        finding=find_score(scenario.title, model.name, main),
        scenario=scenario.name,
        title=scenario.title,
        model=model.name,
        name=run.name,
        format=run.format,
        tool_version=run.tool_version,
        file_name=run.file_name,
        file_sha256=run.file_sha256,
        ran_at=run.ran_at,
        created_at=run.created_at,
        adaptation=run.adaptation,
        cells=tuple(cell_of(cell) for cell in cells),
        items=items,
        withheld=withheld,
        record={key: value for key, value in run.record.items() if key != ITEMS},
    )


def main_cell(cells: Sequence[CellRow], scenario: ScenarioRow) -> RunCell | None:
    """Return the cell that a board would show of this run."""
    found = {column_found(cell, scenario): cell for cell in cells}
    main = main_column(list(found))
    return None if main is None else cell_of(found[main])


def column_found(cell: CellRow, scenario: ScenarioRow) -> ColumnFound:
    """Return the column that a cell stands in."""
    key = ColumnKey(scenario.id, cell.metric, cell.split, cell.sub_split, cell.perturbation)
    valued = int(cell.value is not None)
    return ColumnFound(key, scenario, cell.axis, cell.unit, cell.direction, valued)


def cell_of(cell: CellRow) -> RunCell:
    """Return a cell with where it stands in its file."""
    return RunCell(
        metric=cell.metric,
        axis=None if cell.axis is None else Axis(cell.axis),
        split=cell.split,
        sub_split=cell.sub_split,
        perturbation=cell.perturbation,
        direction=Direction(cell.direction),
        unit=cell.unit,
        value=cell.value,
        lower=cell.lower,
        upper=cell.upper,
        interval_method=cell.interval_method,
        n=cell.n,
        n_total=cell.n_total,
        trials=cell.trials,
        scored_by=cell.scored_by,
        pointer=cell.pointer,
        missing=None if cell.missing is None else Missing(cell.missing),
        reason=cell.reason,
    )


def read_items(session: Session, run: RunRow) -> tuple[tuple[RunItem, ...], int]:
    """Return the items of a run's record, and how many answers are withheld.

    An answer that can still be drawn for a battle is shown nowhere beside its model's name.
    """
    stored = run.record.get(ITEMS)
    found = [item for item in stored if isinstance(item, dict)] if isinstance(stored, list) else []
    answers = [str(item["answer"]) for item in found if item.get("answer") is not None]
    secret = evidence.texts_in_pool(session, run.model_id, answers) if answers else set()
    items = tuple(_item(item, secret) for item in found)
    return items, sum(answer in secret for answer in answers)


def _item(item: Mapping[str, object], secret: set[str]) -> RunItem:
    references, marks = item.get("references"), item.get("marks")
    answer = None if item.get("answer") is None else str(item["answer"])
    return RunItem(
        id=str(item.get("id", "")),
        question=str(item.get("question", "")),
        references=tuple(map(str, references)) if isinstance(references, list) else (),
        answer=None if answer in secret else answer,
        is_withheld=answer in secret,
        marks=marks if isinstance(marks, dict) else {},
    )


def read_rating_run(session: Session, run_id: int, reading: str | None = None) -> RatingRunView:
    """Return a rating run with what it says of each model, or what another reading of it says.

    Raises
    ------
    UnknownRatingRunError
        If there is no rating run of this number.
    InputError
        If it has no such reading.
    """
    run = rows.find_run(session, run_id)
    board = session.get_one(BoardRow, run.board_id)
    is_published = run.state == RunState.PUBLISHED
    models = tuple(
        _models(session, run, BothBad(board.both_bad))
        if reading is None
        else models_in(session, run, reading, Beside({}, {}))
    )
    return RatingRunView(
        id=run.id,
        board=head_of(board),
        source=source_name(session, Source(run.board_id, run.judge_id)),
        state=RunState(run.state),
        attempt=run.attempt,
        requested_at=run.requested_at,
        started_at=run.started_at,
        ended_at=run.ended_at,
        reason=run.reason,
        finding=find_run(run.id, RunState(run.state), models, preferences=run.preferences),
        run=facts_of(session, run) if is_published else None,
        reading=reading,
        models=models,
    )


def _models(session: Session, run: RatingRunRow, rule: BothBad) -> list[Standing]:
    found = rows.read_ratings(session, run.id)
    return [standing_of(row[0], row[1], Beside({}, {}), rule) for row in found]
