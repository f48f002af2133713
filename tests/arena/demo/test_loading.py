"""Loading the demo gives a board that one can vote on and read, once, however often it is asked for."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.demo import BOARD, load_demo
from arena.demo.simulation import VOTES
from arena.errors import ConflictError
from arena.rating_runs import refit
from arena.store.boards import find_board, find_source
from arena.store.tables import (
    BattleRow,
    CellRow,
    JudgmentRow,
    ModelRow,
    PreferenceCountRow,
    RatingRow,
    RatingRunRow,
    RunRow,
    ScenarioRow,
    VoteRow,
)
from arena.terms import SIMULATED_VOTER, JudgmentStatus, Missing, Order, RatingStatus
from arena.voting import draw_battle
from arena.wiring import Wiring
from tests.arena.rows import add_judge

TABLES = (BattleRow, VoteRow, JudgmentRow, RunRow, CellRow, RatingRunRow, PreferenceCountRow)


def sizes(session: Session) -> dict[str, int]:
    return {
        table.__tablename__: session.scalars(select(func.count()).select_from(table)).one()
        for table in TABLES
    }


def test_the_board_is_there_and_says_that_it_is_simulated(wiring: Wiring) -> None:
    """Whoever shows a number of this board must be able to say what it is."""
    assert load_demo(wiring)
    with wiring.sessions() as session:
        board = find_board(session, BOARD)
        assert board.is_simulated
        assert board.description is not None
        assert "simulated" in board.description


def test_loading_again_changes_nothing(wiring: Wiring) -> None:
    """`arena up --demo` is typed every day."""
    load_demo(wiring)
    with wiring.sessions() as session:
        before = sizes(session)
    assert not load_demo(wiring)
    with wiring.sessions() as session:
        assert sizes(session) == before


def test_two_who_load_at_once_load_once(wiring: Wiring) -> None:
    """Two servers may start on one empty database."""
    with ThreadPoolExecutor(2) as pool:
        loaded = list(pool.map(load_demo, [wiring, wiring]))
    assert sorted(loaded) == [False, True]


def test_simulated_votes_can_be_told_from_those_of_people(wiring: Wiring) -> None:
    """A visitor's vote joins the board; the page must be able to count both apart."""
    load_demo(wiring)
    with wiring.sessions() as session:
        simulated = VoteRow.voter.startswith(SIMULATED_VOTER)
        count = select(func.count()).select_from(VoteRow)
        assert session.scalars(count.where(simulated)).one() == VOTES
        assert session.scalars(count.where(~simulated)).one() == 0
        assert session.scalars(count.where(VoteRow.sequence.is_(None))).one() == 0


def test_a_visitor_can_vote_at_once(wiring: Wiring) -> None:
    """The first battle is drawn from the stored answers, without a worker or a rating."""
    load_demo(wiring)
    with wiring.sessions.begin() as session:
        generator = np.random.default_rng(1)
        public_id = draw_battle(
            session, BOARD, "visitor", generator=generator, settings=wiring.settings
        )
        battle = session.scalars(select(BattleRow).filter_by(public_id=public_id)).one()
        assert battle.completion_a_id is not None


@pytest.mark.parametrize("source_name", ["people", "scripted"])
def test_both_sources_are_rated(wiring: Wiring, source_name: str) -> None:
    """The request waits for a worker, and its run puts all six contestants in an order."""
    load_demo(wiring)
    with wiring.sessions() as session:
        source = find_source(session, find_board(session, BOARD), source_name)
    assert refit(wiring, source) == 1
    with wiring.sessions() as session:
        rated = session.execute(
            select(ModelRow.name, RatingRow.status)
            .join(RatingRow, RatingRow.model_id == ModelRow.id)
            .join(RatingRunRow, RatingRunRow.id == RatingRow.rating_run_id)
            .where(RatingRunRow.judge_id.is_not_distinct_from(source.judge_id))
            .order_by(RatingRow.rank)
        ).all()
    assert {status for _, status in rated} == {RatingStatus.RATED}
    assert len(rated) == 6
    assert rated[-1].name == "stubfinch-1"


def test_the_judge_read_each_battle_in_both_orders(wiring: Wiring) -> None:
    """A rating by a judge needs both, and some that could not be parsed, as with any judge."""
    load_demo(wiring)
    with wiring.sessions() as session:
        orders = func.array_agg(JudgmentRow.order)
        grouped = session.scalars(select(orders).group_by(JudgmentRow.battle_id)).all()
        statuses = set(session.scalars(select(JudgmentRow.status).distinct()))
    assert {tuple(sorted(each)) for each in grouped} == {(Order.STRAIGHT, Order.SWAPPED)}
    assert statuses == {JudgmentStatus.OK, JudgmentStatus.UNPARSED}


def test_cells_show_values_and_more_than_one_kind_of_missing(wiring: Wiring) -> None:
    """The page that tells the kinds apart needs them to be there."""
    load_demo(wiring)
    with wiring.sessions() as session:
        kinds = set(session.scalars(select(CellRow.missing).distinct()))
        asked = select(func.count(RunRow.id)).join(ScenarioRow).group_by(ScenarioRow.name)
        runs = session.scalars(asked.order_by(ScenarioRow.name)).all()
        values = session.scalars(select(CellRow).where(CellRow.missing.is_(None))).all()
    assert kinds == {None, Missing.FAILED, Missing.NOT_APPLICABLE}
    assert runs == [6, 5]
    assert all(cell.n == cell.n_total == 40 for cell in values)


def test_a_run_keeps_what_it_takes_to_score_it_again(wiring: Wiring) -> None:
    """A cell that cannot be recomputed is hearsay."""
    load_demo(wiring)
    with wiring.sessions() as session:
        cell = session.scalars(select(CellRow).where(CellRow.value.is_not(None)).limit(1)).one()
        record = session.get_one(RunRow, cell.run_id).record
    marks = [item["marks"][cell.metric] for item in record["items"]]
    assert sum(marks) / len(marks) == cell.value


def test_a_foreign_judge_of_this_name_is_not_taken_over(wiring: Wiring) -> None:
    """Its verdicts would stand under somebody else's template; nothing is stored instead."""
    with wiring.sessions.begin() as session:
        add_judge(session, "scripted")
    with pytest.raises(ConflictError, match="scripted"):
        load_demo(wiring)
    with wiring.sessions() as session:
        assert sizes(session)["battle"] == 0
