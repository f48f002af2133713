"""A judge of known taste: its skill, its bias and its failures are what the script says."""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judges.asking import Reply, Request
from judges.errors import UnknownAnswerError
from judges.record import Verdict

REASON = {
    Verdict.FIRST: "The first answer serves the question better.",
    Verdict.SECOND: "The second answer serves the question better.",
    Verdict.TIE: "I see nothing between the two answers.",
}
LOST_THREAD = "Both answers have their merits, and much could be said about either."


@dataclass(frozen=True)
class ScriptedJudge:
    """An asker that draws each verdict from a known law, the same whenever it is asked again.

    With d the lead of the first answer plus the bias, the odds of first, second and tie are
    exp(d / 2), exp(-d / 2) and `tie_weight`.

    Parameters
    ----------
    skill : Mapping[str, float]
        What the judge thinks of each answer, by the answer's text, in logits.
    position_bias : float
        What standing first is worth, in logits; below 0 it prefers the second.
    tie_weight : float
        The odds of a tie between equals are tie_weight to 2; at least 0.
    failure_rate : float
        The share of replies without a verdict, 0 to 1.
    seed : int
        Two judges with other seeds draw apart.

    Raises
    ------
    ValueError
        If tie_weight is negative, or failure_rate is not a share.

    Source
    ------
    Davidson (1970), "On extending the Bradley-Terry model to accommodate ties in paired comparison
    experiments", JASA 65.
    """

    skill: Mapping[str, float]
    position_bias: float = 0.0
    tie_weight: float = 0.5
    failure_rate: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.tie_weight < 0:
            raise ValueError(f"tie_weight is {self.tie_weight}; expected 0 or more")
        if not 0 <= self.failure_rate <= 1:
            raise ValueError(f"failure_rate is {self.failure_rate}; expected a share, 0 to 1")

    def ask(self, requests: Sequence[Request]) -> Iterator[Reply]:
        """Yield one reply a request, in the order of the requests."""
        for request in requests:
            yield Reply(request, self._text(request))

    def _text(self, request: Request) -> str:
        if self._uniform(request, "failure") < self.failure_rate:
            return LOST_THREAD
        verdict = self._verdict(request)
        return f"{REASON[verdict]}\n[[{verdict.value}]]"

    def _verdict(self, request: Request) -> Verdict:
        lead = self._skill(request, request.first) - self._skill(request, request.second)
        lead += self.position_bias
        odds = {
            Verdict.FIRST: math.exp(lead / 2),
            Verdict.TIE: self.tie_weight,
            Verdict.SECOND: math.exp(-lead / 2),
        }
        mark = self._uniform(request, "verdict") * sum(odds.values())
        if mark < odds[Verdict.FIRST]:
            return Verdict.FIRST
        if mark < odds[Verdict.FIRST] + odds[Verdict.TIE]:
            return Verdict.TIE
        return Verdict.SECOND

    def _skill(self, request: Request, answer: str) -> float:
        try:
            return self.skill[answer]
        except KeyError:
            raise UnknownAnswerError(request.item, answer) from None

    def _uniform(self, request: Request, purpose: str) -> float:
        """Return a number in [0, 1) that depends on nothing but its arguments and the seed."""
        key = "\0".join((str(self.seed), request.item, request.order, purpose))
        return int.from_bytes(hashlib.sha256(key.encode()).digest()[:6], "big") / 2**48
