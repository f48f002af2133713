"""A board with ratings, a judge, cells and names that no address likes."""

from arena.store import leaderboard
from arena.store.boards import find_board
from arena.store.preferences import Source
from arena.terms import Order, Outcome
from arena.wiring import Wiring
from tests.arena.leaderboard.rated import add_run, add_scenario, publish
from tests.arena.rows import add_board, add_judge, add_judgment, add_models, add_votes

SLASHED = "lab/ash? 50 %"
HOSTILE = "<b>birch</b> & co"
FAILED = {"value": None, "missing": "failed", "reason": "stopped at item 3 of 8"}
LINES = ((SLASHED, HOSTILE, 12, 4), (HOSTILE, "cedar", 9, 5), (SLASHED, "cedar", 10, 2))


def add_awkward(wiring: Wiring, *, is_simulated: bool = False) -> None:
    """Publish a run of people's votes and one of a judge's."""
    with wiring.sessions.begin() as session:
        board = add_board(session, is_simulated=is_simulated)
        judge = add_judge(session, "oak")
        models = add_models(session, SLASHED, HOSTILE, "cedar", "dawn")
        for a, b, wins, losses in LINES:
            for outcome, n in ((Outcome.A, wins), (Outcome.B, losses), (Outcome.TIE, 2)):
                add_votes(session, board, models[a], models[b], outcome=outcome, n=n)
            for outcome in (Outcome.A, Outcome.A, Outcome.B):
                orders: dict[Order, Outcome | None] = dict.fromkeys(Order, outcome)
                add_judgment(session, board, judge, models[a], models[b], outcomes=orders)
        add_votes(session, board, models["dawn"], models["cedar"], outcome=Outcome.A, n=3)
        scenario = add_scenario(session, "birds")
        add_run(session, scenario, models[SLASHED], {"value": 0.25, "n": 8})
        add_run(session, scenario, models["cedar"], FAILED)
    publish(wiring, "people")
    publish(wiring, "people", "oak")


def newest_run(wiring: Wiring) -> int:
    """The number of the newest published run of people's votes."""
    with wiring.sessions() as session:
        run = leaderboard.newest_run(session, Source(find_board(session, "people").id, None))
    assert run is not None
    return run.id
