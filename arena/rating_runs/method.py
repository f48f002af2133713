"""Everything that decides how counts become ratings; two runs that agree in it agree in every number."""

from dataclasses import dataclass
from math import isfinite

from arena.errors import InputError
from arena.evaluation.style import FEATURES
from arena.terms import BothBad, Cluster, Interval, Ties

MOST_ROUNDS = 1_000_000


@dataclass(frozen=True)
class Method:
    """How to rate.

    Parameters
    ----------
    ties : Ties
        What a tie is worth.
    both_bad : BothBad
        Whether "both bad" is a tie or left out.
    interval : Interval
        Where the interval comes from.
    rounds : int
        How many resamples, if it is the bootstrap.
    level : float
        Its coverage, between 0 and 1.
    seed : int
        Of the resamples, 0 or more.
    anchor : (model, points) or None
        The model that stands at so many points; None puts the mean of the pool at 1000.
    position : bool
        Whether the effect of the first seat is fitted with the strengths, and so taken out of them.
    cluster : Cluster
        Which votes may go together.
    style : tuple of str
        The features of answers whose effects are taken out of the ratings.

    Raises
    ------
    InputError
        If a number is out of range.
    """

    ties: Ties = Ties.HALF
    both_bad: BothBad = BothBad.TIE
    interval: Interval = Interval.BOOTSTRAP
    rounds: int = 1000
    level: float = 0.95
    seed: int = 0
    anchor: tuple[str, float] | None = None
    position: bool = False
    cluster: Cluster = Cluster.NONE
    style: tuple[str, ...] = ()

    @property
    def reads_votes(self) -> bool:
        """Whether it needs the votes one by one; counts are enough for all else."""
        return self.cluster is not Cluster.NONE or bool(self.style)

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise InputError(f"rounds is {self.rounds}; expected 1 to {MOST_ROUNDS}.")
        if not 0 < self.level < 1:
            raise InputError(
                f"level is {self.level}; expected a share between 0 and 1, as in 0.95."
            )
        if self.seed < 0:
            raise InputError(f"seed is {self.seed}; expected 0 or more.")
        for name in self.style:
            if name not in FEATURES:
                raise InputError(
                    f"style names {name!r}; expected some of {', '.join(FEATURES)}.", feature=name
                )
        if len(set(self.style)) < len(self.style):
            raise InputError(f"style names a feature twice in {', '.join(self.style)}.")
        if self.anchor is not None and not isfinite(self.anchor[1]):
            raise InputError(f"the anchor stands at {self.anchor[1]}; expected a finite number.")
