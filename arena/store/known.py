"""What the newest rating run of the people's votes knows of each model, for policies that choose pairs by it."""

from math import isqrt

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.pairing import Floats, Known
from arena.store.tables import ModelRow, RatingRow, RatingRunRow
from arena.terms import RunState

BYTES_PER_NUMBER = 8


def read_known(session: Session, board_id: int) -> Known | None:
    """Return battles of all models, and strengths and covariance of the rated ones; None before the first run."""
    run = session.scalar(
        select(RatingRunRow)
        .where(
            RatingRunRow.board_id == board_id,
            RatingRunRow.judge_id.is_(None),
            RatingRunRow.state == RunState.PUBLISHED,
        )
        .order_by(RatingRunRow.published_at.desc(), RatingRunRow.id.desc())
        .limit(1)
    )
    if run is None:
        return None
    rows = session.execute(
        select(ModelRow.name, RatingRow.model_id, RatingRow.battles, RatingRow.strength)
        .join(ModelRow, ModelRow.id == RatingRow.model_id)
        .where(RatingRow.rating_run_id == run.id)
    ).all()
    strength = {row.name: row.strength for row in rows if row.strength is not None}
    ids = {row.name: row.model_id for row in rows}
    names = (run.covariance_models or {}).get("models", [])
    kept = [place for place, name in enumerate(names) if name in strength]
    rated = [names[place] for place in kept]
    return Known(
        battles={row.model_id: row.battles for row in rows},
        rated=tuple(ids[name] for name in rated),
        strength=np.array([strength[name] for name in rated], dtype=np.float64),
        covariance=_square(run.covariance)[np.ix_(kept, kept)],
    )


def _square(stored: bytes | None) -> Floats:
    """Return the matrix that a run stored row by row; of no rows if it stored none."""
    numbers = np.frombuffer(stored or b"", "<f8")
    side = isqrt(len(stored or b"") // BYTES_PER_NUMBER)
    return numbers.reshape(side, side).astype(np.float64)
