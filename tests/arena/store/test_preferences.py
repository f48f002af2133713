from sqlalchemy import select, text

from arena.store.preferences import Source, count_new, read_counts, read_watermark, recount
from arena.store.tables import JudgmentRow, PreferenceCountRow, VoteRow
from arena.terms import Order, Outcome
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_judge, add_judgment, add_models, add_votes


def test_a_preference_is_counted_once(wiring: Wiring) -> None:
    """Counting again must find nothing left."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        models = add_models(session, "ash", "birch")
        add_votes(session, board, models["ash"], models["birch"], outcome=Outcome.A, n=3)

    with wiring.sessions.begin() as session:
        first = count_new(session)
    with wiring.sessions.begin() as session:
        second = count_new(session)
        total = session.scalars(select(PreferenceCountRow.n)).one()

    assert first == {Source(board.id, None)}
    assert second == set()
    assert total == 3


def test_a_skip_is_numbered_and_never_counted(wiring: Wiring) -> None:
    """Recorded, never rated."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        models = add_models(session, "ash", "birch")
        add_votes(session, board, models["ash"], models["birch"], outcome=Outcome.SKIP, n=2)

    with wiring.sessions.begin() as session:
        count_new(session)
        counts = read_counts(session, Source(board.id, None))
        unnumbered = session.scalars(select(VoteRow.id).where(VoteRow.sequence.is_(None))).all()

    assert counts == []
    assert unnumbered == []


def test_a_swapped_judgment_is_counted_by_what_was_shown_first(wiring: Wiring) -> None:
    """Slot A won in the swapped order: the second shown won, and the roll-up must say so."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        judge = add_judge(session, "scripted")
        models = add_models(session, "ash", "birch")
        ash, birch = models["ash"], models["birch"]
        verdicts = {Order.STRAIGHT: Outcome.A, Order.SWAPPED: Outcome.A}
        add_judgment(session, board, judge, ash, birch, outcomes=verdicts)

    with wiring.sessions.begin() as session:
        count_new(session)
        rows = read_counts(session, Source(board.id, judge.id))

    found = {(row.first_model_id, row.second_model_id, row.outcome) for row in rows}
    assert found == {(ash.id, birch.id, "a"), (birch.id, ash.id, "b")}


def test_what_could_not_be_parsed_is_not_counted(wiring: Wiring) -> None:
    """Only `ok` reaches a rating."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        judge = add_judge(session, "scripted")
        models = add_models(session, "ash", "birch")
        verdicts = {Order.STRAIGHT: Outcome.TIE, Order.SWAPPED: None}
        add_judgment(session, board, judge, models["ash"], models["birch"], outcomes=verdicts)

    with wiring.sessions.begin() as session:
        count_new(session)
        rows = read_counts(session, Source(board.id, judge.id))
        numbered = select(JudgmentRow.status).where(JudgmentRow.sequence.is_not(None))

    assert [(row.outcome, row.n) for row in rows] == [("tie", 1)]
    with wiring.sessions() as session:
        assert session.scalars(numbered).all() == ["ok"]


def test_the_counts_of_a_watermark_stay_what_they_were(wiring: Wiring) -> None:
    """A replay a year later must read the same preferences, whatever came after."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        models = add_models(session, "ash", "birch")
        add_votes(session, board, models["ash"], models["birch"], outcome=Outcome.A, n=3)
        count_new(session)
        source = Source(board.id, None)
        before, watermark = read_counts(session, source), read_watermark(session, source)
        add_votes(session, board, models["birch"], models["ash"], outcome=Outcome.A, n=4)
        count_new(session)

    with wiring.sessions() as session:
        assert recount(session, source, watermark or 0) == before
        newest = read_watermark(session, source)
        everything = recount(session, source, newest or 0)
        assert sorted(map(repr, everything)) == sorted(map(repr, read_counts(session, source)))


def test_a_late_commit_never_slips_under_a_watermark(wiring: Wiring) -> None:
    """A vote inserted early and committed late is numbered when it is seen, above all before it."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        models = add_models(session, "ash", "birch")
    source = Source(board.id, None)
    slow = wiring.sessions()
    add_votes(slow, board, models["ash"], models["birch"], outcome=Outcome.A, n=1)
    with wiring.sessions.begin() as session:
        add_votes(session, board, models["ash"], models["birch"], outcome=Outcome.B, n=1)
        count_new(session)
        watermark = read_watermark(session, source) or 0

    slow.commit()
    slow.close()
    with wiring.sessions.begin() as session:
        count_new(session)
        late = session.scalars(select(VoteRow).where(VoteRow.outcome == "a")).one()

    assert late.sequence is not None
    assert late.sequence > watermark
    with wiring.sessions() as session:
        assert [row.outcome for row in recount(session, source, watermark)] == ["b"]


def test_counts_are_of_the_day_in_utc(wiring: Wiring) -> None:
    """A window of days must mean the same everywhere."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        models = add_models(session, "ash", "birch")
        session.execute(text("SET LOCAL timezone = 'Asia/Tokyo'"))
        add_votes(session, board, models["ash"], models["birch"], outcome=Outcome.A, n=1)
        count_new(session)
        day = session.scalars(select(PreferenceCountRow.day)).one()
        utc = session.scalar(text("SELECT (now() AT TIME ZONE 'UTC')::date"))

    assert day == utc
