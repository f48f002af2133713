"""What a run reads: the counts of a source at a watermark, under names, and the method of its board."""

from dataclasses import dataclass

import numpy as np
from sqlalchemy.orm import Session

from arena.rating_runs.fitting import OUTCOMES, Counts, Method
from arena.store.boards import model_names
from arena.store.preferences import CountRow
from arena.store.tables import BoardRow, ModelRow
from arena.terms import BothBad, Cluster, Interval, Ties

OUTCOME_CODES = {outcome.value: code for code, outcome in enumerate(OUTCOMES)}


@dataclass(frozen=True)
class Inputs:
    """Counts by name, and which row of `model` each name is."""

    counts: Counts
    model_ids: dict[str, int]


def name_counts(session: Session, rows: list[CountRow]) -> Inputs:
    """Return the counts with models by name, so that a digest means the same on any database."""
    ids = {row.first_model_id for row in rows} | {row.second_model_id for row in rows}
    names = model_names(session, ids)
    models = tuple(sorted(names.values()))
    place = {name: index for index, name in enumerate(models)}
    of_id = {model_id: place[name] for model_id, name in names.items()}
    counts = Counts(
        models=models,
        first=np.array([of_id[row.first_model_id] for row in rows], dtype=np.int32),
        second=np.array([of_id[row.second_model_id] for row in rows], dtype=np.int32),
        outcome=np.array([OUTCOME_CODES[row.outcome] for row in rows], dtype=np.int32),
        n=np.array([row.n for row in rows], dtype=np.int64),
    )
    return Inputs(counts, {name: model_id for model_id, name in names.items()})


def method_of(session: Session, board: BoardRow) -> Method:
    """Return how a board is rated."""
    anchor = None
    if board.anchor_model_id is not None:
        model = session.get_one(ModelRow, board.anchor_model_id)
        anchor = (model.name, board.anchor_points)
    return Method(
        ties=Ties(board.ties),
        both_bad=BothBad(board.both_bad),
        interval=Interval(board.interval),
        rounds=board.rounds,
        level=board.level,
        seed=board.seed,
        anchor=anchor,
        position=board.position,
        cluster=Cluster(board.cluster),
        style=tuple((board.style or {}).get("features", ())),
    )
