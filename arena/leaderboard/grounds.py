"""What the statements on a table are made from, and how they write numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.leaderboard.contrasts import Contrast
from arena.leaderboard.views import RunFacts, Standing
from arena.store.leaderboard import Totals
from arena.terms import Cluster


@dataclass(frozen=True)
class Grounds:
    """What the statements on one table are made from.

    `totals` counts what is on the board now; `names` are those of its models. `beside` are the ratings of the other
    source, by name, if one stands beside.
    """

    run: RunFacts
    models: Sequence[Standing]
    names: Mapping[int, str]
    totals: Totals
    prompts: int
    lead: Contrast | None
    beside: tuple[str, Mapping[str, float]] | None
    is_by_judge: bool
    is_simulated: bool
    is_other_reading: bool
    has_cells: bool

    @property
    def rated(self) -> list[Standing]:
        """The models with a rating, by rank."""
        return [model for model in self.models if model.is_rated]

    @property
    def level(self) -> float:
        """What share of intervals should hold the truth."""
        return float(str(self.run.method.get("level", 0.95)))

    def goes_by(self, way: Cluster) -> bool:
        """Whether intervals allow for preferences of one voter, or on one prompt, that go together."""
        chosen = self.run.method.get("cluster", Cluster.NONE)
        found = self.run.findings
        return chosen in {way, Cluster.BOTH} and found is not None and bool(found.clusters)

    @property
    def noun(self) -> str:
        """What a preference of this source is called, in the plural."""
        return "judgments" if self.is_by_judge else "votes"


def signed(points: float) -> str:
    """Return points with a true minus sign."""
    return f"{points:.0f}".replace("-", "−")


def ranks(low: int | None, high: int | None) -> str:
    """Return a range of ranks."""
    return f"{low}" if low == high else f"{low}–{high}"


def sentence(reason: str | None) -> str:
    """Return a reason as a sentence of its own."""
    text = (reason or "").strip()
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")


def percent(share: float) -> str:
    """Return a share in percent, with a space that does not break."""
    return f"{100 * share:.0f}\u00a0%"
