"""What workers run. A job takes numbers, can run twice without harm, and finds its work in the tables.

`python -m arena.jobs worker QUEUE` is a worker of one queue, since a worker of several loses jobs when it is killed;
`python -m arena.jobs cron` sweeps for what no worker has.
"""

import gc
import signal
import sys
import time
from resource import struct_rusage
from types import TracebackType

import structlog
from rq import Worker
from rq.job import Job
from rq.serializers import JSONSerializer
from sqlalchemy.exc import OperationalError

from arena import rating_runs, voting
from arena.errors import SettingsError
from arena.log import set_up_logging
from arena.queue import QUEUES, REFIT
from arena.settings import Settings
from arena.wiring import Wiring, open_wiring, opened

MONITOR_SECONDS = 5
MAINTENANCE_SECONDS = 15

log = structlog.get_logger(__name__)


def refit(board_id: int, judge_number: int) -> None:
    """Refit one source of one board, if somebody asked for it."""
    with opened(Settings(), application="arena refit") as wiring:
        rating_runs.refit(wiring, rating_runs.source_of(board_id, judge_number))


def on_error(
    job: Job, kind: type[BaseException], error: BaseException, _trace: TracebackType
) -> bool:
    """Put a run whose job raised back in line, with what it raised; RQ goes on with its own handling."""
    _release(job, f"The job ended with {kind.__name__}: {error}")
    return True


def on_killed(job: Job, _pid: int, status: int, usage: struct_rusage) -> None:
    """Put a run whose process was killed back in line, and say what kills processes most often."""
    number = status & 0x7F
    name = signal.Signals(number).name if number else "no signal"
    _release(
        job,
        f"The job was killed by signal {number} ({name}) at {usage.ru_maxrss // 1024} MiB. Most often that is the "
        "system ending a process for want of memory: give the worker more, or rate fewer preferences at once.",
    )


def _release(job: Job, cause: str) -> None:
    if job.func_name == REFIT:
        with opened(Settings(), application="arena worker") as wiring:
            rating_runs.release(wiring, rating_runs.source_of(*job.args), cause)


def work(queue: str) -> None:
    """Run jobs of one queue until told to stop."""
    if queue not in QUEUES:
        raise SettingsError(f"There is no queue {queue!r}. Queues: {', '.join(QUEUES)}.")
    with opened(Settings(), application=f"arena {queue}") as wiring:
        worker = Worker(
            [wiring.bell.queue(queue)],
            connection=wiring.bell.redis,
            serializer=JSONSerializer,
            exception_handlers=[on_error],
            work_horse_killed_handler=on_killed,
            job_monitoring_interval=MONITOR_SECONDS,
            maintenance_interval=MAINTENANCE_SECONDS,
        )
        worker.work(logging_level="WARNING")


def sweep(wiring: Wiring) -> None:
    """Settle the votes nobody came back for, and ring for all work that no live worker has."""
    with wiring.sessions.begin() as session:
        voting.settle_overdue(session, wiring.settings)
    rating_runs.sweep(wiring)


def keep_sweeping() -> None:
    """Sweep again and again; while Postgres is away, say so and wait."""
    wiring = open_wiring(Settings(), application="arena cron")
    while True:
        try:
            sweep(wiring)
        except OperationalError as error:
            log.warning("sweep put off", reason=str(error.orig).strip())
        time.sleep(wiring.settings.reconcile_seconds)


def main(arguments: list[str]) -> None:
    """Run as a worker or as cron."""
    # What is imported stays: going through it again costs every job memory that it shares, and the end a second.
    gc.freeze()
    settings = Settings()
    set_up_logging(settings)
    match arguments:
        case ["worker", queue]:
            work(queue)
        case ["cron"]:
            keep_sweeping()
        case _:
            raise SystemExit("usage: python -m arena.jobs worker QUEUE | cron")


if __name__ == "__main__":
    main(sys.argv[1:])
