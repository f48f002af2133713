"""One refit: count, claim, fit, publish. It can run twice, be killed anywhere, and race with itself.

Only one worker at a time refits a source: it holds a lock that ends with its process. What it publishes is
fenced by the attempt it claimed, so that a worker thought dead cannot publish late.
"""

import time
from dataclasses import asdict, dataclass, replace
from datetime import timedelta

import structlog

from arena.clock import now
from arena.errors import InputError
from arena.rating_runs.fitting import Method, ModelRating, RatingTable, rate
from arena.rating_runs.inputs import (
    Inputs,
    measure_styles,
    method_for,
    name_counts,
    with_votes,
)
from arena.rating_runs.judge_inputs import JudgeInputs, as_selection, marks_now, read_judges
from arena.rating_runs.judge_readings import with_judges
from arena.rating_runs.readings import WITHOUT_STYLE, other_readings, style_warnings, view_rows
from arena.rating_runs.requesting import count_all, request
from arena.rating_runs.versions import code_versions
from arena.store import rating_runs as runs
from arena.store.boards import source_name
from arena.store.judged_battles import VotesRead
from arena.store.preferences import Source, read_counts, read_watermark
from arena.store.rating_runs import Claim
from arena.store.reviews import LeftOut, newest_review, read_left_out
from arena.store.tables import BoardRow
from arena.store.voters import count_voters
from arena.wiring import Wiring
from ranking import RankingError

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Begun:
    """A claimed run with everything that its fit reads."""

    claim: Claim
    watermark: int
    inputs: Inputs
    method: Method
    left_out: LeftOut
    judges: tuple[JudgeInputs, ...]
    selection: dict[str, object]


def refit(wiring: Wiring, source: Source) -> int:
    """Refit a source until nothing newer waits; return how many runs were published.

    Between two runs it pauses, so that a busy board gets a run every few seconds and not one for each vote.
    After half of the job's time it leaves what waits to the next job.
    """
    published = 0
    enough = now() + timedelta(seconds=wiring.settings.refit_seconds / 2)
    with runs.refit_lock(wiring.engine, source) as taken:
        while taken and (begun := begin(wiring, source)) is not None:
            published += finish(wiring, begun)
            if now() > enough:
                break
            time.sleep(wiring.settings.refit_pause_seconds if _waits(wiring, source) else 0)
    return published


def _waits(wiring: Wiring, source: Source) -> bool:
    with wiring.sessions.begin() as session:
        return any(wanted.source == source for wanted in runs.waiting_runs(session))


def begin(wiring: Wiring, source: Source) -> Begun | None:
    """Count what is settled and claim the waiting run, if there is one and there is something to fit."""
    count_all(wiring)
    measure_styles(wiring.sessions, source.board_id)
    with wiring.sessions.begin() as session:
        # One snapshot: the watermark and the counts are of the same instant.
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        claim = runs.claim_run(session, source)
        if claim is None:
            return None
        watermark = read_watermark(session, source)
        if watermark is None:
            runs.fail_run(session, claim, "No settled preference of this source is on the board.")
            return None
        runs.note_watermark(session, claim, watermark)
        decided = newest_review(session, source.board_id)
        left_out = read_left_out(session, source, watermark=watermark, up_to=decided)
        inputs = name_counts(session, read_counts(session, source), left_out)
        board = session.get_one(BoardRow, source.board_id)
        method = method_for(session, source, board, int(inputs.counts.n.sum()))
        marks = marks_now(session, source)
        votes = VotesRead(source.board_id, watermark, decided)
        return Begun(
            claim=claim,
            watermark=watermark,
            inputs=with_votes(session, inputs, source, method, watermark=watermark, up_to=decided),
            method=method,
            left_out=left_out,
            judges=read_judges(session, marks, votes),
            selection={
                "source": source_name(session, source),
                "quarantined": left_out.as_selection(),
                "judges": as_selection(marks),
            },
        )


def finish(wiring: Wiring, begun: Begun) -> bool:
    """Fit, with no transaction open, and publish; return whether it was published.

    If preferences were counted meanwhile, the next run is asked for in the same transaction.
    """
    try:
        table = rate(begun.inputs.counts, begun.method, begun.inputs.votes)
        views = other_readings(begun.inputs, begun.method)
        moved = style_warnings(table.models, views.get(WITHOUT_STYLE, ()))
        table = replace(table, warnings=(*table.warnings, *moved))
        table, by_judges = with_judges(table, begun.inputs, begun.judges)
    except (RankingError, InputError) as error:
        with wiring.sessions.begin() as session:
            runs.fail_run(session, begun.claim, str(error))
        log.warning("refit failed", run=begun.claim.run_id, reason=str(error))
        return False
    with wiring.sessions.begin() as session:
        facts = run_facts(begun, table)
        voters = count_voters(session, begun.claim.source, begun.watermark)
        facts["voters"] = None if voters is None else voters - begun.left_out.voters
    with wiring.sessions.begin() as session:
        done = runs.publish_run(
            session,
            begun.claim,
            facts,
            rating_rows(begun.inputs, table),
            views=view_rows(begun.inputs, {**views, **by_judges}),
        )
        for stale in runs.stale_sources(session):
            if stale == begun.claim.source:
                request(session, stale)
    log.info("rating run published" if done else "fenced off", run=begun.claim.run_id)
    return done


def run_facts(begun: Begun, table: RatingTable) -> dict[str, object]:
    """Return the columns of a published run but its voters: its inputs, its method, and how the search ended."""
    return {
        "selection": begun.selection,
        "counts_digest": table.counts_digest,
        "preferences": int(begun.inputs.counts.n.sum()),
        "method": asdict(begun.method),
        "versions": code_versions(),
        "warnings": {"warnings": list(table.warnings), "excluded": dict(table.excluded)},
        "gradient_norm": table.gradient_norm,
        "iterations": table.iterations,
        "rounds_degenerate": table.rounds_degenerate,
        "findings": asdict(table.findings),
        "covariance_models": {"models": list(table.covariance_models)},
        "covariance": None
        if table.covariance is None
        else table.covariance.astype("<f8").tobytes(),
    }


def rating_rows(inputs: Inputs, table: RatingTable) -> list[dict[str, object]]:
    """Return the rows of `rating`, but for the run's number."""
    return [_rating_row(inputs.model_ids[model.model], model) for model in table.models]


def _rating_row(model_id: int, model: ModelRating) -> dict[str, object]:
    row = asdict(model) | {"model_id": model_id}
    for name in ("model", "opponents"):
        row.pop(name, None)
    return row
