"""The interval of every rated model, and what a reader should know of it."""

from dataclasses import dataclass

import numpy as np

from arena.rating_runs.fitted import Fitted
from arena.rating_runs.method import Method
from arena.terms import Interval
from ranking import (
    Battles,
    Draws,
    IntervalWay,
    bootstrap,
    bootstrap_jointly,
    choose_interval,
    wald_interval,
)
from ranking.battles import Floats, Ints, tally

NO_WIDTH = 1e-9


@dataclass(frozen=True, eq=False)
class Intervals:
    """Ends in logits, -inf and +inf where there is none.

    Parameters
    ----------
    lower, upper : (m,) float64
    draws : Draws or None
        The resamples behind them, if there were any.
    few : (k,) int32
        Models that too many resamples leave without a finite strength.
    flat : (k,) int32
        Models whose votes show no spread at all; they have no interval.
    used : Interval
        Where they come from.
    rule : str or None
        What chose it, if the method left the choice open.
    """

    lower: Floats
    upper: Floats
    draws: Draws | None
    few: Ints
    flat: Ints
    used: Interval
    rule: str | None


def find_intervals(fitted: Fitted, method: Method) -> Intervals:
    """Return the intervals by the method's way. The point is never outside its own interval.

    Interval of votes that never differ, as ties alone: absent. Zero width would be a lie.
    """
    battles, fit = fitted.battles, fitted.fit
    lower, upper = _by_covariance(fitted, level=method.level)
    used, rule = _chosen(fitted, method)
    draws = None
    if used is Interval.BOOTSTRAP:
        draws = _resample(fitted, method)
        lower, upper = _resampled(draws, fit.strength, (lower, upper), level=method.level)
    flat = upper - lower < NO_WIDTH
    return Intervals(
        lower=np.where(flat, -np.inf, lower),
        upper=np.where(flat, np.inf, upper),
        draws=draws,
        few=_few(battles, draws, method.level),
        flat=np.flatnonzero(flat).astype(np.int32),
        used=used,
        rule=rule,
    )


def _by_covariance(fitted: Fitted, *, level: float) -> tuple[Floats, Floats]:
    """Return the ends by the covariance: normal, or of Student's t where votes come in clusters."""
    if fitted.clusters is not None:
        return fitted.clusters.interval(level)
    m = fitted.battles.n_models
    return wald_interval(fitted.fit.strength, fitted.covariance[:m, :m], level=level)


def _chosen(fitted: Fitted, method: Method) -> tuple[Interval, str | None]:
    """Return where the intervals come from, and why, if that was not the method's own choice.

    Clusters of two ways, and clusters under a joint fit, are not resampled: no draw is right for both.
    """
    if fitted.ways and (len(fitted.ways) > 1 or fitted.fit.extra_names):
        return Interval.SANDWICH, (
            "votes that go together in more than one way, or under a seat effect, a model of ties or "
            "covariates, have their intervals by the covariance"
        )
    if fitted.has_columns:
        return Interval.SANDWICH, "a fit of style has its intervals by the covariance"
    if method.interval is not Interval.AUTO:
        return method.interval, None
    choice = choose_interval(fitted.battles)
    has_enough = choice.way is IntervalWay.GAUSSIAN
    rule = (
        f"the model with fewest points for or against has {choice.fewest:g}: "
        f"{'at least' if has_enough else 'under'} {choice.enough:g}, so intervals are by "
        f"{'the covariance' if has_enough else 'resamples'}"
    )
    return (Interval.SANDWICH if has_enough else Interval.BOOTSTRAP), rule


def _resample(fitted: Fitted, method: Method) -> Draws:
    battles, fit = fitted.battles, fitted.fit
    if fitted.rows is not None and fitted.ways:
        return bootstrap(
            fitted.rows.battles,
            fit,
            rounds=method.rounds,
            seed=method.seed,
            clusters=fitted.ways[0],
        )
    if fit.extra_names:
        return bootstrap_jointly(battles, fit, rounds=method.rounds, seed=method.seed)
    return bootstrap(battles, fit, rounds=method.rounds, seed=method.seed)


def _resampled(
    draws: Draws, point: Floats, wald: tuple[Floats, Floats], *, level: float
) -> tuple[Floats, Floats]:
    """Return the percentiles, with the wider of two stand-ins where a percentile is infinite.

    So many resamples then have no bound that the percentile has none either. What stands in is the end
    from the covariance or the outermost finite draw, whichever is further out.
    """
    lower, upper = draws.percentiles(level)
    outermost_low = np.where(draws.identified, draws.strength, np.inf).min(0)
    outermost_high = np.where(draws.identified, draws.strength, -np.inf).max(0)
    lower = np.where(np.isfinite(lower), lower, np.minimum(outermost_low, wald[0]))
    upper = np.where(np.isfinite(upper), upper, np.maximum(outermost_high, wald[1]))
    return np.minimum(lower, point), np.maximum(upper, point)


def _few(battles: Battles, draws: Draws | None, level: float) -> Ints:
    """Return the models that too many resamples leave, or would leave, without a finite strength."""
    missing = one_sided_chance(battles) if draws is None else 1 - draws.identified.mean(0)
    return np.flatnonzero(missing > (1 - level) / 2).astype(np.int32)


def one_sided_chance(battles: Battles) -> Floats:
    """Return (m,): how likely a resample holds no vote in which a model scored, or none in which it gave.

    A count of n is absent from a Poisson resample with probability e^-n.
    """
    m, scored, gave = battles.n_models, battles.score > 0, battles.score < 1
    own = tally(battles.first, battles.weight * scored, m)
    own += tally(battles.second, battles.weight * gave, m)
    others = tally(battles.first, battles.weight * gave, m)
    others += tally(battles.second, battles.weight * scored, m)
    return np.exp(-own) + np.exp(-others)


def few_battles_warning(name: str, model: int, battles: int, draws: Draws | None) -> str:
    """Return why the interval of a model is to be read with care, and what it rests on."""
    opening = f"few_battles: {name} has {battles} battles, too few of one kind"
    if draws is None:
        return f"{opening} for an interval from the covariance alone."
    rounds = len(draws.strength)
    absent = int(draws.absent[:, model].sum())
    unbounded = int(np.isinf(draws.strength[:, model]).sum())
    return (
        f"{opening}: of {rounds} resamples {absent} do not place it and {unbounded} leave it without a "
        f"bound. Its interval rests on the other {rounds - absent - unbounded} and on the covariance."
    )
