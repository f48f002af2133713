"""What a run reads: the counts of a source at a watermark, under names, and the method of its board."""

from dataclasses import dataclass, replace

import numpy as np
from sqlalchemy.orm import Session, sessionmaker

from arena.evaluation.style import style_of
from arena.rating_runs.fitting import OUTCOMES, Counts, Method
from arena.rating_runs.single_votes import ABSENT, SingleVotes, numbered
from arena.rating_runs.styles import as_styles
from arena.store.boards import model_names
from arena.store.preferences import CountRow, Source
from arena.store.reviews import LeftOut
from arena.store.single_votes import stream_single
from arena.store.styles import keep_styles, stream_styles, unmeasured
from arena.store.tables import BoardRow, ModelRow
from arena.terms import BothBad, Cluster, Interval, Ties

OUTCOME_CODES = {outcome.value: code for code, outcome in enumerate(OUTCOMES)}
# Up to so many preferences are read one by one; a board of more is rated from counts, within its seconds.
MOST_CLUSTERED = 3_000_000
ANSWERS_AT_ONCE = 500
QUARANTINED = "of voters in quarantine"


@dataclass(frozen=True)
class Inputs:
    """Counts by name, and which row of `model` each name is.

    `with_flagged` has the votes of voters in quarantine too; None where nothing is left out. `votes` and
    `flagged_votes` are the same one by one, if the method reads them so.
    """

    counts: Counts
    model_ids: dict[str, int]
    with_flagged: Counts | None = None
    votes: SingleVotes | None = None
    flagged_votes: SingleVotes | None = None


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


def with_votes(
    session: Session, inputs: Inputs, source: Source, method: Method, *, watermark: int, up_to: int
) -> Inputs:
    """Return the inputs with the votes one by one, if the method reads them so; with styles if it holds those apart."""
    if not method.reads_votes:
        return inputs

    def read(up_to: int) -> SingleVotes:
        votes = read_single(session, source, inputs.model_ids, watermark=watermark, up_to=up_to)
        if not method.style:
            return votes
        parts = stream_styles(session, source, watermark=watermark, up_to=up_to)
        return replace(votes, styles=as_styles([tuple(row) for part in parts for row in part]))

    flagged = None if inputs.with_flagged is None else read(0)
    return replace(inputs, votes=read(up_to), flagged_votes=flagged)


def measure_styles(sessions: sessionmaker[Session], board_id: int) -> None:
    """Count the features of answers that are not counted yet, if the board holds style apart; some at a time."""
    while True:
        with sessions.begin() as session:
            if not (session.get_one(BoardRow, board_id).style or {}).get("features"):
                return
            waiting = unmeasured(session, board_id, most=ANSWERS_AT_ONCE)
        if not waiting:
            return
        measured = [(number, style_of(text)) for number, text in waiting]
        with sessions.begin() as session:
            keep_styles(session, measured)


def read_single(
    session: Session,
    source: Source,
    model_ids: dict[str, int],
    *,
    watermark: int,
    up_to: int,
) -> SingleVotes:
    """Return the preferences of a source one by one; `up_to` is the newest decision about voters that holds."""
    place = {model_id: number for number, model_id in enumerate(model_ids.values())}
    parts = [
        np.array(
            [
                (place[first], place[second], OUTCOME_CODES[outcome], _known(voter), _known(prompt))
                for first, second, outcome, voter, prompt in rows
            ],
            dtype=np.int64,
        )
        for rows in stream_single(session, source, watermark=watermark, up_to=up_to)
    ]
    columns = np.concatenate([np.empty((0, 5), np.int64), *parts]).T
    return SingleVotes(tuple(model_ids), *columns[:3], *(numbered(way) for way in columns[3:]))


def _known(number: int | None) -> int:
    """Return a number that tells an unknown one apart from the negative ones of battles without a prompt."""
    return ABSENT if number is None else number


def method_for(session: Session, source: Source, board: BoardRow, preferences: int) -> Method:
    """Return how a source of a board is rated.

    A judge is one voter, so its judgments go together by prompt only. Beyond MOST_CLUSTERED preferences none
    are read one by one.
    """
    method = method_of(session, board)
    if preferences > MOST_CLUSTERED:
        return replace(method, cluster=Cluster.NONE, style=())
    if source.judge_id is None:
        return method
    by_prompt = method.cluster is not Cluster.NONE
    return replace(method, cluster=Cluster.PROMPT if by_prompt else Cluster.NONE)


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
