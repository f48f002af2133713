"""A run of people's votes says beside its ratings what each judge of the board says, and what it was worth."""

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from arena import rating_runs
from arena.store.preferences import Source
from arena.store.tables import (
    BoardRow,
    JudgeRow,
    ModelRow,
    RatingRow,
    RatingRunRow,
    RatingViewRow,
    VoteRow,
    VoterReviewRow,
)
from arena.terms import Outcome
from arena.wiring import Wiring
from ranking import POINTS_PER_LOGIT, DoublyJudged, Verdicts, prediction_powered
from tests.arena.rating_runs.judged_board import (
    STRENGTHS,
    add_battle,
    add_judged,
    add_reading,
)
from tests.arena.rows import add_board, add_judge, add_models, add_votes

BOTH, JUDGE_ONLY = 300, 1500
TOGETHER, ALONE = "human and judge: strict", "judge: strict"
Numbers = Mapping[str, tuple[float | None, float | None, float | None]]


def fill(session: Session, *, both: int = BOTH, judge_only: int = JUDGE_ONLY, **of_board) -> int:
    """The board `people` with a judge; return its number."""
    board = add_board(session, **of_board)
    models, judge = add_models(session, *STRENGTHS), add_judge(session, "strict")
    add_judged(session, board, judge, models, both=both, judge_only=judge_only)
    return board.id


def refit(wiring: Wiring, board_id: int) -> RatingRunRow:
    """Refit the people of the board and return the published run."""
    source = Source(board_id, None)
    with wiring.sessions.begin() as session:
        rating_runs.request(session, source)
    assert rating_runs.refit(wiring, source) == 1
    with wiring.sessions.begin() as session:
        return session.scalars(select(RatingRunRow).order_by(RatingRunRow.id.desc())).first()


def published(wiring: Wiring, **fields) -> RatingRunRow:
    with wiring.sessions.begin() as session:
        board_id = fill(session, **fields)
    return refit(wiring, board_id)


def by_people(wiring: Wiring, run: RatingRunRow) -> Numbers:
    rows = select(ModelRow.name, RatingRow.rating, RatingRow.lower, RatingRow.upper).join_from(
        RatingRow, ModelRow
    )
    with wiring.sessions.begin() as session:
        found = session.execute(rows.where(RatingRow.rating_run_id == run.id)).all()
    return {name: tuple(numbers) for name, *numbers in found}


def by_view(wiring: Wiring, run: RatingRunRow, view: str) -> Numbers:
    columns = (RatingViewRow.rating, RatingViewRow.lower, RatingViewRow.upper)
    rows = select(ModelRow.name, *columns).join_from(RatingViewRow, ModelRow)
    of_view = (RatingViewRow.rating_run_id == run.id, RatingViewRow.view == view)
    with wiring.sessions.begin() as session:
        return {name: tuple(numbers) for name, *numbers in session.execute(rows.where(*of_view))}


def replayed(wiring: Wiring, run: RatingRunRow) -> rating_runs.Replay:
    with wiring.sessions.begin() as session:
        return rating_runs.replay(session, run.id)


def only_finding(run: RatingRunRow) -> dict[str, object]:
    (found,) = run.findings["judged"]
    return found


def width(numbers: Numbers) -> float:
    return float(np.mean([upper - lower for _, lower, upper in numbers.values()]))


def test_the_three_readings_stand_side_by_side(wiring: Wiring) -> None:
    """Together they say what people say, with narrower intervals; the judge alone says what it likes."""
    run = published(wiring, both=600, judge_only=3000)

    people, together = by_people(wiring, run), by_view(wiring, run, TOGETHER)
    alone, found = by_view(wiring, run, ALONE), only_finding(run)
    assert people.keys() == together.keys() == alone.keys() == STRENGTHS.keys()
    assert width(together) < 0.95 * width(people)
    # It likes birch more than people do and ash less.
    assert alone["birch"][0] > alone["ash"][0]
    assert together["ash"][0] > together["birch"][0]
    assert found["absent"] is None
    assert (found["both"], found["judge_only"], found["one_order"]) == (600, 3000, 0)
    assert (found["human_votes"], 0 < found["share"] < 1) == (600, True)
    assert found["worth"] > 0.1 * 600


def test_the_numbers_are_those_of_the_engine(wiring: Wiring) -> None:
    """Read by hand from the tables: a mean of two orders for each battle, and a fit of what comes out."""
    run = published(wiring)
    names = sorted(STRENGTHS)
    with wiring.sessions.begin() as session:
        rows = session.execute(
            text(
                "SELECT a.name, b.name, (SELECT outcome FROM vote WHERE battle_id = battle.id),"
                " (SELECT avg(CASE outcome WHEN 'a' THEN 1 ELSE 0 END)::float"
                "  FROM judgment WHERE battle_id = battle.id)"
                " FROM battle JOIN model a ON a.id = model_a_id JOIN model b ON b.id = model_b_id"
            )
        ).all()

    def columns(*, voted: bool) -> tuple[np.ndarray, ...]:
        chosen = [row for row in rows if (row[2] is not None) == voted]
        first = np.array([names.index(row[0]) for row in chosen], np.int32)
        second = np.array([names.index(row[1]) for row in chosen], np.int32)
        return first, second, np.array([row[3] for row in chosen])

    first, second, judge = columns(voted=True)
    human = np.array([float(row[2] == "a") for row in rows if row[2] is not None])
    both = DoublyJudged(first, second, human, judge, np.ones(BOTH), len(names))
    twin = prediction_powered(both, Verdicts(*columns(voted=False), np.ones(JUDGE_ONLY), 4))
    together, alone, found = (
        by_view(wiring, run, TOGETHER),
        by_view(wiring, run, ALONE),
        only_finding(run),
    )

    for view, estimate in ((together, twin.combined), (alone, twin.judge)):
        ratings = 1000 + POINTS_PER_LOGIT * estimate.strength
        reach = 1.959964 * POINTS_PER_LOGIT * np.sqrt(estimate.covariance.diagonal())
        expected = np.column_stack([ratings, ratings - reach, ratings + reach])
        assert_allclose([view[name] for name in names], expected, atol=1e-4)
    assert_allclose([found["share"], found["worth"]], [twin.share, twin.worth], rtol=1e-9)


def test_a_replay_computes_the_readings_again(wiring: Wiring) -> None:
    """Each run with what its judge had read by then, whatever came later; a number that was changed is found."""
    first = published(wiring)
    with wiring.sessions.begin() as session:
        board = session.get_one(BoardRow, first.board_id)
        models = {row.name: row for row in session.scalars(select(ModelRow))}
        judge = session.scalars(select(JudgeRow)).one()
        add_judged(session, board, judge, models, both=0, judge_only=300, seed=1)
    second = refit(wiring, first.board_id)

    assert replayed(wiring, first).agrees
    assert replayed(wiring, second).agrees
    assert first.watermark == second.watermark
    marks = [run.selection["judges"][0]["watermark"] for run in (first, second)]
    assert marks[0] < marks[1]
    assert [only_finding(run)["judge_only"] for run in (first, second)] == [1500, 1800]
    with wiring.sessions.begin() as session:
        session.execute(text("ALTER TABLE rating_view DISABLE TRIGGER ALL"))
        session.execute(
            text("UPDATE rating_view SET upper = upper + 1 WHERE view = :view AND rank = 1"),
            {"view": TOGETHER},
        )
    assert replayed(wiring, second).differing == (f"ash ({TOGETHER})",)


def test_votes_in_quarantine_have_no_say_in_it(wiring: Wiring) -> None:
    """Without its vote a battle is one that only the judge decided."""
    with wiring.sessions.begin() as session:
        board_id = fill(session)
        voters = session.scalars(select(VoteRow.voter).order_by(VoteRow.id).limit(20)).all()
        session.add_all(
            VoterReviewRow(
                board_id=board_id,
                voter=voter,
                decision="quarantined",
                reason="A test.",
                actor="kim",
                evidence={},
            )
            for voter in voters
        )

    run = refit(wiring, board_id)

    found = only_finding(run)
    assert (found["both"], found["judge_only"]) == (BOTH - 20, JUDGE_ONLY + 20)
    assert found["human_votes"] == BOTH - 20
    assert replayed(wiring, run).agrees


def test_votes_that_the_judge_did_not_see_count_too(wiring: Wiring) -> None:
    """They are people's, and so they narrow the intervals with or without a judge."""
    with wiring.sessions.begin() as session:
        board_id = fill(session)
        board = session.get_one(BoardRow, board_id)
        ash, birch = session.scalars(select(ModelRow).order_by(ModelRow.name).limit(2))
        add_votes(session, board, ash, birch, outcome=Outcome.A, n=30)
        add_votes(session, board, ash, birch, outcome=Outcome.TIE, n=30)

    found = only_finding(refit(wiring, board_id))

    assert (found["both"], found["human_votes"]) == (BOTH, BOTH + 60)


def test_an_unrated_model_keeps_its_reason_in_every_reading(wiring: Wiring) -> None:
    """A judge does not bound what people's votes leave without a bound."""
    with wiring.sessions.begin() as session:
        board_id = fill(session)
        board, judge = session.get_one(BoardRow, board_id), session.scalars(select(JudgeRow)).one()
        elm = add_models(session, "elm")["elm"]
        ash = session.scalars(select(ModelRow).where(ModelRow.name == "ash")).one()
        for _ in range(5):
            battle = add_battle(session, board, (elm, ash), votes=[Outcome.A])
            session.add_all(add_reading(judge, battle, Outcome.B, Outcome.B))

    run = refit(wiring, board_id)

    with wiring.sessions.begin() as session:
        rows = session.execute(
            select(ModelRow.name, RatingViewRow).join_from(RatingViewRow, ModelRow)
        ).all()
    for view in (TOGETHER, ALONE):
        of_view = {name: row for name, row in rows if row.view == view}
        assert of_view["elm"].status == "unbounded_above"
        assert of_view["elm"].rating is None
        assert of_view["elm"].reason.startswith("never lost")
        assert (of_view["elm"].rank, of_view["elm"].rank_high) == (1, 5)
        assert min(row.rank for name, row in of_view.items() if name != "elm") == 2
    assert only_finding(run)["both"] == BOTH


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"ties": "davidson"}, "with ties as half a win; this board's model of ties is davidson"),
        ({"position": True}, "without a seat effect"),
        ({"both": 40}, "40 battles have both"),
        ({"judge_only": 0}, "no pair of models in common"),
    ],
)
def test_without_a_combination_there_is_its_reason(
    wiring: Wiring, fields: Mapping[str, object], reason: str
) -> None:
    """The ratings by people are published as ever; a number that cannot be had is not made up."""
    run = published(wiring, **fields)

    found = only_finding(run)
    assert reason in found["absent"]
    assert (found["share"], found["worth"]) == (None, None)
    assert by_view(wiring, run, TOGETHER) == {}
    assert by_view(wiring, run, ALONE) == {}
    assert replayed(wiring, run).agrees


def test_models_that_the_judge_cannot_be_checked_between_are_named(wiring: Wiring) -> None:
    """The sentence must say between which models it should decide battles with votes."""
    with wiring.sessions.begin() as session:
        board, judge = add_board(session), add_judge(session, "strict")
        models = add_models(session, *STRENGTHS)
        ash, birch, cedar, dawn = models.values()
        for number in range(240):
            pair = (ash, birch) if number % 2 else (cedar, dawn)
            said = Outcome.A if number % 3 else Outcome.B
            for votes in ([said], []):
                battle = add_battle(session, board, pair, votes=votes)
                session.add_all(add_reading(judge, battle, said, said))
        for outcome in (Outcome.A, Outcome.B):
            add_votes(session, board, birch, cedar, outcome=outcome, n=10)
        board_id = board.id

    found = only_finding(refit(wiring, board_id))

    assert found["absent"].endswith("The groups: ash, birch; cedar, dawn.")
