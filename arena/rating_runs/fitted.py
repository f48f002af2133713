"""A fit with what it was fitted to: counts, and the same votes one by one where they are read so."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ranking import Battles, Clustered, Covariates, Fit, StyleColumns
from ranking.battles import Floats


@dataclass(frozen=True, eq=False)
class Rows:
    """Rated votes one by one.

    Parameters
    ----------
    battles : Battles
        n rows of one vote each.
    ways : list of (n,) int64
        Which rows may go together: by voter, by prompt, or by both.
    style : StyleColumns or None
        How the answers of each row differ, if that is fitted.
    """

    battles: Battles
    ways: list[NDArray[np.int64]]
    style: StyleColumns | None = None

    @property
    def covariates(self) -> Covariates | None:
        """The columns of a fit, if there are any."""
        return None if self.style is None else self.style.covariates

    @property
    def is_clustered(self) -> bool:
        """Whether there are ways, and each has two clusters at least."""
        return bool(self.ways) and all((way != way[0]).any() for way in self.ways if len(way))


@dataclass(frozen=True, eq=False)
class Fitted:
    """What intervals are found from.

    Parameters
    ----------
    battles : Battles
        What was fitted, as counts.
    fit : Fit
        With p further parameters.
    covariance : (m + p, m + p) float64
        Robust to clusters, where there are any.
    clusters : Clustered or None
    rows : Rows or None
        The same battles one by one.
    """

    battles: Battles
    fit: Fit
    covariance: Floats
    clusters: Clustered | None
    rows: Rows | None

    @property
    def has_columns(self) -> bool:
        """Whether it is a fit of single votes with columns of their own."""
        return self.rows is not None and self.rows.style is not None

    @property
    def ways(self) -> list[NDArray[np.int64]]:
        """Which rows go together; empty where votes are taken as independent."""
        return [] if self.clusters is None or self.rows is None else self.rows.ways
