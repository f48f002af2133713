"""Models against each other: what was seen of two, and what all preferences of the board say of their difference."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy.orm import Session

from arena.leaderboard.contrasts import Contrast, Covariance, read_contrasts
from arena.leaderboard.pair_views import Difference, PairView, Share, Verdict
from arena.leaderboard.published import Published
from arena.leaderboard.tallies import Meeting, Tally, tally
from arena.leaderboard.verdicts import Verdicts, verdicts_of
from arena.store.boards import model_names
from arena.store.leaderboard import CountedSource
from arena.store.preferences import read_counts
from arena.terms import BothBad
from ranking import wilson

POINTS_PER_TENFOLD = 400


class PairOrder(StrEnum):
    """In which order the models of the matrix stand."""

    RATING = "rating"
    NAME = "name"


@dataclass(frozen=True)
class Ground:
    """The counts of a source under names, and what its newest run says of differences."""

    counts: Tally
    names: Mapping[int, str]
    ids: Mapping[str, int]
    ratings: Mapping[str, float]
    ranks: Mapping[str, int]
    covariance: Covariance | None
    verdicts: Verdicts
    rule: BothBad

    def pair(self, model: str, other: str) -> PairView:
        """Return two models against each other."""
        meeting = self.counts.meeting(self.ids[model], self.ids[other])
        return PairView(
            model=model,
            other=other,
            battles=meeting.battles,
            wins=meeting.wins,
            losses=meeting.losses,
            ties=meeting.ties,
            both_bad=meeting.both_bad,
            shown_first=meeting.shown_first,
            seen=share_of(meeting, self.rule),
            difference=self.difference(model, other),
        )

    def difference(self, model: str, other: str) -> Difference | None:
        """Return how far a model stands above another, if both are rated and their votes show a spread."""
        if self.covariance is None or not {model, other} <= self.ratings.keys():
            return None
        found = self.covariance.contrast((model, self.ratings[model]), (other, self.ratings[other]))
        return None if found is None else difference_of(found, self.verdicts.of(model, other))

    def by_place(self, order: PairOrder) -> list[str]:
        """Return all models, by rank and then by name, or by name alone."""
        last = len(self.names) + 1
        if order is PairOrder.NAME:
            return sorted(self.names.values(), key=str.casefold)
        return sorted(self.names.values(), key=lambda name: (self.ranks.get(name, last), name))


def lay_ground(
    session: Session, source: CountedSource, published: Published | None, rule: BothBad
) -> Ground:
    """Return the counts of a source under names, with the ratings of its run."""
    counts = tally(read_counts(session, source.source))
    names = model_names(session, set(counts.battles))
    rated = published.ratings if published else ()
    run = published.run if published else None
    placed = (run.covariance_models or {}).get("models", ()) if run else ()
    return Ground(
        counts=counts,
        names=names,
        ids={name: model for model, name in names.items()},
        ratings={model.name: row.rating for row, model in rated if row.rating is not None},
        ranks={model.name: row.rank for row, model in rated if row.rank is not None},
        covariance=read_contrasts(session, run) if run else None,
        verdicts=verdicts_of(run.findings if run else None, placed),
        rule=rule,
    )


def share_of(meeting: Meeting, rule: BothBad) -> Share | None:
    """Return the share of their rated battles that the first won, ties half, with the Wilson interval."""
    bad = 0 if rule is BothBad.EXCLUDE else meeting.both_bad
    rated = meeting.wins + meeting.losses + meeting.ties + bad
    if not rated:
        return None
    points = meeting.wins + (meeting.ties + bad) / 2
    return Share(points / rated, *wilson(points, rated))


def difference_of(contrast: Contrast, verdict: Verdict) -> Difference:
    """Return a contrast with the share that it makes us expect, and what is sure of it among all pairs."""
    ends = (contrast.difference, contrast.lower, contrast.upper)
    expected = Share(*(expected_share(end) for end in ends))
    return Difference(*ends, contrast.p, expected, verdict)


def expected_share(points: float) -> float:
    """Return how often a model that many points above another is preferred to it."""
    return float(1 / (1 + 10 ** (-points / POINTS_PER_TENFOLD)))
