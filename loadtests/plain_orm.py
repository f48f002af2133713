"""The vote as one would write it first: a session of the ORM for each request. The yardstick of the real route."""

import os

from fastapi import FastAPI
from sqlalchemy import select

from arena.store.engine import open_engine, open_sessions
from arena.store.tables import BattleRow, VoteRow
from arena.terms import BattleState, Outcome


def create_app() -> FastAPI:
    app = FastAPI()
    sessions = open_sessions(open_engine(os.environ["PLAIN_ORM_URL"], pool_size=20))

    @app.post("/vote/{public_id}")
    def vote(public_id: str) -> dict[str, str]:
        with sessions.begin() as session:
            battle = session.scalars(
                select(BattleRow).where(BattleRow.public_id == public_id)
            ).one()
            battle.state = BattleState.VOTED
            session.add(
                VoteRow(
                    battle_id=battle.id,
                    voter=battle.voter,
                    outcome=Outcome.A,
                    idempotency_key=f"plain-{public_id}",
                )
            )
        return {"stored": public_id}

    return app
