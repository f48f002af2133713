"""The nouns of judging: who judged, what one reading said, and how it ended."""

import hashlib
import json
from dataclasses import asdict, dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Which answer a judge preferred, by the place in which it read them."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"

    def turned(self) -> "Verdict":
        """Return the same preference for the two answers read the other way round."""
        return {Verdict.FIRST: Verdict.SECOND, Verdict.SECOND: Verdict.FIRST}.get(self, self)


class Order(StrEnum):
    """Whether the answers were read as the battle has them, or the other way round."""

    STRAIGHT = "straight"
    SWAPPED = "swapped"


class Status(StrEnum):
    """How a reading ended. Only `ok` has a verdict; nothing else ever becomes one."""

    OK = "ok"
    UNPARSED = "unparsed"
    AMBIGUOUS = "ambiguous"
    EMPTY = "empty"


@dataclass(frozen=True)
class Decoder:
    """The model behind a judge and how its text is drawn; `budget` is in tokens."""

    model: str
    temperature: float
    seed: int
    budget: int

    @property
    def digest(self) -> str:
        """The SHA-256 of the decoder's settings, in hex."""
        return _sha256(json.dumps(asdict(self), sort_keys=True))


@dataclass(frozen=True)
class Judge:
    """A template and a decoder under a name. Change either and it is another judge."""

    name: str
    template: str
    decoder: Decoder

    @property
    def template_digest(self) -> str:
        """The SHA-256 of the template, in hex."""
        return _sha256(self.template)


@dataclass(frozen=True)
class Judgment:
    """One reading of one battle in one order.

    Raises
    ------
    ValueError
        If there is a verdict without the status `ok`, or `ok` without a verdict.
    """

    order: Order
    status: Status
    raw: str
    verdict: Verdict | None = None

    def __post_init__(self) -> None:
        if (self.status is Status.OK) != (self.verdict is not None):
            raise ValueError(
                f"status is {self.status.value!r} with the verdict {self.verdict}; "
                "expected a verdict exactly when the status is 'ok'"
            )

    @property
    def straightened(self) -> Verdict | None:
        """The verdict as if the battle had been read in the straight order."""
        if self.verdict is None or self.order is Order.STRAIGHT:
            return self.verdict
        return self.verdict.turned()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
