"""The simulated votes as rows: settled battles of the board, each by a voter who is named as simulated."""

from collections.abc import Sequence

from sqlalchemy import insert
from sqlalchemy.orm import Session

from arena.demo.pool import Pool
from arena.demo.simulation import SimulatedVote
from arena.keys import new_public_id
from arena.store.tables import BattleRow, VoteRow
from arena.terms import SIMULATED_VOTER, BattleState


def add_history(
    session: Session, board_id: int, *, votes: Sequence[SimulatedVote], pool: Pool
) -> list[int]:
    """Store the votes and their battles; return the id of each vote's battle, in the order of the votes."""
    battles = [_battle(board_id, number, vote, pool) for number, vote in enumerate(votes, start=1)]
    statement = insert(BattleRow).returning(BattleRow.id, sort_by_parameter_order=True)
    battle_ids = list(session.scalars(statement, battles))
    session.execute(
        insert(VoteRow),
        [
            {
                "battle_id": battle_id,
                "voter": vote.voter,
                "outcome": vote.outcome,
                "cast_at": vote.cast_at,
                "language": vote.prompt.language,
            }
            for battle_id, vote in zip(battle_ids, votes, strict=True)
        ],
    )
    return battle_ids


def _battle(board_id: int, number: int, vote: SimulatedVote, pool: Pool) -> dict[str, object]:
    return {
        "public_id": new_public_id(),
        "board_id": board_id,
        "prompt_id": pool.prompts[vote.prompt.id],
        "model_a_id": pool.models[vote.a],
        "model_b_id": pool.models[vote.b],
        "completion_a_id": pool.completions[vote.prompt.id, vote.a],
        "completion_b_id": pool.completions[vote.prompt.id, vote.b],
        "state": BattleState.REVEALED,
        "voter": vote.voter,
        "external_key": f"{SIMULATED_VOTER}{number:04}",
        "created_at": vote.cast_at,
    }
