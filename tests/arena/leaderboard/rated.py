"""Boards with published runs, made the way the product makes them."""

from arena import rating_runs
from arena.store.boards import find_board, find_source
from arena.wiring import Wiring


def publish(wiring: Wiring, board: str, source: str = "people") -> None:
    """Count what is settled on a board and publish a run of a source."""
    rating_runs.sweep(wiring)
    with wiring.sessions.begin() as session:
        found = find_source(session, find_board(session, board), source)
        rating_runs.request(session, found)
    rating_runs.refit(wiring, found)
