"""Compare two models of a board by the newest published run of each source."""

from dataclasses import dataclass
from math import ceil, isfinite

from sqlalchemy.orm import Session

from arena.errors import InputError, NotRatedError, UnknownModelError
from arena.leaderboard.comparison_findings import find_comparison
from arena.leaderboard.comparison_views import ComparisonView, SourceComparison, Span, Weighed
from arena.leaderboard.contrasts import Covariance, read_contrasts
from arena.leaderboard.published import Published, head_of, read_published
from arena.leaderboard.sources import board_sources
from arena.leaderboard.standings import NO_VOTES
from arena.store.boards import find_board
from arena.store.leaderboard import CountedSource, read_totals
from arena.store.registry import find_model
from arena.terms import BothBad, Outcome
from ranking import POINTS_PER_LOGIT, Comparison, compare

NO_RUN = "no rating run is published yet"
NO_SPREAD = "their votes show no spread, so no interval can be drawn"


@dataclass(frozen=True)
class AskedComparison:
    """What somebody wants to know of two models. A level of None is that of each rating run."""

    model: str
    other: str
    margin: float = 0.0
    level: float | None = None

    def __post_init__(self) -> None:
        if not (isfinite(self.margin) and self.margin >= 0):
            raise InputError(f"the margin is {self.margin}; expected points, 0 or more.")
        if self.level is not None and not 0 < self.level < 1:
            raise InputError(
                f"level is {self.level}; expected a share between 0 and 1, as in 0.95."
            )


@dataclass(frozen=True)
class Contestants:
    """Two models by name, as a board shows them, and the rule of the board for "both bad"."""

    names: tuple[str, str]
    rule: BothBad


def read_comparison(session: Session, board_name: str, asked: AskedComparison) -> ComparisonView:
    """Return how two models of a board compare by each of its sources.

    Raises
    ------
    UnknownBoardError, UnknownModelError
        If there is no such board or model.
    InputError
        If both are one model.
    NotRatedError
        If no source has a difference of the two; the message says why for each.
    """
    board = find_board(session, board_name)
    names = (own_name(session, asked.model), own_name(session, asked.other))
    if names[0] == names[1]:
        raise InputError(f"{names[0]} cannot be compared with itself. Name two models.")
    pair = Contestants(names, BothBad(board.both_bad))
    found = tuple(
        compare_by(session, source, pair, asked) for source in board_sources(session, board)
    )
    if all(each.difference is None for each in found):
        reasons = " ".join(f"By {each.source}: {each.finding}." for each in found)
        raise NotRatedError(f"{names[0]} and {names[1]} cannot be compared. {reasons}")
    return ComparisonView(head_of(board), *names, asked.margin, found)


def own_name(session: Session, name: str) -> str:
    """Return the name under which a model is shown, also for one of its other names."""
    model = find_model(session, name)
    if model is None:
        raise UnknownModelError(
            f"No model is called {name!r}. `arena model list` prints those there are.", model=name
        )
    return model.name


def compare_by(
    session: Session, source: CountedSource, pair: Contestants, asked: AskedComparison
) -> SourceComparison:
    """Return what the newest run of a source says of two models."""
    published = read_published(session, source)
    if published is None:
        return SourceComparison(source.name, None, source.preferences, None, NO_RUN)
    run, preferences = published.run, published.run.preferences or 0
    reason = why_not_rated(published, pair.names)
    if reason is not None:
        return SourceComparison(source.name, run.id, preferences, None, reason)
    covariance = read_contrasts(session, run)
    found = None if covariance is None else tell_apart(published, pair.names, covariance, asked)
    if found is None:
        return SourceComparison(source.name, run.id, preferences, None, NO_SPREAD)
    weighed = in_points(found, preferences, tie_share(session, source, pair.rule))
    finding = find_comparison(pair.names, weighed, asked.margin)
    return SourceComparison(source.name, run.id, preferences, weighed, finding)


def why_not_rated(published: Published, names: tuple[str, str]) -> str | None:
    """Return why the run has no difference of two models, if it has none."""
    said = {model.name: row for row, model in published.ratings}
    reasons = [
        f"{name} has no finite rating: {said[name].reason if name in said else NO_VOTES}"
        for name in names
        if name not in said or said[name].strength is None
    ]
    return "; ".join(reasons) or None


def tell_apart(
    published: Published, names: tuple[str, str], covariance: Covariance, asked: AskedComparison
) -> Comparison | None:
    """Return the comparison in logits; None if the votes show no spread between the two."""
    strength = {model.name: row.strength for row, model in published.ratings}
    first, second = strength[names[0]], strength[names[1]]
    variance = covariance.variance(*names)
    if variance is None or first is None or second is None:
        return None
    return compare(
        first - second,
        variance,
        level=covariance.level if asked.level is None else asked.level,
        margin=asked.margin / POINTS_PER_LOGIT,
    )


def tie_share(session: Session, source: CountedSource, rule: BothBad) -> float:
    """Return which share of the rated preferences of a source are ties."""
    outcomes = read_totals(session, source.source).outcomes
    both_bad = 0 if rule is BothBad.EXCLUDE else outcomes[Outcome.BOTH_BAD]
    ties = outcomes[Outcome.TIE] + both_bad
    rated = ties + outcomes[Outcome.A] + outcomes[Outcome.B]
    return ties / rated if rated else 0.0


def in_points(found: Comparison, preferences: int, ties: float) -> Weighed:
    """Return a comparison as it is shown: in points, and in whole votes."""
    return Weighed(
        points=float(found.difference * POINTS_PER_LOGIT),
        once=span_of(found.once),
        watched=span_of(found.watched) if isfinite(found.watched[0]) else None,
        level=found.level,
        decision=found.decision,
        further_of_pair=whole_votes(found.further_of_pair(tie_share=ties)),
        further_of_board=whole_votes(found.further_of_board(preferences)),
    )


def span_of(ends: tuple[float, float]) -> Span:
    """Return an interval in points."""
    return Span(*(float(end * POINTS_PER_LOGIT) for end in ends))


def whole_votes(votes: float) -> int | None:
    """Return votes rounded up, or None if no number is enough."""
    return ceil(votes) if isfinite(votes) else None
