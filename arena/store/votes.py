"""Casting votes: one statement for a whole batch, on an async connection; the rest is constraints.

A battle goes from open to voted and its vote is inserted in one statement, so that neither is ever without
the other. What could not be cast is looked up afterwards to say why.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg import AsyncConnection
from psycopg.rows import class_row

from arena.terms import BattleState, Outcome


@dataclass(frozen=True)
class Ballot:
    """What a voter sends: which battle, who they are, what they say, and the key that makes a retry harmless."""

    public_id: str
    voter: str
    outcome: Outcome
    idempotency_key: str
    address: str | None = None
    language: str | None = None


@dataclass(frozen=True)
class Standing:
    """How a battle stands for a voter, after a cast that did not open it."""

    public_id: str
    voter: str
    state: BattleState
    expires_at: datetime
    outcome: str | None
    idempotency_key: str | None


# Of several ballots of a voter for one battle in a batch, or with one key, the first is cast.
CAST = """
WITH ballot AS (
    SELECT DISTINCT ON (public_id, voter) * FROM (
        SELECT DISTINCT ON (idempotency_key) *
        FROM unnest(%(public_id)s::text[], %(voter)s::text[], %(outcome)s::text[],
                    %(idempotency_key)s::text[], %(address)s::text[], %(language)s::text[])
             WITH ORDINALITY
             AS ballot (public_id, voter, outcome, idempotency_key, address, language, n)
        ORDER BY idempotency_key, n
    ) AS once
    ORDER BY public_id, voter, n
), opened AS (
    UPDATE battle SET state = 'voted'
    FROM ballot
    WHERE battle.public_id = ballot.public_id AND battle.voter = ballot.voter
      AND battle.state = 'open' AND battle.expires_at > now()
      AND NOT EXISTS (SELECT FROM vote WHERE vote.idempotency_key = ballot.idempotency_key)
    RETURNING battle.id AS battle_id, ballot.*
)
INSERT INTO vote (battle_id, voter, outcome, idempotency_key, address, language)
SELECT battle_id, voter, outcome, idempotency_key, address, language FROM opened
RETURNING idempotency_key
"""
STAND = """
SELECT battle.public_id, battle.voter, battle.state, battle.expires_at,
       vote.outcome, vote.idempotency_key
FROM battle LEFT JOIN vote ON vote.battle_id = battle.id AND vote.voter = battle.voter
WHERE battle.public_id = ANY(%(public_id)s) AND battle.voter = ANY(%(voter)s)
"""


async def cast(connection: AsyncConnection, ballots: Sequence[Ballot]) -> set[str]:
    """Cast what can be cast; return the idempotency keys of the votes that were inserted."""
    columns = {
        "public_id": [ballot.public_id for ballot in ballots],
        "voter": [ballot.voter for ballot in ballots],
        "outcome": [ballot.outcome.value for ballot in ballots],
        "idempotency_key": [ballot.idempotency_key for ballot in ballots],
        "address": [ballot.address for ballot in ballots],
        "language": [ballot.language for ballot in ballots],
    }
    cursor = await connection.execute(CAST, columns)
    return {row[0] for row in await cursor.fetchall()}


async def stand(
    connection: AsyncConnection, ballots: Sequence[Ballot]
) -> dict[tuple[str, str], Standing]:
    """Return how the battles of these ballots stand, by battle and voter."""
    keys = {
        "public_id": [ballot.public_id for ballot in ballots],
        "voter": [ballot.voter for ballot in ballots],
    }
    async with connection.cursor(row_factory=class_row(Standing)) as cursor:
        await cursor.execute(STAND, keys)
        rows = await cursor.fetchall()
    return {(row.public_id, row.voter): row for row in rows}
