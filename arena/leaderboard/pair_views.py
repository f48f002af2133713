"""What pages show of pairs: who met whom how often, and two models against each other."""

from dataclasses import dataclass
from enum import StrEnum

from arena.leaderboard.views import BoardHead, Finding, SourceRef


class Verdict(StrEnum):
    """What one look at all pairs of a board together settles of two of its models."""

    ABOVE = "above"
    BELOW = "below"
    OPEN = "open"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Share:
    """A share with its interval; `lower` and `upper` are None where there is no spread to estimate it from."""

    value: float
    lower: float | None
    upper: float | None


@dataclass(frozen=True)
class Difference:
    """How many points one model stands above another by all preferences of the board, and how sure that is.

    The interval and `p` are of this pair alone. `surely` is what holds with one error for all pairs of the board
    together: whether the first stands above or below the second, or neither is settled; unknown of older runs.
    """

    points: float
    lower: float
    upper: float
    p: float
    expected: Share
    surely: Verdict


@dataclass(frozen=True)
class PairView:
    """Two models against each other, seen from the first. `seen` is the share that it won, ties half."""

    model: str
    other: str
    battles: int
    wins: int
    losses: int
    ties: int
    both_bad: int
    shown_first: int
    seen: Share | None
    difference: Difference | None


@dataclass(frozen=True)
class Support:
    """How many pairs have so many battles, `most` None for no end."""

    least: int
    most: int | None
    pairs: int


@dataclass(frozen=True)
class Joints:
    """How the pairs of a board hang together.

    `groups` are the models that battles join in any way, the largest first. `told_apart` is the share of rated
    pairs whose difference is sure, each pair by itself; `settled` the share with one error for all; `fewest_opponents` a model and how many it met; `most_battles` a model and its
    share of all battles.
    """

    finding: Finding
    groups: tuple[tuple[str, ...], ...]
    all_pairs: int
    met: int
    support: tuple[Support, ...]
    median_battles: float | None
    fewest_opponents: tuple[str, int] | None
    most_battles: tuple[str, float] | None
    told_apart: float | None
    settled: float | None


@dataclass(frozen=True)
class PairsView:
    """Who met whom on a board, by one source.

    `squares` has a row and a column for each of `models`; None stands where a model would meet itself.
    `pairs` are all pairs of the board that met, if they were asked for.
    """

    board: BoardHead
    run: int | None
    source: str
    sources: tuple[SourceRef, ...]
    models: tuple[str, ...]
    squares: tuple[tuple[PairView | None, ...], ...]
    chosen: PairView | None
    all_models: tuple[str, ...]
    pairs: tuple[PairView, ...]
    joints: Joints
