"""What pages show of runs: the record behind a cell, and the record behind a table of ratings."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from arena.leaderboard.views import BoardHead, Finding, RunFacts, Standing
from arena.terms import Axis, Direction, Missing, RunState


@dataclass(frozen=True)
class RunCell:
    """One score of a run, with where in the file it stands; or why it has none."""

    metric: str
    axis: Axis | None
    split: str | None
    sub_split: str | None
    perturbation: str | None
    direction: Direction
    unit: str
    value: float | None
    lower: float | None
    upper: float | None
    interval_method: str | None
    n: int | None
    n_total: int | None
    trials: int | None
    scored_by: str
    pointer: str
    missing: Missing | None
    reason: str | None


@dataclass(frozen=True)
class RunItem:
    """One item that was asked. An answer that can be drawn for a battle is withheld, and then None."""

    id: str
    question: str
    references: tuple[str, ...]
    answer: str | None
    is_withheld: bool
    marks: Mapping[str, object]


@dataclass(frozen=True)
class RunView:
    """One execution of a scenario by a model. `withheld` counts the items whose answer is not shown yet."""

    id: int
    finding: Finding
    scenario: str
    title: str
    model: str
    name: str
    format: str
    tool_version: str | None
    file_name: str
    file_sha256: str
    ran_at: datetime | None
    created_at: datetime
    adaptation: Mapping[str, object]
    cells: tuple[RunCell, ...]
    items: tuple[RunItem, ...]
    withheld: int
    record: Mapping[str, object]


@dataclass(frozen=True)
class RatingRunView:
    """One rating run in any state: what was asked for, and once published what it found.

    `reading` names another reading of it if the models are by that one and not by the ratings.
    """

    id: int
    board: BoardHead
    source: str
    state: RunState
    attempt: int
    requested_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    reason: str | None
    finding: Finding
    run: RunFacts | None
    reading: str | None
    models: tuple[Standing, ...]
