"""The numbers of the models that can be rated together, in logits."""

from dataclasses import dataclass

from arena.rating_runs.intervals import Intervals, find_intervals
from arena.rating_runs.method import Method
from ranking import Battles, Fit, fit, sandwich
from ranking.battles import Floats


@dataclass(frozen=True, eq=False)
class Solution:
    """The fit of connected battles, its covariance and its intervals."""

    fit: Fit
    covariance: Floats
    intervals: Intervals

    @property
    def rounds_degenerate(self) -> int | None:
        """How many resamples lack a strength for some model, if there were resamples."""
        draws = self.intervals.draws
        return None if draws is None else draws.degenerate


def solve(battles: Battles, method: Method) -> Solution:
    """Return the numbers of connected battles by the method."""
    found = fit(battles)
    covariance = sandwich(battles, found)
    return Solution(found, covariance, find_intervals(battles, found, covariance, method))
