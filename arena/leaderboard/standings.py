"""The models of a board as its table has them: rated or not, with another source's ranks and the cells beside."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from arena.errors import InputError
from arena.leaderboard.views import Cell, Column, Place, Standing
from arena.store.tables import ModelRow, RatingRow, RatingViewRow
from arena.terms import BothBad, Direction, RatingStatus

NO_VOTES = "no votes yet"
NO_RANK = 10**9


class Sort(StrEnum):
    """What the models can be ordered by, beside the columns of cells."""

    RATING = "rating"
    NAME = "name"
    VOTES = "votes"
    BESIDE = "beside"


# After them, models stand by rank and then by name.
ORDERS: Mapping[Sort, Callable[[Standing], int | str]] = {
    Sort.RATING: lambda _: 0,
    Sort.NAME: lambda model: model.model.casefold(),
    Sort.VOTES: lambda model: -model.battles,
    Sort.BESIDE: lambda model: model.beside.rank if model.beside else NO_RANK,
}


@dataclass(frozen=True)
class Beside:
    """What stands beside a rating, by the model's number."""

    places: Mapping[int, Place]
    cells: Mapping[int, Mapping[str, Cell]]


def place_of(rating: RatingRow) -> Place | None:
    """Return where a rated model stands, for the table of another source; what has no bound has no place there."""
    if rating.status != RatingStatus.RATED or rating.rank is None:
        return None
    return Place(
        rank=rating.rank,
        rank_low=rating.rank_low or rating.rank,
        rank_high=rating.rank_high or rating.rank,
        rank_set_low=rating.rank_set_low,
        rank_set_high=rating.rank_set_high,
    )


def standing_of(rating: RatingRow, model: ModelRow, beside: Beside, rule: BothBad) -> Standing:
    """Return one model of a published run."""
    return Standing(
        model=model.name,
        organization=model.organization,
        is_retired=model.retired_at is not None,
        status=RatingStatus(rating.status),
        reason=rating.reason,
        rating=rating.rating,
        lower=rating.lower,
        upper=rating.upper,
        rank=rating.rank,
        rank_low=rating.rank_low,
        rank_high=rating.rank_high,
        rank_set_low=rating.rank_set_low,
        rank_set_high=rating.rank_set_high,
        chance_best=rating.chance_best,
        battles=rating.battles,
        wins=rating.wins,
        losses=rating.losses,
        ties=rating.ties,
        both_bad=rating.both_bad,
        share_won=share_won(rating, rule),
        beside=beside.places.get(model.id),
        cells=beside.cells.get(model.id, {}),
    )


def standing_in(reading: RatingViewRow, model: ModelRow, beside: Beside) -> Standing:
    """Return one model by another reading of a run, of which only the numbers are kept."""
    return Standing(
        model=model.name,
        organization=model.organization,
        is_retired=model.retired_at is not None,
        status=RatingStatus(reading.status),
        reason=reading.reason,
        rating=reading.rating,
        lower=reading.lower,
        upper=reading.upper,
        rank=reading.rank,
        rank_low=reading.rank_low,
        rank_high=reading.rank_high,
        rank_set_low=None,
        rank_set_high=None,
        chance_best=None,
        battles=reading.battles,
        wins=None,
        losses=None,
        ties=None,
        both_bad=None,
        share_won=None,
        beside=beside.places.get(model.id),
        cells=beside.cells.get(model.id, {}),
    )


def waiting_model(model: ModelRow, beside: Beside) -> Standing:
    """Return a model of the pool that no counted vote names: never ranked."""
    return Standing(
        model=model.name,
        organization=model.organization,
        is_retired=model.retired_at is not None,
        status=RatingStatus.DISCONNECTED,
        reason=NO_VOTES,
        rating=None,
        lower=None,
        upper=None,
        rank=None,
        rank_low=None,
        rank_high=None,
        rank_set_low=None,
        rank_set_high=None,
        chance_best=None,
        battles=0,
        wins=0,
        losses=0,
        ties=0,
        both_bad=0,
        share_won=None,
        beside=beside.places.get(model.id),
        cells=beside.cells.get(model.id, {}),
    )


def share_won(rating: RatingRow, rule: BothBad) -> float | None:
    """Return the share of a model's rated battles that it won, ties half; None if none was rated."""
    bad = 0 if rule is BothBad.EXCLUDE else rating.both_bad
    rated = rating.wins + rating.losses + rating.ties + bad
    return (rating.wins + (rating.ties + bad) / 2) / rated if rated else None


def sort_models(
    models: Iterable[Standing], by: str, columns: Mapping[str, Column]
) -> tuple[Standing, ...]:
    """Return the models in the order that was asked for; the ones without the number asked for come last.

    Raises
    ------
    InputError
        If there is no such order, or no such column of cells.
    """
    by_rank = sorted(models, key=lambda model: (model.rank or NO_RANK, model.model))
    if by in ORDERS:
        return tuple(sorted(by_rank, key=ORDERS[Sort(by)]))
    if by not in columns:
        known = ", ".join([*Sort, *columns])
        raise InputError(f"Models cannot be sorted by {by!r}. They can be by: {known}.")
    sign = 1 if columns[by].direction is Direction.LOWER else -1
    return tuple(sorted(by_rank, key=lambda model: _cell_order(model.cells.get(by), sign)))


def _cell_order(cell: Cell | None, sign: int) -> tuple[bool, float]:
    value = None if cell is None else cell.value
    return value is None, sign * (value or 0.0)
