"""How sure a number of votes makes a rating: what somebody should know before the first vote."""

from dataclasses import dataclass
from math import sqrt

from ranking import POINTS_PER_LOGIT

Z95 = 1.959964
# One decided battle between equals carries a quarter of a squared logit of information.
INFORMATION = 1 / 4
LADDER = (25, 100, 400, 1600)


@dataclass(frozen=True)
class Certainty:
    """What so many votes for each model buy: half the 95 % interval in points, and the share of wins told from one half."""

    votes: int
    half_width: float
    share: float


def certainties() -> tuple[Certainty, ...]:
    """Return what a few numbers of votes buy, the widest interval first."""
    return tuple(certainty_of(votes) for votes in LADDER)


def certainty_of(votes: int) -> Certainty:
    """Return how sure a rating is after so many decided votes on a model against known equals.

    Two such models are told apart if the one is preferred in at least `share` of their battles: then their
    difference is as wide as its own half interval, which is the root of two times that of one rating.
    """
    half_width = Z95 / sqrt(votes * INFORMATION) * POINTS_PER_LOGIT
    share = 1 / (1 + 10 ** (-sqrt(2) * half_width / 400))
    return Certainty(votes, half_width, share)
