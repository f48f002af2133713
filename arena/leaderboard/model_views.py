"""What pages show of one model: where it stands on a board, how that came about, whom it met, and its cells."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.leaderboard.pair_views import PairView
from arena.leaderboard.views import BoardHead, Cell, Column, Finding, Place, Standing


@dataclass(frozen=True)
class ModelHead:
    """A model's own words; what nobody stated is None."""

    name: str
    organization: str | None
    family: str | None
    license: str | None
    decoder: Mapping[str, object] | None
    is_retired: bool
    aliases: tuple[str, ...]


@dataclass(frozen=True)
class Past:
    """What one published run said: after so many preferences, this rating."""

    run: int
    preferences: int
    rating: float
    lower: float | None
    upper: float | None


@dataclass(frozen=True)
class RankBy:
    """Where another source of the board ranks the model; None if it has no place there."""

    source: str
    place: Place | None


@dataclass(frozen=True)
class OnBoard:
    """A model on one board, by the board's first source.

    `standing` is None if no run names the model. `against` are the models it met most, by rank; `opponents` counts
    all that it met.
    """

    board: BoardHead
    run: int | None
    source: str
    standing: Standing | None
    placed: int
    shown_first: int
    battles: int
    by_others: tuple[RankBy, ...]
    history: tuple[Past, ...]
    against: tuple[PairView, ...]
    opponents: int


@dataclass(frozen=True)
class ModelView:
    """A model, on one of its boards, with all its cells."""

    model: ModelHead
    finding: Finding
    boards: tuple[BoardHead, ...]
    shown: OnBoard | None
    columns: Mapping[str, Column]
    cells: Mapping[str, Cell]
