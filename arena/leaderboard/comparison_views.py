"""What is said of two models on a board: by how much they differ, how sure that is, and what it still takes."""

from dataclasses import dataclass

from arena.leaderboard.views import BoardHead
from ranking import Decision


@dataclass(frozen=True)
class Span:
    """The ends of an interval, in points."""

    lower: float
    upper: float


@dataclass(frozen=True)
class Weighed:
    """The difference of two models by one source, in points, the second taken from the first.

    Parameters
    ----------
    once : Span
        The interval for a single look.
    watched : Span or None
        The interval that holds at every look at once; None before there is enough for one.
    further_of_pair, further_of_board : int or None
        About how many more votes decide it: all between the two, or on the whole board as they come now. 0 when
        decided; None if no number of votes does.
    """

    points: float
    once: Span
    watched: Span | None
    level: float
    decision: Decision
    further_of_pair: int | None
    further_of_board: int | None


@dataclass(frozen=True)
class SourceComparison:
    """Two models by one source; without a difference `finding` is the reason."""

    source: str
    run: int | None
    preferences: int
    difference: Weighed | None
    finding: str


@dataclass(frozen=True)
class ComparisonView:
    """Two models on a board, by each of its sources. Differences up to `margin` points do not matter."""

    board: BoardHead
    model: str
    other: str
    margin: float
    sources: tuple[SourceComparison, ...]
