"""arena-rank's calls: `PairDataset.from_pandas(table)`, `BradleyTerry(n).compute_ratings_and_cis(dataset)`.

    from ranking.adapters.arena_rank import BradleyTerry, PairDataset

Differences: a label that is not an outcome is refused instead of taken for a tie; islands and undefeated models are
refused by name; the covariance is exact, also for a model with few battles among many; nothing is forked; a
table is anything that gives a column for a name. There is no `reweighted`: weights of pairs that are no counts
have another covariance.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypedDict

import numpy as np
from scipy.special import ndtri

from ranking.adapters.columns import Labelled, labelled, scores_of
from ranking.battles import Floats
from ranking.bootstrap import bootstrap
from ranking.fitting import fit
from ranking.sandwich import sandwich

OUTCOMES: Mapping[Hashable, float] = {
    "model_a": 1.0,
    "model_b": 0.0,
    "tie": 0.5,
    "both_bad": 0.5,
    "tie (bothbad)": 0.5,
}
METHODS = ("sandwich", "bootstrap")


class Table(Protocol):
    """A column for a name: a data frame of pandas or polars, or a dict of lists."""

    def __getitem__(self, name: str, /) -> Any:
        """Return the column."""


class Ratings(TypedDict):
    """What arena-rank answers, by competitor in order: points, ends of the interval, points squared."""

    competitors: list[Hashable]
    ratings: Floats
    rating_lower: Floats
    rating_upper: Floats
    variances: Floats


@dataclass(frozen=True, eq=False)
class PairDataset:
    """Battles with the names of the competitors, which are in ascending order."""

    content: Labelled

    @property
    def competitors(self) -> list[Hashable]:
        """The names, by number."""
        return list(self.content.labels)

    @property
    def n_competitors(self) -> int:
        """How many there are."""
        return len(self.content.labels)

    @staticmethod
    def from_pandas(
        df: Table,
        *,
        competitor_cols: tuple[str, str] | list[str] = ("model_a", "model_b"),
        outcome_col: str = "winner",
        outcomes: Mapping[Hashable, float] = OUTCOMES,
    ) -> "PairDataset":
        """Return the battles of a table.

        Parameters
        ----------
        outcomes : mapping
            What the first competitor scores for each label: 1, 0.5 or 0.

        Raises
        ------
        ValueError, NotConnectedError
            As `ranking.adapters.columns`.
        """
        firsts, seconds = (list(df[name]) for name in competitor_cols)
        names = sorted({*firsts, *seconds}, key=str)
        scores = scores_of(list(df[outcome_col]), outcomes)
        return PairDataset(labelled(firsts, seconds, scores, labels=names))


@dataclass(frozen=True)
class BradleyTerry:
    """A fit with ties as half a win; `scale` points are a factor of `base` in the odds."""

    n_competitors: int
    scale: float = 400.0
    base: float = 10.0
    init_rating: float = 1000.0

    def compute_ratings_and_cis(
        self,
        dataset: PairDataset,
        *,
        significance_level: float = 0.05,
        ci_method: str = "sandwich",
        num_bootstrap: int = 1000,
        seed: int = 42,
        n_jobs: int = 1,
    ) -> Ratings:
        """Return ratings with intervals; their mean is `init_rating`.

        Parameters
        ----------
        significance_level : float
            What the interval leaves out, both sides together.
        ci_method : str
            "sandwich", or "bootstrap" with `num_bootstrap` rounds on `n_jobs` threads.

        Raises
        ------
        ValueError
            If the dataset has another number of competitors, or the method is none of the two.
        """
        if dataset.n_competitors != self.n_competitors:
            raise ValueError(
                f"the dataset has {dataset.n_competitors} competitors; expected {self.n_competitors}"
            )
        battles = dataset.content.battles
        found = fit(battles)
        match ci_method:
            case "sandwich":
                variance = sandwich(battles, found).diagonal()
                reach = ndtri(1 - significance_level / 2) * np.sqrt(variance)
                lower, upper = found.strength - reach, found.strength + reach
            case "bootstrap":
                draws = bootstrap(battles, found, rounds=num_bootstrap, seed=seed, threads=n_jobs)
                lower, upper = draws.percentiles(1 - significance_level)
                variance = np.var(draws.strength, axis=0, where=draws.identified)
            case _:
                raise ValueError(f"ci_method is {ci_method!r}; expected one of {METHODS}")
        points = self.scale / np.log(self.base)
        return Ratings(
            competitors=dataset.competitors,
            ratings=self.init_rating + points * found.strength,
            rating_lower=self.init_rating + points * lower,
            rating_upper=self.init_rating + points * upper,
            variances=points**2 * variance,
        )
