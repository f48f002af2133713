"""How a board draws its pairs: chosen by name, in force from the next draw on."""

from dataclasses import replace

from sqlalchemy.orm import Session

from arena.errors import InputError
from arena.pairing import Policy
from arena.store import registry as rows
from arena.store.boards import find_board
from arena.store.policies import add_policy
from arena.terms import PolicyKind


def choose_policy(
    session: Session,
    board_name: str,
    kind: PolicyKind,
    *,
    actor: str,
    epsilon: float | None = None,
    top: int | None = None,
) -> Policy:
    """Let a board draw pairs by a policy from now on; return it with what was not said filled in.

    Raises
    ------
    InputError
        If the share of uniform draws is not above 0 and at most 1, if there are fewer than one top ranks, or if
        either was given to a policy that does not look at it.
    """
    _refuse(kind, epsilon, top)
    policy = Policy(kind)
    policy = policy if epsilon is None else replace(policy, epsilon=epsilon)
    policy = policy if top is None else replace(policy, top=top)
    board = find_board(session, board_name)
    stored = add_policy(session, board.id, policy)
    detail = {"policy": stored.row_id, "kind": kind.value}
    rows.record(session, "board.pairing", board_name, actor=actor, detail=detail)
    return policy


def _refuse(kind: PolicyKind, epsilon: float | None, top: int | None) -> None:
    if epsilon is not None and not 0 < epsilon <= 1:
        raise InputError(
            f"The share of draws that are uniform is {epsilon}; expected above 0 and at most 1. Without one some "
            "pairs would never be drawn."
        )
    if epsilon is not None and kind == PolicyKind.UNIFORM:
        raise InputError("All draws are uniform already; give a share of them to another policy.")
    if top is not None and kind != PolicyKind.TOP_K:
        raise InputError(
            f"The policy {kind.value!r} looks at no top ranks; give them to {PolicyKind.TOP_K.value!r}."
        )
    if top is not None and top < 1:
        raise InputError(f"The number of top ranks is {top}; expected 1 or more.")
