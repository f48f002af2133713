"""A board with votes of every kind that matters to a table."""

import pytest

from arena.terms import Outcome
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import publish
from tests.arena.rows import add_board, add_models, add_pool, add_votes


@pytest.fixture
def voted(wiring: Wiring) -> Wiring:
    """ash beats birch beats cedar, most of the time; dawn only ever wins; elm has answers and no votes."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        models = add_models(session, "ash", "birch", "cedar", "dawn", "elm")
        ash, birch, cedar, dawn, _ = models.values()
        for a, b, wins, losses in (
            (ash, birch, 30, 10),
            (birch, cedar, 30, 10),
            (ash, cedar, 35, 5),
        ):
            add_votes(session, board, a, b, outcome=Outcome.A, n=wins)
            add_votes(session, board, a, b, outcome=Outcome.B, n=losses)
        add_votes(session, board, dawn, ash, outcome=Outcome.A, n=5)
        add_pool(session, board, models, prompts=2)
    publish(wiring, "people")
    return wiring
