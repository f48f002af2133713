"""What a run found of one judge beside people: how far it could be used, and what it was worth."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Judged:
    """One judge of the board; a number that there is not is None, and `absent` says why.

    Parameters
    ----------
    judge : str
        Its name.
    both : int
        How many battles people and the judge decided, among the rated models.
    judge_only : int
        How many only the judge decided.
    one_order : int
        Of all these, how many it decided by readings in one order alone.
    share : float or None
        How much of the judge is used, 0 to 1: lambda in the paper.
    human_votes : int or None
        How many battles people decided.
    worth : float or None
        How many further human votes would have narrowed the intervals as the judge did.
    absent : str or None
        Why people and the judge are not combined.
    alone_absent : str or None
        Why there is no rating by the judge alone, where there is a combined one.
    """

    judge: str
    both: int = 0
    judge_only: int = 0
    one_order: int = 0
    share: float | None = None
    human_votes: int | None = None
    worth: float | None = None
    absent: str | None = None
    alone_absent: str | None = None
