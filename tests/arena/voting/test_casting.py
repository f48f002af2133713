import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from sqlalchemy import func, select, text

from arena.errors import (
    AlreadyVotedError,
    ArenaError,
    BattleExpiredError,
    KeyReusedError,
    UnknownBattleError,
)
from arena.store.tables import BattleRow, VoteRow
from arena.terms import BattleState, Outcome
from arena.voting import Ballot, Cast, VoteWriter, draw_battle, undo_vote
from arena.wiring import Wiring
from tests.arena.rows import add_board, add_models, add_pool


@pytest.fixture
def battle(wiring: Wiring) -> str:
    """An open battle of the voter v."""
    with wiring.sessions.begin() as session:
        board = add_board(session)
        add_pool(session, board, add_models(session, "ash", "birch", "cedar"), prompts=4)
    return draw(wiring, "v")


def draw(wiring: Wiring, voter: str) -> str:
    generator = np.random.default_rng(0)
    with wiring.sessions.begin() as session:
        return draw_battle(session, "people", voter, generator=generator, settings=wiring.settings)


def ballot(battle: str, outcome: Outcome = Outcome.A, key: str = "k", voter: str = "v") -> Ballot:
    return Ballot(battle, voter, outcome, key)


def cast_all(wiring: Wiring, ballots: Sequence[Ballot]) -> list[Cast | BaseException]:
    """Cast ballots at once, as that many browsers would."""

    async def cast() -> list[Cast | BaseException]:
        async with VoteWriter(wiring.libpq_url) as writer:
            calls = [writer.cast(each) for each in ballots]
            return await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 20)

    return asyncio.run(cast())


def cast_one(wiring: Wiring, one: Ballot) -> Cast:
    answer = cast_all(wiring, [one])[0]
    if isinstance(answer, BaseException):
        raise answer
    return answer


def stored(wiring: Wiring) -> list[str]:
    with wiring.sessions() as session:
        return list(session.scalars(select(VoteRow.outcome).order_by(VoteRow.id)))


def test_a_cast_vote_is_stored_and_its_battle_moves(wiring: Wiring, battle: str) -> None:
    """The two are one statement: neither is ever without the other."""
    answer = cast_one(wiring, ballot(battle))

    assert answer == Cast(Outcome.A, is_new=True)
    assert stored(wiring) == ["a"]
    with wiring.sessions() as session:
        assert session.scalars(select(BattleRow.state)).one() == BattleState.VOTED


def test_fifty_ballots_with_one_key_are_one_vote(wiring: Wiring, battle: str) -> None:
    """A double click, a retry and a replay get the answer of the first."""
    answers = cast_all(wiring, [ballot(battle)] * 50)

    assert stored(wiring) == ["a"]
    assert {answer.outcome for answer in answers if isinstance(answer, Cast)} == {Outcome.A}
    assert not [answer for answer in answers if isinstance(answer, BaseException)]


def test_fifty_ballots_with_other_keys_are_one_vote_and_conflicts(
    wiring: Wiring, battle: str
) -> None:
    """Opposite outcomes race; one is stored, the rest are told so."""
    outcomes = [Outcome.A, Outcome.B, Outcome.TIE, Outcome.BOTH_BAD, Outcome.SKIP]
    ballots = [ballot(battle, outcomes[place % 5], f"k{place}") for place in range(50)]

    answers = cast_all(wiring, ballots)

    assert len(stored(wiring)) == 1
    assert sum(isinstance(answer, Cast) for answer in answers) == 1
    assert sum(isinstance(answer, AlreadyVotedError) for answer in answers) == 49


def test_a_retry_after_a_lost_answer_finds_the_stored_vote(wiring: Wiring, battle: str) -> None:
    """Killed between commit and answer, the client sends the same again."""
    cast_one(wiring, ballot(battle))

    again = cast_one(wiring, ballot(battle))

    assert again == Cast(Outcome.A, is_new=False)
    assert stored(wiring) == ["a"]


def test_a_key_with_another_outcome_is_refused(wiring: Wiring, battle: str) -> None:
    """Same key, other body: the stored vote stays."""
    cast_one(wiring, ballot(battle))

    with pytest.raises(KeyReusedError):
        cast_one(wiring, ballot(battle, Outcome.B))

    assert stored(wiring) == ["a"]


def test_a_key_of_another_battle_is_refused_and_leaves_the_battle_open(
    wiring: Wiring, battle: str
) -> None:
    """A reused key must not close a battle without a vote."""
    cast_one(wiring, ballot(battle))
    other = draw(wiring, "w")

    with pytest.raises(KeyReusedError):
        cast_one(wiring, ballot(other, voter="w"))

    assert cast_one(wiring, ballot(other, key="k2", voter="w")).is_new


def test_one_bad_ballot_does_not_spoil_its_group(wiring: Wiring, battle: str) -> None:
    """Those who share a commit share nothing else."""
    other = draw(wiring, "w")
    ballots = [
        ballot("no-such-battle-22-letters", key="k0"),
        ballot(battle, key="k1"),
        ballot(battle, key="k2", voter="w"),
        ballot(other, key="k3", voter="w"),
    ]

    answers = cast_all(wiring, ballots)

    kinds = [type(answer) for answer in answers]
    assert kinds == [UnknownBattleError, Cast, UnknownBattleError, Cast]


def test_an_expired_battle_takes_no_vote(wiring: Wiring, battle: str) -> None:
    """An old tab gets a clear answer, and nothing is stored."""
    with wiring.sessions.begin() as session:
        session.execute(text("UPDATE battle SET expires_at = now() - interval '1 second'"))

    with pytest.raises(BattleExpiredError):
        cast_one(wiring, ballot(battle))

    assert stored(wiring) == []


def test_a_vote_can_be_neither_changed_nor_deleted(wiring: Wiring, battle: str) -> None:
    """Append-only is the table's doing, not a habit of ours."""
    cast_one(wiring, ballot(battle))

    for statement in ("UPDATE vote SET outcome = 'b'", "DELETE FROM vote", "TRUNCATE vote CASCADE"):
        with wiring.sessions() as session, pytest.raises(Exception, match="append-only"):
            session.execute(text(statement))

    assert stored(wiring) == ["a"]


def test_without_postgres_the_answer_is_try_again(wiring: Wiring) -> None:
    """503, never a thank-you for a vote that is nowhere."""

    async def cast() -> ArenaError:
        url = "postgresql:///nowhere?host=/nonexistent"
        writer = VoteWriter(url, connect_seconds=0.2)
        async with writer:
            with pytest.raises(ArenaError) as caught:
                await writer.cast(ballot("b"))
        return caught.value

    assert asyncio.run(cast()).status == 503


def test_skips_are_stored_and_counted_apart(wiring: Wiring, battle: str) -> None:
    """A skip is recorded; it is a row like any other, and rated by nobody."""
    cast_one(wiring, ballot(battle, Outcome.SKIP))

    with wiring.sessions() as session:
        n = session.scalar(select(func.count()).where(VoteRow.outcome == Outcome.SKIP))
    assert n == 1


def test_a_ballot_that_cannot_be_stored_stops_nobody_else(wiring: Wiring, battle: str) -> None:
    """A writer that died of one ballot would leave every later voter waiting for ever."""
    long_key = "k" * 1000
    bad = [ballot(draw(wiring, voter), key=long_key + voter, voter=voter) for voter in "xyz"]

    answers = cast_all(wiring, [*bad, ballot(battle)])

    assert [isinstance(answer, Cast) for answer in answers] == [False, False, False, True]
    assert stored(wiring) == ["a"]


def test_while_the_tables_are_away_the_answer_is_try_again(wiring: Wiring, battle: str) -> None:
    """Between two databases of a restore there are none; once they are back, votes go on."""

    async def cast() -> tuple[ArenaError, Cast]:
        async with VoteWriter(wiring.libpq_url) as writer:
            rename(wiring, "battle", "battle_away")
            with pytest.raises(ArenaError) as caught:
                await asyncio.wait_for(writer.cast(ballot(battle)), 5)
            rename(wiring, "battle_away", "battle")
            return caught.value, await asyncio.wait_for(writer.cast(ballot(battle)), 5)

    refused, answer = asyncio.run(cast())

    assert refused.status == 503
    assert answer.is_new


def rename(wiring: Wiring, before: str, after: str) -> None:
    with wiring.sessions.begin() as session:
        session.execute(text(f"ALTER TABLE {before} RENAME TO {after}"))


def test_a_stranger_in_the_group_does_not_take_the_place_of_the_voter(
    wiring: Wiring, battle: str
) -> None:
    """Whoever got hold of a battle's id must not keep its voter's ballot out."""
    stranger = ballot(battle, Outcome.B, key="k0", voter="stranger")

    answers = cast_all(wiring, [stranger, ballot(battle)])

    assert [type(answer) for answer in answers] == [UnknownBattleError, Cast]
    assert stored(wiring) == ["a"]


def test_a_battle_whose_vote_was_taken_back_says_so(wiring: Wiring, battle: str) -> None:
    """That the vote stays as it is would not be true."""
    cast_one(wiring, ballot(battle))
    with wiring.sessions.begin() as session:
        undo_vote(session, battle, "v")

    with pytest.raises(AlreadyVotedError, match="took back"):
        cast_one(wiring, ballot(battle, Outcome.B, key="k2"))
