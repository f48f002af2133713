"""The bell that wakes workers. What there is to do lies in Postgres; Redis may forget everything.

Job ids carry a minute, so that a bell that was lost is rung again, and one that is still ringing is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from arena.clock import now

RATINGS = "ratings"
JUDGING = "judging"
CELLS = "cells"
IMPORTS = "imports"
QUEUES = (RATINGS, JUDGING, CELLS, IMPORTS)

REFIT = "arena.jobs.refit"

CONNECT_SECONDS = 2
BELL_SECONDS = 60
FAILURE_SECONDS = 60

log = structlog.get_logger(__name__)


def open_redis(url: str) -> Redis:
    """Return a client that gives up soon: nobody who votes waits for the bell."""
    client: Redis = Redis.from_url(
        url, socket_connect_timeout=CONNECT_SECONDS, health_check_interval=30
    )
    return client


@dataclass(frozen=True)
class Bell:
    """Rings for workers; silence, when Redis is down, loses nothing."""

    redis: Redis

    def queue(self, name: str) -> Queue:
        """Return the queue of this name, its jobs written as JSON."""
        return Queue(name, connection=self.redis, serializer=JSONSerializer)

    def ring(self, job: str, ids: Sequence[int], *, work: int, queue: str, seconds: int) -> bool:
        """Ask a worker of `queue` to run `job` with these ids; return whether the bell hangs there now.

        `work` is the row that asks. For one row the bell rings once a minute at most.
        """
        minute = int(now().timestamp()) // BELL_SECONDS
        job_id = f"{job.rpartition('.')[2]}-{work}-{minute}"
        try:
            self.queue(queue).enqueue(
                job,
                *ids,
                job_id=job_id,
                unique=True,
                job_timeout=seconds,
                result_ttl=0,
                failure_ttl=FAILURE_SECONDS,
            )
        except DuplicateJobError:
            return True
        except RedisError as error:
            log.warning("the bell is silent", job=job_id, reason=type(error).__name__)
            return False
        return True

    def depths(self) -> dict[str, int]:
        """Return how many jobs wait in each queue."""
        return {name: self.queue(name).count for name in QUEUES}
