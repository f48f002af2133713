from dataclasses import replace

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import IntegrityError

from arena import rating_runs
from arena.errors import ConflictError, UnknownRatingRunError
from arena.queue import Bell, open_redis
from arena.rating_runs import refitting, requesting
from arena.store import rating_runs as runs
from arena.store.preferences import Source
from arena.store.tables import BoardRow, ModelRow, RatingRow, RatingRunRow
from arena.terms import Outcome, RatingStatus, RunState
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_votes


@pytest.fixture
def source(wiring: Wiring) -> Source:
    """A board where ash beats birch three times of four."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        models = add_models(session, "ash", "birch")
        add_votes(session, board, models["ash"], models["birch"], outcome=Outcome.A, n=30)
        add_votes(session, board, models["ash"], models["birch"], outcome=Outcome.B, n=10)
    return Source(board.id, None)


def ask(wiring: Wiring, source: Source) -> runs.Wanted | None:
    with wiring.sessions.begin() as session:
        return rating_runs.request(session, source)


def vote_again(wiring: Wiring, source: Source) -> None:
    with wiring.sessions.begin() as session:
        board = session.get_one(BoardRow, source.board_id)
        ash, birch = session.scalars(select(ModelRow).order_by(ModelRow.name))
        add_votes(session, board, ash, birch, outcome=Outcome.A, n=1)


def states(wiring: Wiring) -> list[str]:
    with wiring.sessions() as session:
        return list(session.scalars(select(RatingRunRow.state).order_by(RatingRunRow.id)))


def test_a_request_becomes_a_published_run(wiring: Wiring, source: Source) -> None:
    """Three wins in four are 190.85 points, 1000 in the middle, with an interval around each."""
    ask(wiring, source)

    published = rating_runs.refit(wiring, source)

    assert published == 1
    with wiring.sessions() as session:
        run = session.scalars(select(RatingRunRow)).one()
        ratings = session.scalars(select(RatingRow).order_by(RatingRow.rank)).all()
    assert run.state == RunState.PUBLISHED
    assert run.preferences == 40
    assert run.voters == 40
    assert [rating.battles for rating in ratings] == [40, 40]
    assert ratings[0].rating - ratings[1].rating == pytest.approx(190.85, abs=0.01)
    assert ratings[0].lower < ratings[0].rating < ratings[0].upper


def test_asking_twice_is_one_request(wiring: Wiring, source: Source) -> None:
    """A thousand votes a second must not make a thousand runs."""
    assert ask(wiring, source) is not None
    assert ask(wiring, source) is None

    assert rating_runs.refit(wiring, source) == 1
    assert states(wiring) == [RunState.PUBLISHED]


def test_a_vote_during_a_refit_leads_to_another(wiring: Wiring, source: Source) -> None:
    """RQ would refuse a second job while the first runs: the row does not."""
    ask(wiring, source)
    begun = refitting.begin(wiring, source)
    assert begun is not None
    vote_again(wiring, source)
    requesting.count_all(wiring)

    refitting.finish(wiring, begun)

    assert states(wiring) == [RunState.PUBLISHED, RunState.REQUESTED]


def test_a_run_counts_the_voters_of_its_own_votes(wiring: Wiring, source: Source) -> None:
    """Who votes while it fits is counted by the next: the number stands beside a watermark."""
    ask(wiring, source)
    begun = refitting.begin(wiring, source)
    assert begun is not None
    vote_again(wiring, source)
    requesting.count_all(wiring)

    refitting.finish(wiring, begun)
    rating_runs.refit(wiring, source)

    with wiring.sessions() as session:
        voters = session.scalars(select(RatingRunRow.voters).order_by(RatingRunRow.id)).all()
    assert voters == [40, 41]


def test_a_second_claim_fences_the_first_off(wiring: Wiring, source: Source) -> None:
    """A worker thought dead that wakes up late must not publish over its successor."""
    ask(wiring, source)
    late = refitting.begin(wiring, source)
    assert late is not None
    with wiring.sessions.begin() as session:
        runs.release_run(session, late.claim, "thought dead")
    successor = refitting.begin(wiring, source)
    assert successor is not None

    assert refitting.finish(wiring, successor)
    assert not refitting.finish(wiring, late)

    with wiring.sessions() as session:
        assert session.scalar(select(func.count()).select_from(RatingRow)) == 2


def test_publishing_twice_changes_nothing(wiring: Wiring, source: Source) -> None:
    """Killed after the commit and run again, the job finds nothing to do."""
    ask(wiring, source)
    begun = refitting.begin(wiring, source)
    assert begun is not None
    assert refitting.finish(wiring, begun)

    assert not refitting.finish(wiring, begun)
    assert rating_runs.refit(wiring, source) == 0


def test_only_one_worker_refits_a_source(wiring: Wiring, source: Source) -> None:
    """An orphan that still runs keeps its lock; the next worker leaves it alone."""
    ask(wiring, source)

    with runs.refit_lock(wiring.engine, source) as taken:
        assert taken
        assert rating_runs.refit(wiring, source) == 0

    assert rating_runs.refit(wiring, source) == 1


def test_a_sweep_finds_votes_that_nobody_asked_for(wiring: Wiring, source: Source) -> None:
    """With Redis wiped and no request written, the counts alone say what is stale."""
    waiting = rating_runs.sweep(wiring)

    assert [wanted.source for wanted in waiting] == [source]
    assert rating_runs.refit(wiring, source) == 1
    assert rating_runs.sweep(wiring) == []


def test_a_sweep_frees_the_run_of_a_dead_worker(wiring: Wiring, source: Source) -> None:
    """Claimed, then killed: nobody holds the lock, so the run goes back in line."""
    ask(wiring, source)
    refitting.begin(wiring, source)

    waiting = rating_runs.sweep(wiring)

    assert [wanted.source for wanted in waiting] == [source]
    assert rating_runs.refit(wiring, source) == 1


def test_a_sweep_leaves_the_run_of_a_live_worker_alone(wiring: Wiring, source: Source) -> None:
    """Slow is not dead."""
    ask(wiring, source)
    with runs.refit_lock(wiring.engine, source):
        refitting.begin(wiring, source)

        assert rating_runs.sweep(wiring) == []
        assert states(wiring) == [RunState.RUNNING]


def test_a_run_that_keeps_dying_is_given_up_with_its_cause(wiring: Wiring, source: Source) -> None:
    """Two retries, then the reason stays on the row and the old ratings stay on the page."""
    ask(wiring, source)
    for _ in range(runs.MOST_ATTEMPTS):
        begun = refitting.begin(wiring, source)
        assert begun is not None
        rating_runs.release(wiring, source, "killed by signal 9, want of memory")

    assert states(wiring) == [RunState.FAILED]
    assert rating_runs.sweep(wiring) == []
    with wiring.sessions() as session:
        assert "memory" in session.scalars(select(RatingRunRow.reason)).one()


def test_silence_of_redis_loses_no_request(wiring: Wiring, source: Source) -> None:
    """The bell is a convenience; the row is the work."""
    deaf = replace(wiring, bell=Bell(open_redis("unix:///nonexistent/redis.sock")))
    wanted = ask(wiring, source)
    assert wanted is not None

    assert not rating_runs.ring(deaf, wanted)

    assert [each.source for each in rating_runs.sweep(wiring)] == [source]


def test_a_published_run_cannot_be_changed(wiring: Wiring, source: Source) -> None:
    """What a board showed stays what it showed."""
    ask(wiring, source)
    rating_runs.refit(wiring, source)

    for statement in ("UPDATE rating_run SET preferences = 1", "UPDATE rating SET rating = 0"):
        with wiring.sessions() as session, pytest.raises(IntegrityError, match="refused"):
            session.execute(text(statement))


def test_a_replay_agrees_with_what_was_published(wiring: Wiring, source: Source) -> None:
    """From the votes themselves, to a millionth of a point, after newer votes came."""
    ask(wiring, source)
    rating_runs.refit(wiring, source)
    vote_again(wiring, source)
    requesting.count_all(wiring)

    with wiring.sessions() as session:
        run_id = session.scalars(select(RatingRunRow.id)).one()
        found = rating_runs.replay(session, run_id)

    assert found.agrees
    assert found.largest_difference <= 1e-6
    assert found.models == 2


def test_a_replay_notices_votes_that_are_not_the_same(wiring: Wiring, source: Source) -> None:
    """A digest that could not fail would prove nothing."""
    ask(wiring, source)
    rating_runs.refit(wiring, source)
    with wiring.sessions.begin() as session:
        session.execute(text("ALTER TABLE vote DISABLE TRIGGER ALL"))
        session.execute(text("UPDATE vote SET outcome = 'b' WHERE id = (SELECT min(id) FROM vote)"))

    with wiring.sessions() as session:
        run_id = session.scalars(select(RatingRunRow.id)).one()
        found = rating_runs.replay(session, run_id)

    assert not found.counts_agree
    assert not found.agrees
    assert "cannot be computed again" in found.sentence()


def test_only_a_published_run_is_replayed(wiring: Wiring, source: Source) -> None:
    """An unknown number and an unfinished run each say so."""
    wanted = ask(wiring, source)
    assert wanted is not None

    with wiring.sessions() as session:
        with pytest.raises(UnknownRatingRunError):
            rating_runs.replay(session, 10_000)
        with pytest.raises(ConflictError, match="requested"):
            rating_runs.replay(session, wanted.run_id)


def test_an_unbeaten_model_is_published_without_a_number(wiring: Wiring) -> None:
    """Its rating has no upper end; the row says so instead of a large number."""
    with wiring.sessions.begin() as session:
        board = add_board(session, "unbeaten")
        models = add_models(session, "best", "mid", "low")
        for a, b, n in (("best", "mid", 5), ("mid", "low", 3), ("low", "mid", 2)):
            add_votes(session, board, models[a], models[b], outcome=Outcome.A, n=n)
    source = Source(board.id, None)
    ask(wiring, source)

    rating_runs.refit(wiring, source)

    with wiring.sessions() as session:
        row = session.scalars(
            select(RatingRow).where(RatingRow.model_id == models["best"].id)
        ).one()
    assert row.status == RatingStatus.UNBOUNDED_ABOVE
    assert row.rating is None
    assert row.reason
