"""How often who met whom and how it ended, from the counts of a source."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from arena.store.preferences import CountRow
from arena.terms import Outcome


@dataclass(frozen=True)
class Meeting:
    """What two models have behind them, seen from the first of the pair; `shown_first` is how often it was."""

    wins: int = 0
    losses: int = 0
    ties: int = 0
    both_bad: int = 0
    shown_first: int = 0

    @property
    def battles(self) -> int:
        """How often they met."""
        return self.wins + self.losses + self.ties + self.both_bad

    @property
    def points(self) -> float:
        """What the first of the pair won, ties and "both bad" half."""
        return self.wins + (self.ties + self.both_bad) / 2

    def mirrored(self) -> "Meeting":
        """Return the same meetings seen from the other side."""
        shown = self.battles - self.shown_first
        return Meeting(self.losses, self.wins, self.ties, self.both_bad, shown)


@dataclass(frozen=True)
class Tally:
    """The counts of a source: by pair (smaller number first), by outcome as shown, and by model."""

    pairs: dict[tuple[int, int], Meeting]
    outcomes: Counter[str]
    battles: Counter[int]
    shown_first: Counter[int]

    @property
    def total(self) -> int:
        """How many preferences there are."""
        return self.outcomes.total()

    def meeting(self, model: int, other: int) -> Meeting:
        """Return what two models have behind them, seen from the first named."""
        if model < other:
            return self.pairs.get((model, other), Meeting())
        return self.pairs.get((other, model), Meeting()).mirrored()


def tally(rows: Iterable[CountRow]) -> Tally:
    """Return the counts, added up."""
    found: dict[tuple[int, int], Counter[str]] = {}
    outcomes: Counter[str] = Counter()
    battles: Counter[int] = Counter()
    shown_first: Counter[int] = Counter()
    for row in rows:
        outcomes[row.outcome] += row.n
        battles[row.first_model_id] += row.n
        battles[row.second_model_id] += row.n
        shown_first[row.first_model_id] += row.n
        pair, seen = oriented(row)
        found.setdefault(pair, Counter())[seen] += row.n
        found[pair]["first"] += row.n * (pair[0] == row.first_model_id)
    return Tally(
        {pair: meeting_of(counts) for pair, counts in found.items()}, outcomes, battles, shown_first
    )


def oriented(row: CountRow) -> tuple[tuple[int, int], str]:
    """Return the pair with the smaller number first, and the outcome as that one sees it."""
    first, second, outcome = row.first_model_id, row.second_model_id, Outcome(row.outcome)
    if first < second:
        return (first, second), outcome
    return (second, first), outcome.mirrored()


def meeting_of(counts: Counter[str]) -> Meeting:
    """Return the counts of a pair under their names."""
    return Meeting(
        wins=counts[Outcome.A],
        losses=counts[Outcome.B],
        ties=counts[Outcome.TIE],
        both_bad=counts[Outcome.BOTH_BAD],
        shown_first=counts["first"],
    )
