"""What pages and their JSON twins show of a board: frozen values, no row of a table among them.

A number that there is not is None, and something beside it says why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from arena.leaderboard.judged_views import JudgeBeside
from arena.leaderboard.run_findings import RunFindings
from arena.terms import BothBad, Cluster, Direction, Interval, Missing, RatingStatus, Ties


@dataclass(frozen=True)
class BoardHead:
    """A board's words."""

    name: str
    title: str
    description: str | None
    is_simulated: bool


@dataclass(frozen=True)
class Anchor:
    """The model that stands at so many points."""

    model: str
    points: float


@dataclass(frozen=True)
class BoardSettings:
    """How a board is rated from its next run on; without an anchor the mean of the rated models stands at 1000."""

    ties: Ties
    both_bad: BothBad
    interval: Interval
    rounds: int
    level: float
    seed: int
    position: bool
    cluster: Cluster
    style: tuple[str, ...]
    anchor: Anchor | None


@dataclass(frozen=True)
class SourceRef:
    """Whose preferences: `people`, or a judge by name; and how many of them are counted."""

    name: str
    is_judge: bool
    preferences: int


@dataclass(frozen=True)
class LeftOut:
    """What is not in the ratings of a run because its voters are in quarantine."""

    voters: int
    votes: int


@dataclass(frozen=True)
class RunFacts:
    """A published rating run: what went in, how, how the search ended, and what it found beside the ratings.

    `waiting` counts settled preferences that are newer than the run; from `MOST_WAITING` on it says "at least".
    `readings` are the other ways in which the run read its preferences; `command` rates a file of the same ones.
    Without `findings`, `findings_absent` says why.
    """

    id: int
    published_at: datetime
    preferences: int
    voters: int | None
    watermark: int
    waiting: int
    counts_digest: str
    method: Mapping[str, object]
    versions: Mapping[str, object]
    warnings: tuple[str, ...]
    excluded: Mapping[str, int]
    gradient_norm: float | None
    iterations: int | None
    rounds_degenerate: int | None
    quarantined: LeftOut
    readings: tuple[str, ...]
    command: str
    findings: RunFindings | None
    findings_absent: str | None


@dataclass(frozen=True)
class Place:
    """Where a model stands by another source: compare ranks, never points."""

    rank: int
    rank_low: int
    rank_high: int
    rank_set_low: int | None
    rank_set_high: int | None

    @property
    def claimed(self) -> tuple[int, int]:
        """The ranks that are left open to it: of its set, or where a run has none of its range."""
        if self.rank_set_low is None or self.rank_set_high is None:
            return self.rank_low, self.rank_high
        return self.rank_set_low, self.rank_set_high


@dataclass(frozen=True)
class Cell:
    """What is known of a model in one column: a value, or a kind of missing.

    `note` numbers the reason in the board's notes. `others` are the values of other runs that differ from this
    one. A cell that nobody ran or imported is `not_run` without a run.
    """

    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    n: int | None = None
    run: int | None = None
    missing: Missing | None = Missing.NOT_RUN
    reason: str | None = None
    note: int | None = None
    others: tuple[float, ...] = ()


@dataclass(frozen=True)
class Column:
    """One column of cells: a metric of a scenario, and which way it is better."""

    key: str
    scenario: str
    title: str
    metric: str
    split: str | None
    perturbation: str | None
    unit: str
    direction: Direction


@dataclass(frozen=True)
class Note:
    """A reason why cells are absent: once for all cells that share it."""

    number: int
    missing: Missing
    reason: str
    cells: int
    model: str | None
    column: str | None
    run: int | None


@dataclass(frozen=True)
class Standing:
    """One model on a board. `share_won` counts ties half.

    `rank_low` to `rank_high` is where its interval overlaps others, for this model alone; `rank_set_low` to
    `rank_set_high` holds for all models at once. Another reading of a run keeps the first of the two, and no record.
    """

    model: str
    organization: str | None
    is_retired: bool
    status: RatingStatus
    reason: str | None
    rating: float | None
    lower: float | None
    upper: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    rank_set_low: int | None
    rank_set_high: int | None
    chance_best: float | None
    battles: int
    wins: int | None
    losses: int | None
    ties: int | None
    both_bad: int | None
    share_won: float | None
    beside: Place | None
    cells: Mapping[str, Cell]

    @property
    def is_rated(self) -> bool:
        """Whether the model has a rating."""
        return self.status is RatingStatus.RATED

    @property
    def could_be_first(self) -> bool:
        """Whether the ranges leave the first place open to it. A model that only lost is not meant."""
        return self.status is not RatingStatus.UNBOUNDED_BELOW and self.claimed[0] == 1

    @property
    def claimed(self) -> tuple[int | None, int | None]:
        """The ranks that are left open to it: of its set, or where a run has none of its range."""
        if self.rank_set_low is None:
            return self.rank_low, self.rank_high
        return self.rank_set_low, self.rank_set_high


@dataclass(frozen=True)
class Statement:
    """Something that a reader should know of a table: the point, and the numbers behind it."""

    point: str
    detail: str


@dataclass(frozen=True)
class Finding:
    """What a page found, in one sentence, and how to read it."""

    headline: str
    lead: str


@dataclass(frozen=True)
class BoardView:
    """A board by one source, with another source and the cells beside it.

    `models` come by rank, the ones without a rank last. Without a published run, `run` is None and the models
    are those of the pool. `reading` names another reading of the run if its models are not those of the ratings.
    `judged` is what each judge adds to people's votes.
    """

    board: BoardHead
    settings: BoardSettings
    run: RunFacts | None
    reading: str | None
    source: str
    sources: tuple[SourceRef, ...]
    beside: str | None
    finding: Finding
    models: tuple[Standing, ...]
    cells: Mapping[str, Column]
    notes: tuple[Note, ...]
    absent: Mapping[Missing, int]
    statements: tuple[Statement, ...]
    pool: int
    judged: tuple[JudgeBeside, ...] = ()

    @property
    def rated(self) -> tuple[Standing, ...]:
        """The models with a rating, by rank."""
        return tuple(model for model in self.models if model.is_rated)

    @property
    def unrated(self) -> tuple[Standing, ...]:
        """The models without one."""
        return tuple(model for model in self.models if not model.is_rated)

    @property
    def has_sets(self) -> bool:
        """Whether the ranks hold for all models at once."""
        return any(model.rank_set_low is not None for model in self.models)

    @property
    def is_by_judge(self) -> bool:
        """Whether the preferences are a judge's."""
        return any(ref.is_judge for ref in self.sources if ref.name == self.source)


@dataclass(frozen=True)
class BoardCard:
    """A board in the list of all: how much it holds, and what was found on it. `first` are its leading models."""

    board: BoardHead
    votes: int
    judgments: int
    judges: tuple[str, ...]
    models: int
    pool: int
    run: int | None
    finding: Finding
    first: tuple[Standing, ...]
