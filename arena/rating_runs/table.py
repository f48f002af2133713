"""What a fit says of every model, ready to be stored, printed or sent."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.rating_runs.findings import Findings
from arena.rating_runs.method import Method
from arena.terms import RatingStatus
from ranking.battles import Floats


@dataclass(frozen=True)
class ModelRating:
    """One model: its numbers, or None for each that there is not, and then the reason.

    `strength` is in logits, `rating`, `lower` and `upper` in display points. A rated model may lack an
    interval; an unbounded one has a rank and no rating; a disconnected one has neither. `rank_low` to
    `rank_high` is where the intervals overlap, each for itself; `rank_set_low` to `rank_set_high` holds for all
    models at once. `chance_best` is among the rated models. `quasi_error`, in points, is a standard error that makes
    two bars comparable: the difference of two models varies by about the root of both squared.
    """

    model: str
    strength: float | None
    rating: float | None
    lower: float | None
    upper: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    rank_set_low: int | None
    rank_set_high: int | None
    chance_best: float | None
    battles: int
    wins: int
    losses: int
    ties: int
    both_bad: int
    opponents: int
    status: RatingStatus
    reason: str | None
    quasi_error: float | None = None


@dataclass(frozen=True, eq=False)
class RatingTable:
    """All models in the order of the board, and how the numbers came about.

    Parameters
    ----------
    models : tuple of ModelRating
        By rank, then by name; the ones without a rank last.
    groups : tuple of tuple of str
        The models that have beaten or tied each other, directly or through others; the rated ones first.
    excluded : mapping
        What was read and not rated: reason -> how many.
    warnings : tuple of str
        What a reader should know before trusting a number.
    covariance : (k, k) float64 or None
        Of the strengths of `covariance_models`, in logits squared; None if nothing is rated.
    degrees : (k, k) float64 or None
        Degrees of freedom of each strength, and off the diagonal of each difference, where votes come in
        clusters; None where intervals are normal.
    gradient_norm, iterations : float, int or None
        How the search ended, per battle; None if nothing is rated.
    rounds_degenerate : int or None
        Resamples that left some model without a finite strength; None unless the interval is the bootstrap.
    findings : Findings
        What the votes say beside the ratings.
    readings : mapping
        The models by other readings of the same votes, by the reading's name.
    """

    models: tuple[ModelRating, ...]
    groups: tuple[tuple[str, ...], ...]
    excluded: Mapping[str, int]
    warnings: tuple[str, ...]
    covariance: Floats | None
    covariance_models: tuple[str, ...]
    degrees: Floats | None
    gradient_norm: float | None
    iterations: int | None
    rounds_degenerate: int | None
    counts_digest: str
    method: Method
    findings: Findings
    readings: Mapping[str, tuple[ModelRating, ...]] = field(default_factory=dict)
