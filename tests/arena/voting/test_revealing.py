import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena import voting
from arena.errors import AlreadySettledError, NotVotedError
from arena.store.preferences import count_new
from arena.store.tables import BattleRow, VoteRow, VoteUndoRow
from arena.terms import BattleState, Outcome
from arena.voting import Ballot, Revealed, VoteWriter
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_pool

Act = Callable[[Session, str, str], object]


@pytest.fixture
def battle(wiring: Wiring) -> str:
    """An open battle of the voter v."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        add_pool(session, board, add_models(session, "ash", "birch", "cedar"), prompts=2)
        generator = np.random.default_rng(0)
        return voting.draw_battle(
            session, "people", "v", generator=generator, settings=wiring.settings
        )


def cast(wiring: Wiring, battle: str, outcome: Outcome = Outcome.A) -> None:
    async def send() -> None:
        async with VoteWriter(wiring.libpq_url) as writer:
            await writer.cast(Ballot(battle, "v", outcome, f"key-{battle}"))

    asyncio.run(send())


def state(wiring: Wiring) -> str:
    with wiring.sessions() as session:
        return session.scalars(select(BattleRow.state)).one()


def counted(wiring: Wiring) -> int:
    with wiring.sessions.begin() as session:
        count_new(session)
        query = select(VoteRow.id).where(VoteRow.sequence.is_not(None))
        return len(session.scalars(query).all())


def test_names_come_after_the_vote_only(wiring: Wiring, battle: str) -> None:
    """Reveal before vote would unblind it."""
    with wiring.sessions() as session, pytest.raises(NotVotedError):
        voting.reveal_battle(session, battle, "v")

    assert state(wiring) == BattleState.OPEN


def test_a_vote_counts_from_its_reveal_on(wiring: Wiring, battle: str) -> None:
    """Until then it can be undone, so it must show nowhere."""
    cast(wiring, battle)
    before = counted(wiring)

    with wiring.sessions.begin() as session:
        revealed = voting.reveal_battle(session, battle, "v")

    assert (before, counted(wiring)) == (0, 1)
    assert revealed.is_new
    assert revealed.is_rated


def test_revealing_twice_changes_nothing(wiring: Wiring, battle: str) -> None:
    """A reload of the reveal is no second vote."""
    cast(wiring, battle)
    with wiring.sessions.begin() as session:
        voting.reveal_battle(session, battle, "v")

    with wiring.sessions.begin() as session:
        again = voting.reveal_battle(session, battle, "v")

    assert not again.is_new
    assert counted(wiring) == 1


def test_the_view_after_the_reveal_has_both_names(wiring: Wiring, battle: str) -> None:
    """Who was A and who was B, as drawn."""
    cast(wiring, battle)
    with wiring.sessions.begin() as session:
        voting.reveal_battle(session, battle, "v")

    with wiring.sessions() as session:
        view = voting.read_battle(session, battle, "v", settings=wiring.settings)

    assert view.names is not None
    assert {view.names.model_a, view.names.model_b} < {"ash", "birch", "cedar"}


def test_an_undone_vote_never_counts(wiring: Wiring, battle: str) -> None:
    """The row stays, the battle ends, nothing is rated."""
    cast(wiring, battle)

    with wiring.sessions.begin() as session:
        voting.undo_vote(session, battle, "v")

    assert state(wiring) == BattleState.UNDONE
    assert counted(wiring) == 0
    with wiring.sessions() as session:
        assert len(session.scalars(select(VoteUndoRow)).all()) == 1
    with wiring.sessions() as session, pytest.raises(NotVotedError):
        voting.reveal_battle(session, battle, "v")


def test_a_vote_taken_back_can_get_no_number(wiring: Wiring, battle: str) -> None:
    """Counted or taken back: the table itself lets a vote be one of the two."""
    cast(wiring, battle)
    with wiring.sessions.begin() as session:
        voting.undo_vote(session, battle, "v")

    with wiring.sessions() as session, pytest.raises(IntegrityError, match="append-only"):
        session.execute(text("UPDATE vote SET sequence = 1"))


def test_a_counted_vote_cannot_be_taken_back(wiring: Wiring, battle: str) -> None:
    """Else a rating would rest on a vote that is none."""
    cast(wiring, battle)
    with wiring.sessions.begin() as session:
        voting.reveal_battle(session, battle, "v")
    assert counted(wiring) == 1

    with wiring.sessions() as session, pytest.raises(IntegrityError, match="append-only"):
        session.execute(text("UPDATE vote SET is_undone = true"))


def test_after_the_reveal_there_is_no_undo(wiring: Wiring, battle: str) -> None:
    """A vote that knows the names must not be retracted."""
    cast(wiring, battle)
    with wiring.sessions.begin() as session:
        voting.reveal_battle(session, battle, "v")

    with wiring.sessions() as session, pytest.raises(AlreadySettledError):
        voting.undo_vote(session, battle, "v")


def test_a_vote_left_alone_settles_by_itself(wiring: Wiring, battle: str) -> None:
    """A closed tab must not lose a vote, and a running clock must not be cut short."""
    cast(wiring, battle)
    with wiring.sessions.begin() as session:
        early = voting.settle_overdue(session, wiring.settings)
    hasty = wiring.settings.model_copy(update={"settle_seconds": 0})

    with wiring.sessions.begin() as session:
        session.execute(text("SELECT pg_sleep(0.01)"))
        late = voting.settle_overdue(session, hasty)

    assert early == set()
    assert len(late) == 1
    assert counted(wiring) == 1


def test_who_reveals_while_it_settles_still_sees_the_names(wiring: Wiring, battle: str) -> None:
    """The page asks after 10 s, cron settles, people click twice: the later one finds it done."""
    cast(wiring, battle)

    again = after_another(wiring, voting.reveal_battle, then=voting.reveal_battle, battle=battle)

    assert isinstance(again, Revealed)
    assert not again.is_new


def test_who_takes_back_while_it_settles_is_told_that_it_stays(wiring: Wiring, battle: str) -> None:
    """That there is no vote would be false, and frightening."""
    cast(wiring, battle)

    refused = after_another(wiring, voting.reveal_battle, then=voting.undo_vote, battle=battle)

    assert isinstance(refused, AlreadySettledError)


def test_taking_back_twice_at_once_is_taking_back_once(wiring: Wiring, battle: str) -> None:
    """A double click gets one answer."""
    cast(wiring, battle)

    again = after_another(wiring, voting.undo_vote, then=voting.undo_vote, battle=battle)

    assert again is None
    assert state(wiring) == BattleState.UNDONE


def after_another(wiring: Wiring, first: Act, *, then: Act, battle: str) -> object:
    """Do one thing, begin the other before the first commits, and return what the other came to."""

    def do() -> object:
        with wiring.sessions.begin() as session:
            return then(session, battle, "v")

    with ThreadPoolExecutor(1) as pool:
        with wiring.sessions.begin() as session:
            first(session, battle, "v")
            later = pool.submit(do)
            wait_until_blocked(wiring)
        error = later.exception(timeout=10)
        return later.result() if error is None else error


def wait_until_blocked(wiring: Wiring) -> None:
    blocked = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    end = time.monotonic() + 10
    with wiring.sessions() as session:
        while session.scalar(blocked) == 0:
            assert time.monotonic() < end
            time.sleep(0.01)
            session.rollback()
