"""Rating runs: asked for, fitted, published, and computed again."""

from arena.rating_runs.refitting import refit
from arena.rating_runs.replaying import Replay, replay
from arena.rating_runs.requesting import (
    ask_for_board,
    release,
    request,
    request_people,
    ring,
    source_of,
    sweep,
)

__all__ = [
    "Replay",
    "ask_for_board",
    "refit",
    "release",
    "replay",
    "request",
    "request_people",
    "ring",
    "source_of",
    "sweep",
]
