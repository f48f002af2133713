"""The numbers of the models that can be rated together, in logits."""

from dataclasses import dataclass

from arena.rating_runs.certainty import Certainty, find_certainty
from arena.rating_runs.fitted import Fitted, Rows
from arena.rating_runs.intervals import Intervals, find_intervals
from arena.rating_runs.method import Method
from arena.terms import Ties
from ranking import (
    Battles,
    Clustered,
    Covariates,
    Fit,
    StyleColumns,
    TieModel,
    clustered,
    fit,
    sandwich,
)
from ranking.battles import Floats


@dataclass(frozen=True, eq=False)
class Solution:
    """The fit of connected battles, its covariance and its intervals.

    Parameters
    ----------
    battles : Battles
        What was fitted, the seats kept.
    covariance : (m + p, m + p) float64
        Of the strengths and the further parameters.
    """

    battles: Battles
    fit: Fit
    covariance: Floats
    intervals: Intervals
    certainty: Certainty
    clusters: Clustered | None
    style: StyleColumns | None = None

    @property
    def covariates(self) -> Covariates | None:
        """The columns of the fit beside the models, if there are any."""
        return None if self.style is None else self.style.covariates

    @property
    def constant(self) -> tuple[str, ...]:
        """The features of style that never differ and so have no effect."""
        return () if self.style is None else self.style.constant

    @property
    def of_strengths(self) -> Floats:
        """The covariance of the strengths alone, (m, m)."""
        m = self.battles.n_models
        return self.covariance[:m, :m]

    @property
    def rounds_degenerate(self) -> int | None:
        """How many resamples lack a strength for some model, if there were resamples."""
        draws = self.intervals.draws
        return None if draws is None else draws.degenerate


def solve(battles: Battles, method: Method, rows: Rows | None = None) -> Solution:
    """Return the numbers of connected battles by the method.

    Without a seat effect and with half ties the seats do not matter, and half as many cells are read. Rows are
    the same battles one by one, for a method that reads them so.
    """
    covariates = None if rows is None else rows.covariates
    if covariates is not None and rows is not None:
        battles = rows.battles
    ties = tie_model_of(battles, method)
    is_plain = ties is TieModel.HALF and not method.position and covariates is None
    read = battles.paired() if is_plain else battles
    found = fit(read, ties=ties, position=method.position, covariates=covariates)
    clusters = None
    if rows is not None and rows.is_clustered:
        clusters = clustered(rows.battles, found, rows.ways, covariates=covariates)
    covariance = sandwich(read, found, covariates) if clusters is None else clusters.covariance
    intervals = find_intervals(Fitted(read, found, covariance, clusters, rows), method)
    certainty = find_certainty(found.strength, covariance, intervals, method)
    style = None if rows is None else rows.style
    return Solution(battles, found, covariance, intervals, certainty, clusters, style)


def tie_model_of(battles: Battles, method: Method) -> TieModel:
    """Return the model of ties; without ties, or with nothing else, all three are half ties."""
    is_tie = battles.score == 0.5
    if method.ties is Ties.HALF or is_tie.all() or not is_tie.any():
        return TieModel.HALF
    return TieModel(method.ties.value)
