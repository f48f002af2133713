"""Boards with single votes of voters whose conduct is known."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import numpy as np
from sqlalchemy import insert
from sqlalchemy.orm import Session

from arena.keys import new_public_id
from arena.store.preferences import count_new
from arena.store.tables import BattleRow, BoardRow, ModelRow, VoteRow
from arena.terms import BattleState, Outcome
from arena.wiring import Wiring
from ranking import Battles
from tests.arena.rows import add_board, add_models
from tests.ranking.anomalies.voting import MODELS, hall

KEY = b"a key of sixteen or more bytes"
OUTCOMES = {1.0: Outcome.A, 0.5: Outcome.TIE, 0.0: Outcome.B}
HONEST, VOTES = 25, 60
NAMES = [f"model-{number:02}" for number in range(MODELS)]


def add_ballots(
    session: Session,
    board: BoardRow,
    models: Mapping[str, ModelRow],
    voter: str,
    battles: Battles,
    *,
    since: datetime,
) -> None:
    """Settled votes of one voter, a second apart."""
    ids = [models[name].id for name in NAMES]
    rows = [
        {
            "public_id": new_public_id(),
            "board_id": board.id,
            "model_a_id": ids[first],
            "model_b_id": ids[second],
            "state": BattleState.REVEALED,
            "voter": voter,
        }
        for first, second in zip(battles.first, battles.second, strict=True)
    ]
    statement = insert(BattleRow).returning(BattleRow.id, sort_by_parameter_order=True)
    battle_ids = session.scalars(statement, rows).all()
    session.execute(
        insert(VoteRow),
        [
            {
                "battle_id": battle_id,
                "voter": voter,
                "outcome": OUTCOMES[float(score)],
                "cast_at": since + timedelta(seconds=number),
            }
            for number, (battle_id, score) in enumerate(zip(battle_ids, battles.score, strict=True))
        ],
    )


def fill_board(
    wiring: Wiring, conducts: Mapping[str, str], *, seed: int = 3, **fields: object
) -> int:
    """Make board "people" with 25 honest voters, and others by name and conduct; return its number."""
    town = hall(np.random.default_rng(seed))
    since = datetime.fromisoformat("2026-05-01T12:00:00+00:00")
    with wiring.sessions.begin() as session:
        board, models = add_board(session, **fields), add_models(session, *NAMES)
        for number in range(HONEST):
            own = town.vote("honest", VOTES)
            add_ballots(session, board, models, f"honest-{number}", own, since=since)
        for voter, conduct in conducts.items():
            own = town.vote(conduct, VOTES)
            add_ballots(session, board, models, voter, own, since=since)
        number = board.id
    count_everything(wiring)
    return number


def count_everything(wiring: Wiring) -> None:
    """Count every settled vote."""
    with wiring.sessions.begin() as session:
        while count_new(session):
            pass
