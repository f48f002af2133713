"""Load the demo board, once, and ask for its ratings."""

from collections.abc import Sequence

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.demo.content import (
    read_answers,
    read_contestants,
    read_prompts,
    read_scenarios,
)
from arena.demo.evidence import add_run, add_scenario
from arena.demo.history import add_history, battle_key
from arena.demo.judging import add_judge, add_judgments
from arena.demo.pool import Pool, add_pool
from arena.demo.scoring import score_runs
from arena.demo.simulation import SEED, VOTES, SimulatedVote, simulate_votes
from arena.demo.verdicts import JUDGE, Sampled, ask_scripted, scripted_judge
from arena.rating_runs import request, ring
from arena.store.preferences import Source, count_new, lock_preferences
from arena.store.rating_runs import Wanted
from arena.store.tables import BoardRow, EventRow
from arena.wiring import Wiring

BOARD = "demo"
TITLE = "Demo"
DESCRIPTION = (
    f"Made-up models answer prompts in several languages. {VOTES:,} votes and every verdict of the judge "
    "are simulated: nobody cast them. Votes of people join them here and can be told apart by their voters."
)
# Of the history the judge reads one battle in so many.
JUDGED_EVERY = 5


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
    board = BoardRow(name=BOARD, title=TITLE, description=DESCRIPTION, is_simulated=True)
    session.add(board)
    session.flush()
    judge_id = _fill(session, board)
    session.add(EventRow(actor="demo", action="board.load", subject=BOARD))
    session.flush()
    count_new(session)
    sources = (Source(board.id, None), Source(board.id, judge_id))
    asked = [request(session, source) for source in sources]
    return [wanted for wanted in asked if wanted is not None]


def _fill(session: Session, board: BoardRow) -> int:
    """Store everything on the board, and return the id of its judge."""
    prompts, contestants, answers = read_prompts(), read_contestants(), read_answers()
    pool = add_pool(session, board.id, prompts=prompts, contestants=contestants, answers=answers)
    votes = simulate_votes(contestants, prompts, np.random.default_rng(SEED))
    languages = {prompt.id: prompt.language for prompt in prompts}
    battles = add_history(session, board.id, votes=votes, pool=pool, languages=languages)
    _add_evidence(session, pool)
    return _add_verdicts(session, board, votes, battles=battles)


def _add_evidence(session: Session, pool: Pool) -> None:
    for scenario in read_scenarios():
        scenario_id = add_scenario(session, scenario)
        for run in score_runs(scenario):
            add_run(session, run, scenario_id=scenario_id, model_id=pool.models[run.model])


def _add_verdicts(
    session: Session, board: BoardRow, votes: Sequence[SimulatedVote], *, battles: Sequence[int]
) -> int:
    """Ask the judge about a sample of the history, store what it says, and return its id."""
    answers = read_answers()
    texts = {(answer.prompt, answer.model): answer.text for answer in answers}
    questions = {prompt.id: prompt.text for prompt in read_prompts()}
    ids = {battle_key(number): battle_id for number, battle_id in enumerate(battles, start=1)}
    sampled = [
        Sampled(key, questions[vote.prompt], texts[vote.prompt, vote.a], texts[vote.prompt, vote.b])
        for key, vote in list(zip(ids, votes, strict=True))[::JUDGED_EVERY]
    ]
    said = ask_scripted(scripted_judge(read_contestants(), answers), sampled)
    judge_id = add_judge(session, JUDGE)
    judgments = [(ids[key], judgment) for key, judgment in said]
    add_judgments(session, board.id, judge_id, judgments=judgments)
    return judge_id
