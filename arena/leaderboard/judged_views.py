"""What pages and their JSON twins show of people and a judge together: three readings of one model side by side."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """A rating by one of the three, with its interval and where that leaves the model."""

    rating: float
    lower: float | None
    upper: float | None
    rank_low: int | None
    rank_high: int | None


@dataclass(frozen=True)
class ReadThreeWays:
    """One rated model by people alone, by the judge alone, and by both; the judge alone may not rate it."""

    model: str
    people: Reading
    judge: Reading | None
    together: Reading


@dataclass(frozen=True)
class JudgeBeside:
    """What one judge adds to people's votes; without a combination, `absent` says why.

    Parameters
    ----------
    both, judge_only, one_order : int
        Battles that people and the judge decided, that only the judge did, and of all these those that it was
        read on in one order alone.
    share : float or None
        How much of the judge is used, 0 to 1.
    worth : float or None
        How many further human votes would have narrowed the intervals as much.
    alone_absent : str or None
        Why the judge alone rates nothing, where there is a combination.
    models : tuple of ReadThreeWays
        By rank of the combination, then by name.
    """

    judge: str
    both: int
    judge_only: int
    one_order: int
    share: float | None
    human_votes: int | None
    worth: float | None
    absent: str | None
    alone_absent: str | None
    models: tuple[ReadThreeWays, ...]
