"""How a board is rated from now on: chosen setting by setting, in force from its next run."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy.orm import Session

from arena.errors import InputError, UnknownModelError
from arena.rating_runs.inputs import method_of
from arena.rating_runs.method import Method
from arena.store import registry as rows
from arena.store.boards import find_board
from arena.store.tables import BoardRow
from arena.terms import BothBad, Cluster, Interval, Ties

# Under it an interval would rather miss the truth than hold it; the table of boards refuses it.
LEAST_LEVEL = 0.5


@dataclass(frozen=True)
class Anchoring:
    """Where the scale is fixed: a model at so many points; without a model the pool's mean stands at 1000."""

    model: str | None
    points: float = 1000.0


@dataclass(frozen=True)
class MethodChange:
    """What is to be otherwise; None leaves it as it is."""

    ties: Ties | None = None
    both_bad: BothBad | None = None
    interval: Interval | None = None
    rounds: int | None = None
    level: float | None = None
    seed: int | None = None
    position: bool | None = None
    cluster: Cluster | None = None
    anchor: Anchoring | None = None
    style: tuple[str, ...] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to change."""
        return self == MethodChange()

    def of(self, method: Method) -> Method:
        """Return the method with what is to be otherwise, but for the anchor."""
        return replace(
            method,
            ties=self.ties or method.ties,
            both_bad=self.both_bad or method.both_bad,
            interval=self.interval or method.interval,
            rounds=method.rounds if self.rounds is None else self.rounds,
            level=method.level if self.level is None else self.level,
            seed=method.seed if self.seed is None else self.seed,
            position=method.position if self.position is None else self.position,
            cluster=self.cluster or method.cluster,
            style=method.style if self.style is None else self.style,
        )


def change_method(session: Session, board_name: str, change: MethodChange, *, actor: str) -> Method:
    """Let a board be rated by other settings from its next run on, and write down who said so; return its method.

    Raises
    ------
    UnknownBoardError, UnknownModelError
        If there is no such board, or no model of the anchor's name.
    InputError
        If a number is out of range; then nothing is changed.
    """
    board = find_board(session, board_name)
    before = method_of(session, board)
    anchor = before.anchor if change.anchor is None else _anchor(session, change.anchor)
    after = replace(change.of(before), anchor=anchor)
    if not after.level > LEAST_LEVEL:
        raise InputError(
            f"level is {after.level}; expected a share over {LEAST_LEVEL}, as in 0.95, so that an interval "
            "rather holds the truth than misses it."
        )
    _put(session, board, after)
    if detail := _differences(before, after):
        rows.record(session, "board.method", board_name, actor=actor, detail=detail)
    return after


def _anchor(session: Session, anchoring: Anchoring) -> tuple[str, float] | None:
    if anchoring.model is None:
        return None
    model = rows.find_model(session, anchoring.model)
    if model is None:
        raise UnknownModelError(
            f"No model is called {anchoring.model!r}. `arena model list` prints those there are.",
            model=anchoring.model,
        )
    return model.name, anchoring.points


def _put(session: Session, board: BoardRow, method: Method) -> None:
    board.ties, board.both_bad = method.ties, method.both_bad
    board.interval, board.rounds = method.interval, method.rounds
    board.level, board.seed = method.level, method.seed
    board.position, board.cluster = method.position, method.cluster
    board.style = {"features": list(method.style)} if method.style else None
    if method.anchor is None:
        board.anchor_model_id = None
        return
    model = rows.find_model(session, method.anchor[0])
    assert model is not None, "the anchor was looked up, or is that of the board"
    board.anchor_model_id, board.anchor_points = model.id, method.anchor[1]


def _differences(before: Method, after: Method) -> dict[str, Any]:
    """Return what was and what is, of each setting that is another one now."""
    was, now = asdict(before), asdict(after)
    return {name: {"was": was[name], "is": now[name]} for name in now if was[name] != now[name]}
