"""What a run reads: the counts of a source at a watermark, under names, and the method of its board."""

from dataclasses import dataclass, replace

import numpy as np
from sqlalchemy.orm import Session

from arena.rating_runs.fitting import OUTCOMES, Counts, Method
from arena.store.boards import model_names
from arena.store.preferences import CountRow
from arena.store.reviews import LeftOut
from arena.store.tables import BoardRow, ModelRow
from arena.terms import BothBad, Cluster, Interval, Ties

OUTCOME_CODES = {outcome.value: code for code, outcome in enumerate(OUTCOMES)}


QUARANTINED = "of voters in quarantine"


@dataclass(frozen=True)
class Inputs:
    """Counts by name, and which row of `model` each name is.

    `with_flagged` has the votes of voters in quarantine too; None where nothing is left out.
    """

    counts: Counts
    model_ids: dict[str, int]
    with_flagged: Counts | None = None


def name_counts(session: Session, rows: list[CountRow], left_out: LeftOut) -> Inputs:
    """Return the counts with models by name, so that a digest means the same on any database.

    What is left out is taken off the rows; a model that only such votes name stays, without a vote.
    """
    ids = {row.first_model_id for row in rows} | {row.second_model_id for row in rows}
    names = model_names(session, ids)
    model_ids = {name: model_id for model_id, name in names.items()}
    everything = _named(rows, names)
    if not left_out.rows:
        return Inputs(everything, model_ids)
    kept = replace(
        _named(_without(rows, left_out.rows), names), excluded={QUARANTINED: left_out.votes}
    )
    return Inputs(kept, model_ids, everything)


def _without(rows: list[CountRow], left_out: list[CountRow]) -> list[CountRow]:
    """Return the rows less what is left out of each."""
    less = {(row.first_model_id, row.second_model_id, row.outcome): row.n for row in left_out}
    found = (
        replace(row, n=row.n - less.get((row.first_model_id, row.second_model_id, row.outcome), 0))
        for row in rows
    )
    return [row for row in found if row.n]


def _named(rows: list[CountRow], names: dict[int, str]) -> Counts:
    models = tuple(sorted(names.values()))
    place = {name: index for index, name in enumerate(models)}
    of_id = {model_id: place[name] for model_id, name in names.items()}
    return Counts(
        models=models,
        first=np.array([of_id[row.first_model_id] for row in rows], dtype=np.int32),
        second=np.array([of_id[row.second_model_id] for row in rows], dtype=np.int32),
        outcome=np.array([OUTCOME_CODES[row.outcome] for row in rows], dtype=np.int32),
        n=np.array([row.n for row in rows], dtype=np.int64),
    )


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
