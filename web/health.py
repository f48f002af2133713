"""Whether we live, whether we are ready, and what we have answered so far."""

import structlog
from fastapi import APIRouter, Request
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import JSONResponse, Response

from arena.errors import UnavailableError
from arena.operations.readiness import check_ready
from arena.wiring import Wiring
from web.security import Seen

BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
FAILURE = 500
SLOW_SECONDS = 1.0

log = structlog.get_logger(__name__)
router = APIRouter(tags=["operation"])


class Meters:
    """Counts of what one process answered. Labels are patterns of addresses, so that there are few."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._answers = Counter(
            "arena_http_answers",
            "Requests answered.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self._seconds = Histogram(
            "arena_http_seconds",
            "Time to the end of an answer.",
            ["route"],
            buckets=BUCKETS,
            registry=self.registry,
        )

    def see(self, seen: Seen) -> None:
        """Count a request that was answered; one that failed or was slow gets a line in the log, all of them at debug."""
        self._answers.labels(seen.method, seen.route, seen.status).inc()
        self._seconds.labels(seen.route).observe(seen.seconds)
        # Everything is counted above; a line for each vote would cost a tenth of what the vote does.
        tell = log.warning if seen.status >= FAILURE or seen.seconds > SLOW_SECONDS else log.debug
        tell(
            "answered",
            method=seen.method,
            route=seen.route,
            status=seen.status,
            milliseconds=round(seen.seconds * 1000, 1),
        )


@router.get("/healthz")
async def live() -> dict[str, str]:
    """Say that the process answers; no other server is asked."""
    return {"status": "ok"}


@router.get("/readyz")
def ready(request: Request) -> JSONResponse:
    """Say whether votes can be taken: Postgres answers and has the tables that this code wants."""
    wiring: Wiring = request.app.state.wiring
    try:
        check_ready(wiring)
    except UnavailableError as error:
        return JSONResponse({"status": "unavailable", "detail": error.message}, error.status)
    return JSONResponse({"status": "ok"})


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Return the counts in the text format of Prometheus."""
    meters: Meters = request.app.state.meters
    return Response(generate_latest(meters.registry), media_type=CONTENT_TYPE_LATEST)
