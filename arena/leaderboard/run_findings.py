"""What a run found beside its ratings, as it was stored. A run that is older than a finding has none."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TOO_OLD = "This run is older than what is found beside ratings now. The next one has it."


@dataclass(frozen=True)
class Estimate:
    """A number of the fit with its interval."""

    estimate: float
    lower: float
    upper: float


@dataclass(frozen=True)
class VotesToFlip:
    """How many votes, were they left out, would put the lower of two neighbours above; None if no few would.

    `confirmed` says whether a fit without them did.
    """

    above: str
    below: str
    votes: int | None
    confirmed: bool


@dataclass(frozen=True)
class RunFindings:
    """What a run found beside its ratings; None or empty for what was not fitted.

    Parameters
    ----------
    half_tie_slope : float or None
        By how much half ties shrink differences beside Davidson's model: 0.7 means 70 points in place of 100.
    position : Estimate or None
        What being shown first adds, in display points.
    interval : str or None
        Where the intervals come from; `interval_rule` is what chose, if the board left the choice open.
    clusters : tuple of int
        How many voters, prompts or both the preferences come from, where intervals allow for it.
    style : mapping of str to Estimate
        What one typical difference of each feature of the answers adds, in display points.
    indistinguishable : tuple of tuple of str
        The rated models from the top in classes; no two of one class are surely in order.
    """

    tie_parameter: Estimate | None
    half_tie_slope: float | None
    position: Estimate | None
    position_absent: str | None
    position_applied: bool
    interval: str | None
    interval_rule: str | None
    clusters: tuple[int, ...]
    style: Mapping[str, Estimate]
    indistinguishable: tuple[tuple[str, ...], ...]
    votes_to_flip: tuple[VotesToFlip, ...]


def findings_of(stored: Mapping[str, Any] | None) -> RunFindings | None:
    """Return the findings of a run; None if it is older than all of them."""
    if not stored:
        return None
    return RunFindings(
        tie_parameter=_estimate(stored.get("tie_parameter")),
        half_tie_slope=stored.get("half_tie_slope"),
        position=_estimate(stored.get("position")),
        position_absent=stored.get("position_absent"),
        position_applied=bool(stored.get("position_applied")),
        interval=stored.get("interval"),
        interval_rule=stored.get("interval_rule"),
        clusters=tuple(stored.get("clusters") or ()),
        style={name: Estimate(**effect) for name, effect in (stored.get("style") or {}).items()},
        indistinguishable=tuple(map(tuple, stored.get("indistinguishable") or ())),
        votes_to_flip=tuple(map(_votes_to_flip, stored.get("votes_to_flip") or ())),
    )


def _estimate(stored: Mapping[str, float] | None) -> Estimate | None:
    if stored is None:
        return None
    return Estimate(**stored)


def _votes_to_flip(stored: Mapping[str, Any]) -> VotesToFlip:
    votes, confirmed = stored.get("votes"), bool(stored.get("confirmed"))
    return VotesToFlip(stored["above"], stored["below"], votes, confirmed)
