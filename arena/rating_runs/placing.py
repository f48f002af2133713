"""Where each model stands: its rank and its points, or the reason for having none."""

from dataclasses import asdict, dataclass

import numpy as np

from arena.rating_runs.method import Method
from arena.rating_runs.records import Record
from arena.rating_runs.solution import Solution
from arena.rating_runs.table import ModelRating
from arena.terms import BothBad, RatingStatus
from ranking import POINTS_PER_LOGIT, Scale, Split, competition_ranks, rank_intervals

NO_VOTES = "no votes yet"
ONLY_LEFT_OUT = 'only votes of "both bad", which are left out here'
NOT_JOINED = "no chain of results places it over or under the rated models"
NOT_IN_ORDER = "no chain of results places it in the order of the others"
ONLY_ORDER = (
    "no two models here have each scored against the other, directly or through others: "
    "the votes give an order and no distances"
)
REASONS = {
    RatingStatus.UNBOUNDED_ABOVE: (
        "never lost to or tied with the rated models, directly or through others: "
        "no finite rating is high enough"
    ),
    RatingStatus.UNBOUNDED_BELOW: (
        "never beat or tied with the rated models, directly or through others: "
        "no finite rating is low enough"
    ),
    RatingStatus.DISCONNECTED: NOT_JOINED,
}


@dataclass(frozen=True)
class Points:
    """What is known of one model's strength; None for what is not."""

    strength: float | None = None
    rating: float | None = None
    lower: float | None = None
    upper: float | None = None
    quasi_error: float | None = None


@dataclass(frozen=True)
class Place:
    """The rank of one model and how far it can be trusted; None for a model outside the order."""

    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    rank_set_low: int | None = None
    rank_set_high: int | None = None
    chance_best: float | None = None


@dataclass(frozen=True)
class Standing:
    """Whether a model is rated, and if not, why."""

    status: RatingStatus
    reason: str | None = None


def find_points(split: Split, solution: Solution | None, scale: Scale) -> dict[int, Points]:
    """Return the points of every rated model."""
    if solution is None:
        return {}
    strength, quasi = solution.fit.strength, solution.certainty.quasi
    errors = None if quasi is None else quasi.errors
    columns = (
        strength,
        scale.rating(strength),
        scale.rating(solution.intervals.lower),
        scale.rating(solution.intervals.upper),
        np.full(len(strength), np.nan) if errors is None else POINTS_PER_LOGIT * errors,
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {
        model: Points(*(number if np.isfinite(number) else None for number in row))
        for model, row in zip(split.rated.tolist(), rows, strict=True)
    }


def find_places(split: Split, solution: Solution | None) -> dict[int, Place]:
    """Return the place of every model that has one.

    An unbounded model stands over or under the rated ones by the longest chain of results between; models
    with chains of one length share a place. What its votes do not bound, its rank range does not either,
    and in the sets that hold for all it may stand anywhere.
    """
    ordered = np.concatenate([split.rated, split.above, split.below])
    rated = slice(0, len(split.rated))
    rank = competition_ranks(split.height[ordered].astype(np.float64))
    lower, upper = np.full(len(ordered), -np.inf), np.full(len(ordered), np.inf)
    if solution is not None:
        rank[rated] += competition_ranks(solution.fit.strength) - 1
        lower[rated], upper[rated] = solution.intervals.lower, solution.intervals.upper
    low, high = rank_intervals(lower, upper)
    set_low, set_high = np.ones_like(low), np.full_like(high, len(ordered))
    best: list[float | None] = [None] * len(ordered)
    if solution is not None:
        above = solution.certainty.above
        set_low[rated], set_high[rated] = 1 + above.sum(0), len(ordered) - above.sum(1)
        best[rated] = solution.certainty.chance_best
    columns = (each.tolist() for each in (ordered, rank, low, high, set_low, set_high))
    return {model: Place(*row) for model, *row in zip(*columns, best, strict=True)}


def find_standings(
    records: tuple[Record, ...], split: Split, method: Method
) -> tuple[Standing, ...]:
    """Return of every model whether it is rated, and if not, the reason."""
    standings = [Standing(RatingStatus.RATED)] * len(records)
    for status, models in (
        (RatingStatus.UNBOUNDED_ABOVE, split.above),
        (RatingStatus.UNBOUNDED_BELOW, split.below),
        (RatingStatus.DISCONNECTED, split.apart),
    ):
        for model in models:
            reason = _reason(status, records[model], split, method)
            standings[model] = Standing(status, reason)
    return tuple(standings)


def _reason(status: RatingStatus, record: Record, split: Split, method: Method) -> str:
    if record.battles == 0:
        return NO_VOTES
    if method.both_bad is BothBad.EXCLUDE and record.battles == record.both_bad:
        return ONLY_LEFT_OUT
    if len(split.rated) == 0:
        return ONLY_ORDER if status is not RatingStatus.DISCONNECTED else NOT_IN_ORDER
    return REASONS[status]


def join_models(
    names: tuple[str, ...],
    records: tuple[Record, ...],
    standings: tuple[Standing, ...],
    *,
    points: dict[int, Points],
    places: dict[int, Place],
) -> tuple[ModelRating, ...]:
    """Return the rows of the table: by rank, then by name, the models without a rank last."""
    rows = [
        ModelRating(
            model=name,
            battles=records[model].battles,
            **asdict(points.get(model, Points())),
            **asdict(places.get(model, Place())),
            **asdict(records[model]),
            **asdict(standings[model]),
        )
        for model, name in enumerate(names)
    ]
    return tuple(sorted(rows, key=lambda row: (row.rank or len(rows) + 1, row.model)))
