"""What speaks against the ratings of a source: pairs, circles, thin leads, single voters, changes over time."""

from collections.abc import Iterator
from dataclasses import dataclass

SHOWN = 5


@dataclass(frozen=True)
class PairSurprise:
    """A pair whose battles went otherwise than its ratings say, by an error held over all pairs at once."""

    model: str
    other: str
    battles: int
    scored: float
    expected: float
    adjusted: float


@dataclass(frozen=True)
class Circle:
    """Three models that beat each other in a round more than any ratings allow, the first over the second and so on."""

    models: tuple[str, str, str]
    adjusted: float
    is_cycle: bool


@dataclass(frozen=True)
class ThinLead:
    """How many votes hold the lead of one model over the next; `flips` says whether a refit without them turned it."""

    above: str
    below: str
    points: float
    votes: int
    flips: bool


@dataclass(frozen=True)
class VoterPull:
    """A voter, by a short name, and the model that the votes move most, in points."""

    voter: str
    votes: int
    model: str
    points: float


@dataclass(frozen=True)
class Diagnosis:
    """What speaks against the ratings of one source.

    Parameters
    ----------
    models, preferences : int
        What was looked at: the rated models and the preferences among them.
    departure : float
        How far the mean scores of pairs lie from the expected ones beyond chance; 0.01 is a point in a hundred.
    goodness_p, goodness_error : float
        How often boards on which the ratings are right fit as badly, and the error of simulating so few.
    surprises : tuple of PairSurprise
    curl, curl_usual, curl_p : float or None
        The share of the log-odds that goes round triads, what chance alone makes of it, and how often it makes
        as much; None where no three models all met.
    circles : tuple of Circle
    thin_leads : tuple of ThinLead
        From the top.
    pulls : tuple of VoterPull
        The voters who move the ratings most; none for a judge.
    drifted : tuple of str
        Models that changed from month to month.
    drift_absent : str or None
        Why that could not be asked.
    """

    source: str
    models: int
    preferences: int
    departure: float
    goodness_p: float
    goodness_error: float
    surprises: tuple[PairSurprise, ...]
    curl: float | None
    curl_usual: float | None
    curl_p: float | None
    circles: tuple[Circle, ...]
    thin_leads: tuple[ThinLead, ...]
    pulls: tuple[VoterPull, ...]
    drifted: tuple[str, ...]
    drift_absent: str | None

    def sentences(self) -> Iterator[str]:
        """Yield the findings in words."""
        yield f"{self.source}: {self.models} rated models, {self.preferences:,} preferences."
        yield from self._of_pairs()
        yield from self._of_circles()
        yield from self._of_leads()
        for pull in self.pulls[:SHOWN]:
            yield f"Voter {pull.voter} moves {pull.model} by {pull.points:+.1f} points with {pull.votes} votes."
        if self.drift_absent is not None:
            yield f"Changes over time: {self.drift_absent}"
        else:
            changed = ", ".join(self.drifted) or "none"
            yield f"Models that changed from month to month, beyond chance: {changed}."

    def _of_pairs(self) -> Iterator[str]:
        yield (
            f"Pairs depart from their ratings by {100 * self.departure:.1f} in a hundred beyond chance "
            f"(p {self.goodness_p:.3f} ± {self.goodness_error:.3f})."
        )
        for pair in self.surprises[:SHOWN]:
            yield (
                f"{pair.model} scored {pair.scored:.0%} of {pair.battles} against {pair.other}, expected "
                f"{pair.expected:.0%} (p {pair.adjusted:.3f} over all pairs)."
            )

    def _of_circles(self) -> Iterator[str]:
        if self.curl is None:
            yield "No three models all met, so circles cannot show."
            return
        yield (
            f"{self.curl:.0%} of the log-odds goes round triads; chance alone makes {self.curl_usual:.0%} "
            f"(p {self.curl_p:.3f})."
        )
        for circle in self.circles[:SHOWN]:
            yield f"In a circle: {' over '.join((*circle.models, circle.models[0]))} (p {circle.adjusted:.3f})."

    def _of_leads(self) -> Iterator[str]:
        for lead in self.thin_leads[:SHOWN]:
            votes = f"{lead.votes} vote{'' if lead.votes == 1 else 's'}"
            ending = f"{votes} fewer put" if lead.flips else f"even {votes} fewer would not put"
            yield f"{lead.below} is {lead.points:.1f} points under {lead.above}; {ending} it ahead."
