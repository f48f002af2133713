"""What the votes say beside the ratings: of ties, of the seat, and of which models they cannot tell apart."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.rating_runs.judged import Judged
from arena.terms import Interval


@dataclass(frozen=True)
class Estimate:
    """A number of the fit with its interval, at the level of the method."""

    estimate: float
    lower: float
    upper: float


@dataclass(frozen=True)
class VotesToFlip:
    """How few votes hold up the lead of a model over the next below.

    `confirmed` says that a refit without them turned the order; if none does, `votes` is None.
    """

    above: str
    below: str
    votes: int | None
    confirmed: bool


@dataclass(frozen=True)
class Findings:
    """What a run found beside its ratings; None or empty for what was not fitted.

    Parameters
    ----------
    tie_parameter : Estimate or None
        Davidson's v or Rao and Kupper's r.
    half_tie_slope : float or None
        Where ties count half: by how much differences of ratings are smaller than Davidson's model, which knows
        ties as an outcome of their own, would have them; 0.7 means 70 points in place of 100.
    position : Estimate or None
        What being shown first adds, in display points.
    position_absent : str or None
        Why there is no such number.
    position_applied : bool
        Whether the effect was taken out of the ratings.
    interval : Interval or None
        Where the intervals come from, once the method's choice is made.
    interval_rule : str or None
        The rule that chose, with its numbers, if the method left the choice open.
    clusters : tuple of int
        How many voters, prompts or both the votes come from, where intervals allow for votes that go together.
    style : mapping of str to Estimate, or None
        What one typical difference of each feature adds, in display points; None if style is not fitted.
    quasi_worst : float or None
        The most that a difference's standard error is off if it is read from quasi-standard errors, as a share.
    top_chances : mapping of str to mapping of str to float
        For some k as text: how likely each rated model is among the best k of them.
    votes_to_flip : tuple of VotesToFlip
        Of each two neighbours from the top; empty where a seat effect or style is taken out.
    indistinguishable : tuple of tuple of str
        The rated models from the top in classes; no two of one class are surely in order.
    surely_above : tuple of str
        For each rated model, in the order of the covariance, whom of them it surely stands above with one error
        for all pairs: a bit each, eight to a byte, the first the highest, in hexadecimal.
    judged : tuple of Judged
        What each judge of the board adds to people's votes, by name.
    """

    tie_parameter: Estimate | None = None
    half_tie_slope: float | None = None
    position: Estimate | None = None
    position_absent: str | None = None
    position_applied: bool = False
    interval: Interval | None = None
    interval_rule: str | None = None
    clusters: tuple[int, ...] = ()
    style: Mapping[str, Estimate] | None = None
    quasi_worst: float | None = None
    top_chances: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    votes_to_flip: tuple[VotesToFlip, ...] = ()
    indistinguishable: tuple[tuple[str, ...], ...] = ()
    surely_above: tuple[str, ...] = ()
    judged: tuple[Judged, ...] = ()
