"""Where two models stand on their board, once their names are shown."""

from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request

from arena import leaderboard
from arena.leaderboard import BoardView, Standing
from arena.terms import Outcome
from arena.voting import BattleView, Names
from web.charts import Axis, Span, axis_over, interval, ticks
from web.voting.acting import wiring_of

ROW_HEIGHT = 28


@dataclass(frozen=True)
class Side:
    """One of the two models, and the drawing of its interval."""

    letter: str
    model: Standing
    drawing: Markup

    @property
    def width(self) -> float | None:
        """How wide the interval of its rating is, in points."""
        if self.model.lower is None or self.model.upper is None:
            return None
        return self.model.upper - self.model.lower


@dataclass(frozen=True)
class BoardStanding:
    """Both models as of one rating run. `counts_vote` says whether that run has read this vote already."""

    run: int
    level: float
    counts_vote: bool
    ticks: Markup
    sides: tuple[Side, ...]

    @property
    def widths(self) -> list[float]:
        """The widths of the intervals that there are."""
        return [side.width for side in self.sides if side.width is not None]


def read_standing(request: Request, battle: BattleView) -> BoardStanding | None:
    """Return where the models of a revealed battle stand by people's votes, if a run has said so."""
    if battle.names is None:
        return None
    with wiring_of(request).sessions() as session:
        board = leaderboard.read_board(session, battle.board.name)
    if board.run is None or board.is_by_judge:
        return None
    is_counted = battle.sequence is not None and battle.sequence <= board.run.watermark
    found = models_of(board, battle.names)
    axis = axis_over(number for model in found.values() for number in span_of(model).known)
    return BoardStanding(
        run=board.run.id,
        level=float(str(board.run.method["level"])),
        counts_vote=is_counted and battle.outcome is not Outcome.SKIP,
        ticks=ticks(axis),
        sides=tuple(side_of(letter, model, axis) for letter, model in found.items()),
    )


def models_of(board: BoardView, names: Names) -> dict[str, Standing]:
    """Return the two models by their letter; one that left the board is not among them."""
    letters = {names.model_a: "A", names.model_b: "B"}
    found = {letters[each.model]: each for each in board.models if each.model in letters}
    return dict(sorted(found.items()))


def side_of(letter: str, model: Standing, axis: Axis) -> Side:
    """Return one side of the table."""
    return Side(letter, model, interval(axis, span_of(model), height=ROW_HEIGHT))


def span_of(model: Standing) -> Span:
    """Return the interval of a model's rating."""
    return Span(model.lower, model.rating, model.upper)
