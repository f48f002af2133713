"""Queries of pair policies: a board's newest one is in force."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.pairing import Policy
from arena.store.tables import PairPolicyRow
from arena.store.tables.base import Json
from arena.terms import PolicyKind


@dataclass(frozen=True)
class PolicyInForce:
    """A policy and the row that it is stored in, which every battle drawn by it names."""

    row_id: int
    policy: Policy


def current_policy(session: Session, board_id: int) -> PolicyInForce:
    """Return the pair policy in force, making the uniform one for a board that has none."""
    row = session.scalar(
        select(PairPolicyRow)
        .where(PairPolicyRow.board_id == board_id)
        .order_by(PairPolicyRow.id.desc())
        .limit(1)
    )
    if row is None:
        return add_policy(session, board_id, Policy())
    return PolicyInForce(row.id, Policy(PolicyKind(row.kind), **row.parameters))


def add_policy(session: Session, board_id: int, policy: Policy) -> PolicyInForce:
    """Put a policy in force from now on; what was drawn by the ones before keeps naming them."""
    row = PairPolicyRow(board_id=board_id, kind=policy.kind, parameters=_parameters(policy))
    session.add(row)
    session.flush()
    return PolicyInForce(row.id, policy)


def _parameters(policy: Policy) -> Json:
    """Return what of a policy has a bearing on what it draws."""
    match policy.kind:
        case PolicyKind.UNIFORM:
            return {}
        case PolicyKind.TOP_K:
            return {"epsilon": policy.epsilon, "top": policy.top}
        case _:
            return {"epsilon": policy.epsilon}
