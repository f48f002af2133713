"""Cases of the queue: real workers on a real Valkey, killed as the case says. Recovery times belong to issue 7."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy import func, select, text

from arena import rating_runs
from arena.queue import RATINGS
from arena.rating_runs import refitting
from arena.rating_runs.requesting import count_all
from arena.store import rating_runs as runs
from arena.store.preferences import Source
from arena.store.tables import RatingRow, RatingRunRow, VoteRow
from arena.terms import Outcome, RunState
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_votes
from tests.case_bank.place import Place
from tests.processes import children_of, running, wait_until

Case = dict[str, Any]
WORKER = ("arena.jobs", "worker", RATINGS)
LONG, SHORT = 20_000, 100


def run_case(case: Case, place: Place) -> str | None:
    """Run one case of the queue."""
    KINDS[case["kind"]](place.wiring)
    return None


def sigterm_twice_loses_no_fit(wiring: Wiring) -> None:
    """Two signals end a worker cold in the middle of a fit; the run is published once all the same."""
    source = board_with_votes(wiring, rounds=LONG)
    with worker_at_work(wiring, source) as worker:
        worker.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        worker.send_signal(signal.SIGTERM)
        worker.wait(timeout=30)
    shorten(wiring)
    let_a_worker_finish(wiring)
    assert published_once(wiring)


def killed_horse_is_retried_and_named(wiring: Wiring) -> None:
    """Killed at every attempt, the run fails by naming the signal and memory; old ratings stay."""
    source = board_with_votes(wiring, rounds=SHORT)
    ask(wiring, source)
    rating_runs.refit(wiring, source)
    lengthen(wiring)
    add_one_more_vote(wiring)
    with running(wiring.settings, *WORKER) as worker:
        for _ in range(runs.MOST_ATTEMPTS):
            rating_runs.sweep(a_minute_later(wiring))
            os.kill(wait_for_horse(worker.pid, wiring), signal.SIGKILL)
            wait_until(lambda: not running_now(wiring), what="the run put back")
    with wiring.sessions() as session:
        last = session.scalars(select(RatingRunRow).order_by(RatingRunRow.id.desc())).first()
        ratings = session.scalar(select(func.count()).select_from(RatingRow))
    assert last is not None
    assert last.state == RunState.FAILED
    assert "signal 9" in (last.reason or "")
    assert "memory" in (last.reason or "")
    assert last.attempt == runs.MOST_ATTEMPTS
    assert ratings == 2


def taken_and_not_started_is_found_again(wiring: Wiring) -> None:
    """A bell taken off the queue by a worker that died leaves the request in its table."""
    source = board_with_votes(wiring, rounds=SHORT)
    wanted = ask(wiring, source)
    rating_runs.ring(wiring, wanted)
    taken = wiring.bell.redis.lmove(
        f"rq:queue:{RATINGS}", f"rq:queue:{RATINGS}:intermediate", "RIGHT", "LEFT"
    )
    assert taken
    swept = rating_runs.sweep(a_minute_later(wiring))
    assert [each.run_id for each in swept] == [wanted.run_id]
    let_a_worker_finish(wiring)
    assert published_once(wiring)


def lost_worker_is_replaced(wiring: Wiring) -> None:
    """Worker and horse killed together, as when a machine dies: the sweep puts the run back in line."""
    source = board_with_votes(wiring, rounds=LONG)
    with worker_at_work(wiring, source) as worker:
        for pid in (worker.pid, *children_of(worker.pid)):
            os.kill(pid, signal.SIGKILL)
        worker.wait()
    shorten(wiring)
    let_a_worker_finish(wiring)
    assert published_once(wiring)


def timeout_ends_a_fit(wiring: Wiring) -> None:
    """A job over its time fails, with its reason kept, and nothing swallows the time-out."""
    source = board_with_votes(wiring, rounds=LONG)
    hasty = wiring.settings.model_copy(update={"refit_seconds": 3})
    rushed = replace(wiring, settings=hasty)
    ask(wiring, source)
    with running(hasty, *WORKER) as worker:
        wait_until(lambda: given_up(rushed, worker.pid), seconds=90, what="the last time-out")
    assert "JobTimeoutException" in causes(wiring)
    assert not published_once(wiring)


def killed_after_the_commit_is_done(wiring: Wiring) -> None:
    """The run was published, its job never marked: a second run of the job finds nothing to do."""
    source = board_with_votes(wiring, rounds=SHORT)
    ask(wiring, source)
    begun = refitting.begin(wiring, source)
    assert begun is not None
    assert refitting.finish(wiring, begun)
    rating_runs.ring(wiring, runs.Wanted(begun.claim.run_id, source))
    with running(wiring.settings, *WORKER):
        wait_until(lambda: wiring.bell.depths()[RATINGS] == 0, what="the second run")
        time.sleep(0.5)
    assert published_once(wiring)


def the_sweep_ends(wiring: Wiring) -> None:
    """The watchdog makes no private call of RQ and does not repeat itself."""
    source = board_with_votes(wiring, rounds=SHORT)
    assert [each.source for each in rating_runs.sweep(wiring)] == [source]
    rating_runs.refit(wiring, source)
    assert rating_runs.sweep(wiring) == []


def a_dead_sweeper_holds_nothing(wiring: Wiring) -> None:
    """Killed while it holds the lock of counting, its lock is gone with its connection."""
    source = board_with_votes(wiring, rounds=SHORT)
    stuck = wiring.engine.connect()
    stuck.execute(text("SELECT pg_advisory_xact_lock(4208116)"))
    pid = stuck.scalar(text("SELECT pg_backend_pid()"))
    with wiring.sessions.begin() as session:
        session.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})
    stuck.invalidate()
    stuck.close()
    assert [each.source for each in rating_runs.sweep(wiring)] == [source]


def an_empty_redis_loses_nothing(wiring: Wiring) -> None:
    """Everything in Redis is gone; votes and requests are all in their tables, each found once."""
    source = board_with_votes(wiring, rounds=SHORT, votes=200)
    rating_runs.ring(wiring, ask(wiring, source))
    wiring.bell.redis.flushall()
    let_a_worker_finish(wiring)
    assert published_once(wiring)
    with wiring.sessions() as session:
        votes = session.scalar(select(func.count()).select_from(VoteRow))
        counted = session.scalar(select(RatingRunRow.preferences))
    assert votes == counted == 201


def an_orphan_does_not_publish_twice(wiring: Wiring) -> None:
    """The parent is killed, its horse fits on; a second worker leaves the source to it, and one run appears."""
    source = board_with_votes(wiring, rounds=LONG)
    with worker_at_work(wiring, source) as worker:
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        assert rating_runs.refit(wiring, source) == 0
        assert rating_runs.sweep(wiring) == []
        wait_until(lambda: published_once(wiring), seconds=120, what="the orphan's run")
    assert rating_runs.refit(wiring, source) == 0
    assert published_once(wiring)


KINDS: dict[str, Callable[[Wiring], None]] = {
    "deploy_restart": sigterm_twice_loses_no_fit,
    "oom": killed_horse_is_retried_and_named,
    "dequeue_gap": taken_and_not_started_is_found_again,
    "worker_loss": lost_worker_is_replaced,
    "scheduler_lock": lost_worker_is_replaced,
    "timeout_swallowed": timeout_ends_a_fit,
    "false_failure": killed_after_the_commit_is_done,
    "rq_api_change": the_sweep_ends,
    "rescuer_stalled": a_dead_sweeper_holds_nothing,
    "redis_loss": an_empty_redis_loses_nothing,
    "orphan_horse": an_orphan_does_not_publish_twice,
}


def board_with_votes(wiring: Wiring, *, rounds: int, votes: int = 20) -> Source:
    """A board whose fit is as long as its rounds."""
    with wiring.sessions.begin() as session:
        board = add_board(session, rounds=rounds)
        models = add_models(session, "ash", "birch")
        add_votes(session, board, models["ash"], models["birch"], outcome=Outcome.A, n=votes)
        add_votes(session, board, models["ash"], models["birch"], outcome=Outcome.B, n=1)
    count_all(wiring)
    return Source(board.id, None)


def add_one_more_vote(wiring: Wiring) -> None:
    with wiring.sessions.begin() as session:
        session.execute(
            text(
                "INSERT INTO vote (battle_id, voter, outcome) SELECT min(battle_id), 'late', 'a' FROM vote"
            )
        )


def shorten(wiring: Wiring) -> None:
    set_rounds(wiring, SHORT)


def lengthen(wiring: Wiring) -> None:
    set_rounds(wiring, LONG)


def set_rounds(wiring: Wiring, rounds: int) -> None:
    with wiring.sessions.begin() as session:
        session.execute(text("UPDATE board SET rounds = :rounds"), {"rounds": rounds})


def ask(wiring: Wiring, source: Source) -> runs.Wanted:
    with wiring.sessions.begin() as session:
        wanted = rating_runs.request(session, source)
    assert wanted is not None
    return wanted


@contextmanager
def worker_at_work(wiring: Wiring, source: Source) -> Iterator[Any]:
    """A worker in the middle of a fit."""
    rating_runs.ring(wiring, ask(wiring, source))
    with running(wiring.settings, *WORKER) as worker:
        wait_for_horse(worker.pid, wiring)
        yield worker


def wait_for_horse(worker: int, wiring: Wiring) -> int:
    """The process in which a worker fits, once it has claimed its run."""
    wait_until(lambda: children_of(worker) and running_now(wiring), what="a fit under way")
    return children_of(worker)[0]


def running_now(wiring: Wiring) -> bool:
    with wiring.sessions() as session:
        return bool(runs.running_claims(session))


def let_a_worker_finish(wiring: Wiring) -> None:
    """What cron does until all is published, with one worker there."""
    wiring.bell.redis.flushdb()
    with running(wiring.settings, *WORKER):
        wait_until(
            lambda: not rating_runs.sweep(wiring) and not running_now(wiring),
            seconds=60,
            what="everything published",
        )


def a_minute_later(wiring: Wiring) -> Wiring:
    """The parts as they are when RQ has forgotten ended jobs, and no bell of this minute stands in the way."""
    for key in wiring.bell.redis.scan_iter("rq:job:*"):
        wiring.bell.redis.delete(key)
    return wiring


def published_once(wiring: Wiring) -> bool:
    with wiring.sessions() as session:
        states = session.scalars(select(RatingRunRow.state)).all()
        ratings = session.scalar(select(func.count()).select_from(RatingRow))
    return list(states).count(RunState.PUBLISHED) == 1 and ratings == 2


def given_up(wiring: Wiring, worker: int) -> bool:
    """Ring again when nothing is rung for and no job is under way; say whether the run has failed for good.

    On a slow machine a job may run out of time before it has claimed its run: it is rung for once more.
    """
    if wiring.bell.depths()[RATINGS] == 0 and not children_of(worker):
        rating_runs.sweep(a_minute_later(wiring))
    with wiring.sessions() as session:
        return session.scalar(select(RatingRunRow.state)) == RunState.FAILED


def causes(wiring: Wiring) -> str:
    with wiring.sessions() as session:
        return " ".join(filter(None, session.scalars(select(RatingRunRow.reason))))
