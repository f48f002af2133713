"""A published run as the read side has it: its facts, and what it says of each model."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.leaderboard.recomputing import rank_command
from arena.leaderboard.run_findings import TOO_OLD, findings_of
from arena.leaderboard.views import Anchor, BoardHead, BoardSettings, LeftOut, RunFacts
from arena.store import leaderboard as rows
from arena.store.leaderboard import CountedSource
from arena.store.preferences import Source
from arena.store.tables import BoardRow, ModelRow, RatingRow, RatingRunRow
from arena.terms import BothBad, Cluster, Interval, RunState, Ties


@dataclass(frozen=True)
class Published:
    """A published run of a source with its ratings, by rank."""

    source: CountedSource
    run: RatingRunRow
    ratings: tuple[tuple[RatingRow, ModelRow], ...]


def read_published(session: Session, source: CountedSource) -> Published | None:
    """Return the newest published run of a source with its ratings."""
    run = rows.newest_run(session, source.source)
    if run is None:
        return None
    ratings = tuple((row[0], row[1]) for row in rows.read_ratings(session, run.id))
    return Published(source, run, ratings)


def read_trouble(session: Session, source: CountedSource) -> str | None:
    """Return why the last run that was asked for failed, if it did."""
    run = rows.last_request(session, source.source)
    return run.reason if run is not None and run.state == RunState.FAILED else None


def head_of(board: BoardRow) -> BoardHead:
    """Return a board's words."""
    return BoardHead(board.name, board.title, board.description, board.is_simulated)


def settings_of(session: Session, board: BoardRow) -> BoardSettings:
    """Return how a board is rated from its next run on."""
    anchor = None
    if board.anchor_model_id is not None:
        model = session.get_one(ModelRow, board.anchor_model_id)
        anchor = Anchor(model.name, board.anchor_points)
    return BoardSettings(
        ties=Ties(board.ties),
        both_bad=BothBad(board.both_bad),
        interval=Interval(board.interval),
        rounds=board.rounds,
        level=board.level,
        seed=board.seed,
        position=board.position,
        cluster=Cluster(board.cluster),
        style=tuple((board.style or {}).get("features", ())),
        anchor=anchor,
    )


def facts_of(session: Session, run: RatingRunRow) -> RunFacts:
    """Return the facts of a published run, and what is newer. Its table's constraint says that they are there."""
    assert run.published_at is not None
    assert run.watermark is not None
    assert run.counts_digest is not None
    said, method = run.warnings or {}, run.method or {}
    findings = findings_of(run.findings)
    source = Source(run.board_id, run.judge_id)
    return RunFacts(
        id=run.id,
        published_at=run.published_at,
        preferences=run.preferences or 0,
        voters=run.voters,
        watermark=run.watermark,
        waiting=rows.count_waiting(session, source, run.watermark),
        counts_digest=run.counts_digest,
        method=method,
        versions=run.versions or {},
        warnings=tuple(said.get("warnings", ())),
        excluded=said.get("excluded", {}),
        gradient_norm=run.gradient_norm,
        iterations=run.iterations,
        rounds_degenerate=run.rounds_degenerate,
        quarantined=left_out_of(run),
        readings=tuple(rows.views_of_run(session, run.id)),
        command=rank_command(method),
        findings=findings,
        findings_absent=TOO_OLD if findings is None else None,
    )


def left_out_of(run: RatingRunRow) -> LeftOut:
    """Return what the run's selection leaves out; a run without one leaves out nothing."""
    quarantined = (run.selection or {}).get("quarantined") or {}
    return LeftOut(quarantined.get("voters", 0), quarantined.get("votes", 0))
