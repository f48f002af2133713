"""What a voter may see of a battle. Before the reveal there is no name in here to leak."""

from dataclasses import dataclass

from arena.terms import BattleState, Outcome


@dataclass(frozen=True)
class BoardRef:
    """Which board a battle belongs to."""

    name: str
    title: str
    is_simulated: bool


@dataclass(frozen=True)
class Names:
    """Who stood in which slot: only in the view of a revealed battle."""

    model_a: str
    model_b: str


@dataclass(frozen=True)
class BattleView:
    """One battle as its voter sees it.

    `number` counts from 1 within a session of `wanted` battles; `answered` and `skipped` are the voter's on this
    board. `undo_seconds_left` is what the page's clock shows; holding the clock does not shorten it. `sequence` is the
    number under which the vote was counted: a rating run whose watermark is below it has not read it yet.
    """

    public_id: str
    board: BoardRef
    state: BattleState
    is_expired: bool
    prompt: str
    answer_a: str
    answer_b: str
    outcome: Outcome | None
    undo_seconds_left: int | None
    names: Names | None
    number: int
    wanted: int
    answered: int
    skipped: int
    sequence: int | None
