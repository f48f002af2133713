"""Replay: compute a published run again from the votes themselves, and compare."""

from dataclasses import asdict, dataclass
from math import isfinite

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.errors import ConflictError, UnknownRatingRunError
from arena.rating_runs.fitting import Method, ModelRating, rate
from arena.rating_runs.inputs import name_counts, with_votes
from arena.rating_runs.judge_inputs import marks_of, read_judges
from arena.rating_runs.judge_readings import with_judges
from arena.rating_runs.readings import other_readings
from arena.store.judged_battles import VotesRead
from arena.store.leaderboard import views_of_run
from arena.store.preferences import Source, recount
from arena.store.reviews import read_left_out
from arena.store.tables import ModelRow, RatingRow, RatingRunRow, RatingViewRow
from arena.terms import BothBad, Cluster, Interval, RunState, Ties

TOLERANCE_POINTS = 1e-6


@dataclass(frozen=True)
class Replay:
    """What the second computation found."""

    run_id: int
    counts_digest: str
    counts_agree: bool
    models: int
    largest_difference: float
    differing: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether counts, statuses and every number came out the same."""
        return self.counts_agree and not self.differing

    def as_document(self) -> dict[str, object]:
        """Return what `arena replay --json` prints; an infinite difference is null, its models are named."""
        largest = self.largest_difference
        return asdict(self) | {
            "agrees": self.agrees,
            "largest_difference": largest if isfinite(largest) else None,
        }

    def sentence(self) -> str:
        """Return the finding in one sentence."""
        if self.agrees:
            return (
                f"Rating run {self.run_id} computed again from its votes: {self.models} models, the same counts "
                f"({self.counts_digest}), largest difference {self.largest_difference:.1e} points."
            )
        if not self.counts_agree:
            return (
                f"Rating run {self.run_id} cannot be computed again: the votes up to its watermark now have the "
                f"digest {self.counts_digest}, which is not the one that it was published with."
            )
        return (
            f"Rating run {self.run_id} comes out differently for {len(self.differing)} of {self.models} models: "
            f"{', '.join(self.differing[:5])}."
        )


def replay(session: Session, run_id: int) -> Replay:
    """Refit a published run from the preferences up to its watermark and compare every number."""
    run = published_run(session, run_id)
    source = Source(run.board_id, run.judge_id)
    watermark, method = run.watermark or 0, stored_method(run)
    up_to = newest_decision(run)
    left_out = read_left_out(session, source, watermark=watermark, up_to=up_to)
    inputs = name_counts(session, recount(session, source, watermark), left_out)
    inputs = with_votes(session, inputs, source, method, watermark=watermark, up_to=up_to)
    table = rate(inputs.counts, method, inputs.votes)
    names = NUMBERS if run.findings is None else NUMBERS + SINCE_SETS
    stored = _stored_numbers(session, run_id, names)
    differences = _differences(stored, _numbers(table.models, names))
    judges = read_judges(
        session, marks_of(run.selection), VotesRead(run.board_id, watermark, up_to)
    )
    _, by_judges = with_judges(table, inputs, judges)
    readings = {**other_readings(inputs, method), **by_judges}
    for view in sorted({*readings, *views_of_run(session, run_id)}):
        again = _numbers(readings.get(view, ()), NUMBERS)
        of_view = _differences(_stored_view(session, run_id, view), again)
        differences |= {f"{name} ({view})": gap for name, gap in of_view.items()}
    return Replay(
        run_id=run_id,
        counts_digest=table.counts_digest,
        counts_agree=table.counts_digest == run.counts_digest,
        models=len(stored),
        largest_difference=max(differences.values(), default=0.0),
        differing=tuple(name for name, gap in differences.items() if gap > TOLERANCE_POINTS),
    )


def published_run(session: Session, run_id: int) -> RatingRunRow:
    """Return a published run, or say what became of it."""
    run = session.get(RatingRunRow, run_id)
    if run is None:
        raise UnknownRatingRunError(f"There is no rating run {run_id}.", run=run_id)
    if run.state != RunState.PUBLISHED:
        reason = f": {run.reason}" if run.reason else ""
        raise ConflictError(f"Rating run {run_id} was not published; it is {run.state}{reason}.")
    return run


def newest_decision(run: RatingRunRow) -> int:
    """Return the number of the newest decision about a voter that a run read; 0 for runs before there were any."""
    return int(((run.selection or {}).get("quarantined") or {}).get("up_to", 0))


def stored_method(run: RatingRunRow) -> Method:
    """Return the method that a run was made with."""
    stored = dict(run.method or {})
    anchor = stored.pop("anchor", None)
    style = stored.pop("style", ())
    cluster = stored.pop("cluster", Cluster.NONE)
    return Method(
        ties=Ties(stored.pop("ties")),
        both_bad=BothBad(stored.pop("both_bad")),
        interval=Interval(stored.pop("interval")),
        anchor=None if anchor is None else (anchor[0], anchor[1]),
        cluster=Cluster(cluster),
        style=tuple(style),
        **stored,
    )


NUMBERS = ("rating", "lower", "upper", "rank", "rank_low", "rank_high")
# Runs of earlier versions have none; then there is nothing to compare.
SINCE_SETS = ("rank_set_low", "rank_set_high", "chance_best")
Numbers = dict[str, tuple[str, list[float | None]]]


def _stored_numbers(session: Session, run_id: int, names: tuple[str, ...]) -> Numbers:
    rows = session.execute(
        select(ModelRow.name, RatingRow)
        .join(ModelRow, ModelRow.id == RatingRow.model_id)
        .where(RatingRow.rating_run_id == run_id)
    )
    return {name: (row.status, [getattr(row, key) for key in names]) for name, row in rows}


def _stored_view(session: Session, run_id: int, view: str) -> Numbers:
    rows = session.execute(
        select(ModelRow.name, RatingViewRow)
        .join(ModelRow, ModelRow.id == RatingViewRow.model_id)
        .where(RatingViewRow.rating_run_id == run_id, RatingViewRow.view == view)
    )
    return {name: (row.status, [getattr(row, key) for key in NUMBERS]) for name, row in rows}


def _numbers(models: tuple[ModelRating, ...], names: tuple[str, ...]) -> Numbers:
    return {model.model: (model.status, [getattr(model, key) for key in names]) for model in models}


def _differences(stored: Numbers, again: Numbers) -> dict[str, float]:
    """Return the largest difference for each model; infinite where one side has no such number."""
    return {name: _gap(stored.get(name), again.get(name)) for name in stored.keys() | again.keys()}


def _gap(
    left: tuple[str, list[float | None]] | None, right: tuple[str, list[float | None]] | None
) -> float:
    if left is None or right is None or left[0] != right[0]:
        return float("inf")
    gaps = [
        float("inf") if (a is None) != (b is None) else abs((a or 0.0) - (b or 0.0))
        for a, b in zip(left[1], right[1], strict=True)
    ]
    return max(gaps)
