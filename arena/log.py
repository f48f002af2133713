"""Logging: one line an event, for people or as JSON.

Texts of prompts and answers are never logged, and neither are local variables of a traceback: they hold both those
and secrets.
"""

import logging
import sys

import structlog
from structlog.processors import ExceptionRenderer
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import Processor

from arena.settings import Settings

# Their lines say what ours say already, a request or a job at a time.
QUIET = ("alembic", "httpx", "uvicorn.access")


def set_up_logging(settings: Settings) -> None:
    """Send our lines and the libraries' through one format to standard error."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_rendering(settings),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )


def _rendering(settings: Settings) -> list[Processor]:
    if settings.log_format == "json":
        tracebacks = ExceptionRenderer(ExceptionDictTransformer(show_locals=False))
        return [tracebacks, structlog.processors.JSONRenderer()]
    return [
        structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    ]
