"""Other readings of a run: what they read otherwise, and the models by one of them."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.errors import InputError
from arena.leaderboard.standings import Beside, standing_in
from arena.leaderboard.views import Standing
from arena.store import leaderboard as rows
from arena.store.tables import RatingRunRow

WHOLE = {
    "with flagged": "with the votes of voters in quarantine",
    "without style": "without the adjustment for style",
}
OF_ONE = {
    "category": "of the category {} alone",
    "human and judge": "of people, with judge {} to sharpen them",
    "judge": "of judge {} alone",
}


def said_of_reading(reading: str) -> str:
    """Return what a reading is, as a part of a sentence; one that is not known here keeps its name."""
    kind, _, name = reading.partition(": ")
    if name and kind in OF_ONE:
        return OF_ONE[kind].format(name)
    return WHOLE.get(reading, reading)


def models_in(
    session: Session, run: RatingRunRow, reading: str, beside: Beside
) -> Sequence[Standing]:
    """Return the models by another reading of a run.

    Raises
    ------
    InputError
        If the run has no such reading.
    """
    found = rows.read_view(session, run.id, reading)
    if not found:
        known = ", ".join(rows.views_of_run(session, run.id)) or "none"
        raise InputError(
            f"Rating run {run.id} has no reading {reading!r} beside its ratings. It has: {known}."
        )
    return [standing_in(row[0], row[1], beside) for row in found]
