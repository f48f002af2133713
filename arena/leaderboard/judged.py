"""Read what a run of people's votes says of the judges beside them."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from arena.leaderboard.judged_views import JudgeBeside, Reading, ReadThreeWays
from arena.leaderboard.published import Published
from arena.store import leaderboard as rows
from arena.store.tables import RatingRow, RatingViewRow

TOGETHER = "human and judge: {judge}"
ALONE = "judge: {judge}"


def read_judged(
    session: Session, published: Published | None, contains: str
) -> tuple[JudgeBeside, ...]:
    """Return what each judge adds in a run, of the models whose name has a part in it; nothing in a judge's own run."""
    if published is None:
        return ()
    found = (published.run.findings or {}).get("judged") or ()
    return tuple(_beside(session, published, stored, contains.casefold()) for stored in found)


# A stored finding: its values are whatever the run wrote.
def _beside(
    session: Session, published: Published, stored: Mapping[str, Any], wanted: str
) -> JudgeBeside:
    judge = stored["judge"]
    people = {model.name: _reading(row) for row, model in published.ratings}
    alone = _read_view(session, published, ALONE.format(judge=judge))
    together = _read_view(session, published, TOGETHER.format(judge=judge))
    models = (
        ReadThreeWays(name, own, alone.get(name), both)
        for name, both in together.items()
        if both is not None and (own := people.get(name)) and wanted in name.casefold()
    )
    return JudgeBeside(**stored, models=tuple(models))


def _read_view(session: Session, published: Published, view: str) -> dict[str, Reading | None]:
    """Return another reading of the run by the model's name, by rank."""
    return {
        model.name: _reading(row) for row, model in rows.read_view(session, published.run.id, view)
    }


def _reading(row: RatingRow | RatingViewRow) -> Reading | None:
    if row.rating is None:
        return None
    return Reading(row.rating, row.lower, row.upper, row.rank_low, row.rank_high)
