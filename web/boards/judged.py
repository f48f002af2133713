"""The section on people and a judge together: what its template draws and says, made from the view once."""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from arena.leaderboard import BoardView, JudgeBeside, Reading
from web import charts
from web.charts import Axis, span_of
from web.pages.numbers import counted

ROW_HEIGHT = 26


@dataclass(frozen=True)
class JudgeSection:
    """One judge beside people, all its intervals on one axis."""

    beside: JudgeBeside
    axis: Axis

    @property
    def worth(self) -> str:
        """What the judge was worth, in one sentence."""
        votes = round(self.beside.worth or 0)
        if votes < 1:
            return "The judge was worth no further human vote."
        return (
            f"The judge was worth about {counted(votes)} human {'vote' if votes == 1 else 'votes'}."
        )

    def bar(self, reading: Reading) -> Markup:
        """Return an interval."""
        return charts.interval(self.axis, span_of(reading), height=ROW_HEIGHT)


def sections_of(view: BoardView) -> tuple[JudgeSection, ...]:
    """Return a section for each judge beside the people of a board."""
    return tuple(JudgeSection(beside, charts.axis_of(_readings(beside))) for beside in view.judged)


def _readings(beside: JudgeBeside) -> Iterator[Reading]:
    for model in beside.models:
        yield from (model.people, model.together)
        if model.judge is not None:
            yield model.judge
