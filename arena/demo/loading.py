"""Load the demo board, once, and ask for its ratings."""

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.demo.content import read_content, read_scenarios
from arena.demo.evidence import add_run, add_scenario
from arena.demo.history import add_history
from arena.demo.judgments import add_judge, add_judgments
from arena.demo.pool import Pool, add_pool
from arena.demo.scoring import score_runs
from arena.demo.simulation import SEED, VOTES, simulate_votes
from arena.demo.verdicts import JUDGE, judge_history
from arena.rating_runs import request, ring
from arena.store.preferences import Source, count_new, lock_preferences
from arena.store.rating_runs import Wanted
from arena.store.registry import add_board
from arena.store.tables import BoardRow
from arena.terms import Cluster
from arena.wiring import Wiring

BOARD = "demo"
TITLE = "Demo"
ACTOR = "arena up --demo"
DESCRIPTION = (
    f"Made-up models answer prompts in several languages. {VOTES:,} votes and every verdict of the judge "
    "are simulated: nobody cast them. Votes of people join them here and can be told apart by their voters."
)


def load_demo(wiring: Wiring) -> bool:
    """Load the board unless it is there, and wake a worker for its ratings; return whether it was loaded."""
    with wiring.sessions.begin() as session:
        wanted = add_demo(session)
    if wanted is None:
        return False
    for each in wanted:
        ring(wiring, each)
    return True


def add_demo(session: Session) -> list[Wanted] | None:
    """Store the whole board and ask for its ratings; None if there is a board of this name.

    Two who load at once take turns: the second finds the board of the first.
    """
    lock_preferences(session)
    if session.scalar(select(BoardRow.id).where(BoardRow.name == BOARD)) is not None:
        return None
    board = add_board(session, BOARD, title=TITLE, actor=ACTOR, description=DESCRIPTION)
    # The simulated votes are drawn one by one: no voter leans more than another.
    board.cluster = Cluster.NONE
    board.is_simulated = True
    judge_id = _fill(session, board.id)
    count_new(session)
    sources = (Source(board.id, None), Source(board.id, judge_id))
    asked = [request(session, source) for source in sources]
    return [wanted for wanted in asked if wanted is not None]


def _fill(session: Session, board_id: int) -> int:
    """Store everything on the board, and return the id of its judge."""
    content = read_content()
    pool = add_pool(session, board_id, content)
    generator = np.random.default_rng(SEED)
    votes = simulate_votes(content.contestants, content.prompts, generator)
    battles = add_history(session, board_id, votes=votes, pool=pool)
    _add_runs(session, pool)
    judge_id = add_judge(session, JUDGE)
    judgments = [(battles[place], said) for place, said in judge_history(votes, content)]
    add_judgments(session, board_id, judge_id, judgments=judgments)
    return judge_id


def _add_runs(session: Session, pool: Pool) -> None:
    for scenario in read_scenarios():
        scenario_id = add_scenario(session, scenario)
        for run in score_runs(scenario):
            add_run(session, run, scenario_id=scenario_id, model_id=pool.models[run.model])
