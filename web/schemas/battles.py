"""A battle as a program sees it. Before the reveal there is no field that could hold a name."""

from pydantic import BaseModel

from arena.terms import BattleState, Outcome
from arena.voting import BattleView


class Board(BaseModel):
    """Which board a battle belongs to."""

    name: str
    title: str
    is_simulated: bool


class Names(BaseModel):
    """Who stood on which side."""

    model_a: str
    model_b: str


class Battle(BaseModel):
    """One battle of the caller's own. `names` is null until they are shown, the answers where the battle is void."""

    id: str
    board: Board
    state: BattleState
    is_expired: bool
    prompt: str
    answer_a: str | None
    answer_b: str | None
    outcome: Outcome | None
    undo_seconds_left: int | None
    names: Names | None
    number: int
    wanted: int
    answered: int
    skipped: int


class Stored(BaseModel):
    """The vote as it is stored: the same answer to the first sending and to every retry."""

    battle: str
    outcome: Outcome


def battle_of(view: BattleView) -> Battle:
    """Return the JSON twin of a battle's page."""
    is_void = view.state is BattleState.VOID
    names = None
    if view.names is not None:
        names = Names(model_a=view.names.model_a, model_b=view.names.model_b)
    return Battle(
        id=view.public_id,
        board=Board(
            name=view.board.name, title=view.board.title, is_simulated=view.board.is_simulated
        ),
        state=view.state,
        is_expired=view.is_expired,
        prompt=view.prompt,
        answer_a=None if is_void else view.answer_a,
        answer_b=None if is_void else view.answer_b,
        outcome=view.outcome,
        undo_seconds_left=view.undo_seconds_left,
        names=names,
        number=view.number,
        wanted=view.wanted,
        answered=view.answered,
        skipped=view.skipped,
    )
