"""The one writer of votes: it gathers what arrives while a commit is under way and commits it together.

A ballot is answered after the commit that holds it, never before. This and `arena.live` are the async rooms.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import structlog
from psycopg import AsyncConnection, OperationalError
from psycopg.errors import (
    DeadlockDetected,
    ReadOnlySqlTransaction,
    UndefinedTable,
    UniqueViolation,
)
from psycopg_pool import AsyncConnectionPool

from arena.clock import now
from arena.errors import (
    AlreadyVotedError,
    BattleExpiredError,
    KeyReusedError,
    UnavailableError,
    UnknownBattleError,
)
from arena.store.votes import Ballot, Standing, cast, stand
from arena.terms import BattleState, Outcome

MOST_AT_ONCE = 256
WRITERS = 2
CONNECT_SECONDS = 5.0
# What it looks like when Postgres is away, on its way up, or between two databases: it passes.
AWAY = (OperationalError, ReadOnlySqlTransaction, UndefinedTable)

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Cast:
    """The answer to a ballot: what is stored, and whether this ballot stored it or a retry found it."""

    outcome: Outcome
    is_new: bool


# An error is an answer too: a writer must outlive whatever a ballot does to it.
Answer = Cast | BaseException


@dataclass(frozen=True)
class Waiting:
    """A ballot and who waits for its answer."""

    ballot: Ballot
    answer: asyncio.Future[Answer]


class VoteWriter:
    """Casts ballots in groups. Open it with the application, close it with the application."""

    def __init__(self, url: str, *, connect_seconds: float = CONNECT_SECONDS) -> None:
        self._pool = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=WRITERS,
            open=False,
            timeout=connect_seconds,
            check=AsyncConnectionPool.check_connection,
            kwargs={"application_name": "arena votes"},
        )
        self._waiting: asyncio.Queue[Waiting] = asyncio.Queue()
        self._writers: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        """Start the writers. Postgres may still be on its way up: ballots then wait, and say so."""
        await self._pool.open(wait=False)
        self._writers = [asyncio.create_task(self._write()) for _ in range(WRITERS)]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the writers; nobody who waits is told that an uncommitted vote was cast."""
        for writer in self._writers:
            writer.cancel()
        await asyncio.gather(*self._writers, return_exceptions=True)
        await self._pool.close()

    async def cast(self, ballot: Ballot) -> Cast:
        """Cast one ballot and return after its commit.

        Raises
        ------
        UnknownBattleError
            If the battle is not the voter's own.
        AlreadyVotedError, KeyReusedError, BattleExpiredError
            If it can take no vote any more, or the key was used for something else.
        UnavailableError
            If Postgres does not answer. The same ballot may be sent again.
        """
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait(Waiting(ballot, answer))
        result = await answer
        if isinstance(result, BaseException):
            raise result
        return result

    async def _write(self) -> None:
        while True:
            group = [await self._waiting.get()]
            while len(group) < MOST_AT_ONCE and not self._waiting.empty():
                group.append(self._waiting.get_nowait())
            await self._answer_all(group)

    async def _answer_all(self, group: Sequence[Waiting]) -> None:
        """Answer a group together; if that fails, one by one, so that nobody pays for another's ballot."""
        ballots = [waiting.ballot for waiting in group]
        (found,) = await asyncio.gather(self._cast(ballots), return_exceptions=True)
        if isinstance(found, BaseException) and len(group) > 1:
            for waiting in group:
                await self._answer_all([waiting])
            return
        answers = [found] if isinstance(found, BaseException) else found
        for waiting, answer in zip(group, answers, strict=True):
            if not waiting.answer.done():
                waiting.answer.set_result(answer)

    async def _cast(self, ballots: Sequence[Ballot]) -> Sequence[Answer]:
        try:
            async with self._pool.connection() as connection:
                return await _cast_group(connection, ballots)
        except AWAY as error:
            if isinstance(error, DeadlockDetected) and len(ballots) > 1:
                raise
            log.warning("votes were not stored", ballots=len(ballots), reason=type(error).__name__)
            message = (
                "The vote could not be stored just now. Nothing was lost; please send it again."
            )
            return [UnavailableError(message) for _ in ballots]


async def _cast_group(connection: AsyncConnection, ballots: Sequence[Ballot]) -> list[Answer]:
    """Cast a group in one commit. What another process got in the way of is raised, but for a single ballot."""
    try:
        async with connection.transaction():
            cast_keys = await cast(connection, ballots)
    except UniqueViolation:
        if len(ballots) > 1:
            raise
        cast_keys = set()
    standings = await stand(connection, ballots)
    return [
        _answer_to(ballot, standings.get((ballot.public_id, ballot.voter)), cast_keys)
        for ballot in ballots
    ]


def _answer_to(ballot: Ballot, standing: Standing | None, cast_keys: set[str]) -> Answer:
    """Say what became of a ballot, from how its battle stands after the commit."""
    if standing is None:
        return UnknownBattleError("There is no such battle of yours.")
    if standing.outcome is None:
        if standing.state == BattleState.OPEN and standing.expires_at > now():
            return KeyReusedError(
                "This idempotency key was used for another vote. Send a new key with a new vote."
            )
        return BattleExpiredError(
            "This battle waited too long for a vote. Nothing was recorded; take a new one."
        )
    if standing.idempotency_key != ballot.idempotency_key:
        if standing.state == BattleState.UNDONE:
            return AlreadyVotedError(
                "You took back your vote on this battle, and it takes no other. Take a new battle."
            )
        return AlreadyVotedError(
            f"This battle has your vote already: {standing.outcome}. It stays as it is."
        )
    if standing.outcome != ballot.outcome:
        return KeyReusedError(
            f"This key belongs to a vote for {standing.outcome!r}; {ballot.outcome.value!r} came with it. "
            "The stored vote stays as it is."
        )
    is_new = ballot.idempotency_key in cast_keys
    return Cast(Outcome(standing.outcome), is_new)
