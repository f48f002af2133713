"""Counts in, a table of ratings out. Pure: no table of the store, no clock, no file."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from arena.errors import InputError
from arena.rating_runs.counts import OUTCOMES, Counts
from arena.rating_runs.effects import find_findings
from arena.rating_runs.fitted import Rows
from arena.rating_runs.intervals import few_battles_warning
from arena.rating_runs.method import Method
from arena.rating_runs.placing import find_places, find_points, find_standings, join_models
from arena.rating_runs.records import Record, count_records
from arena.rating_runs.single_votes import UNKNOWN, SingleVotes
from arena.rating_runs.solution import Solution, solve
from arena.rating_runs.styles import NO_ANSWERS, columns_of, has_answers
from arena.rating_runs.table import ModelRating, RatingTable
from arena.terms import BothBad, Cluster, Outcome, Ties
from ranking import Battles, Scale, Split, anchored, split

__all__ = ["OUTCOMES", "Counts", "Method", "ModelRating", "RatingTable", "rate"]

SCORES = {Outcome.A: 1.0, Outcome.B: 0.0, Outcome.TIE: 0.5, Outcome.BOTH_BAD: 0.5}


def rate(counts: Counts, method: Method, votes: SingleVotes | None = None) -> RatingTable:
    """Return the ratings of all models by their votes.

    The same votes and the same method give the same table, however the votes were ordered or split.

    Parameters
    ----------
    counts : Counts
    method : Method
    votes : SingleVotes or None
        The same votes one by one; needed if the method reads them so.

    Raises
    ------
    InputError
        If the votes do not say what the method clusters by.
    NotConvergedError
        If the fit does not come to its maximum; then there is no table.
    """
    if method.reads_votes and votes is None:
        raise InputError(
            "This method reads the votes one by one; hand them over beside their counts."
        )
    if method.style and votes is not None:
        counts, votes = with_answers(counts, votes)
    counts = counts.canonical()
    names, records = counts.models, count_records(counts)
    battles = battles_of(counts, method)
    found = split(battles)
    rated = [names[model] for model in found.rated]
    rows = None if votes is None else rows_of(votes, rated, method)
    solution = solve(battles.among(found.rated), method, rows) if rated else None
    scale = scale_of(names, found, solution, method)
    return RatingTable(
        models=join_models(
            names,
            records,
            find_standings(records, found, method),
            points=find_points(found, solution, scale),
            places=find_places(found, solution),
        ),
        groups=tuple(tuple(names[model] for model in group) for group in found.groups),
        excluded=_excluded(counts, method),
        warnings=tuple(_warnings(names, records, found, solution, method)),
        covariance=None if solution is None else solution.of_strengths,
        covariance_models=tuple(rated),
        degrees=None
        if solution is None or solution.clusters is None
        else solution.clusters.degrees,
        gradient_norm=None if solution is None else solution.fit.gradient_norm,
        iterations=None if solution is None else solution.fit.iterations,
        rounds_degenerate=None if solution is None else solution.rounds_degenerate,
        counts_digest=counts.digest(),
        method=method,
        findings=find_findings(rated, solution, method),
    )


def with_answers(counts: Counts, votes: SingleVotes) -> tuple[Counts, SingleVotes]:
    """Return the votes whose answers are both known, and their counts; the others are counted among the excluded.

    Raises
    ------
    InputError
        If there is none.
    """
    known = np.zeros(len(votes.first), np.bool_)
    if votes.styles is not None:
        known = has_answers(votes.styles)
    if not known.any():
        raise InputError(
            "No vote has both answers, so their style cannot be held apart. Rate without style, or give votes "
            "with their answers."
        )
    kept = votes.some(known)
    excluded = Counter(counts.excluded) + Counter({NO_ANSWERS: int((~known).sum())})
    return replace(kept.counts(), excluded=dict(excluded)), kept


def battles_of(counts: Counts, method: Method) -> Battles:
    """Return the counts as battles with scores, the seats kept: the one place where an outcome gets its worth."""
    worth = np.array([SCORES[outcome] for outcome in OUTCOMES])
    rated = np.ones(len(counts.n), np.bool_)
    if method.both_bad is BothBad.EXCLUDE:
        rated = counts.outcome != OUTCOMES.index(Outcome.BOTH_BAD)
    return Battles(
        counts.first[rated].astype(np.int32),
        counts.second[rated].astype(np.int32),
        worth[counts.outcome[rated]],
        counts.n[rated].astype(np.float64),
        len(counts.models),
    ).merged()


def rows_of(votes: SingleVotes, names: list[str], method: Method) -> Rows:
    """Return the votes among these models, one row each, and which of them go together."""
    number = {name: place for place, name in enumerate(names)}
    place = np.array([number.get(name, UNKNOWN) for name in votes.models], np.int32)
    first, second = place[votes.first], place[votes.second]
    kept = (first != UNKNOWN) & (second != UNKNOWN)
    if method.both_bad is BothBad.EXCLUDE:
        kept &= votes.outcome != OUTCOMES.index(Outcome.BOTH_BAD)
    worth = np.array([SCORES[outcome] for outcome in OUTCOMES])
    battles = Battles(
        first[kept],
        second[kept],
        worth[votes.outcome[kept]],
        np.ones(int(kept.sum())),
        max(len(names), 1),
    )
    style = None
    if method.style and votes.styles is not None:
        style = columns_of(votes.styles[kept], method.style)
    return Rows(battles, [way[kept] for way in votes.clusters(method.cluster)], style)


def scale_of(
    names: tuple[str, ...], found: Split, solution: Solution | None, method: Method
) -> Scale:
    """Return the scale: the anchor at its points if it is rated, else the pool's mean at 1000."""
    rated = [names[model] for model in found.rated]
    if solution is None or method.anchor is None or method.anchor[0] not in rated:
        return Scale()
    name, points = method.anchor
    return anchored(solution.fit.strength, rated.index(name), points)


def _excluded(counts: Counts, method: Method) -> Mapping[str, int]:
    excluded = Counter(counts.excluded)
    if method.both_bad is BothBad.EXCLUDE:
        left_out = counts.outcome == OUTCOMES.index(Outcome.BOTH_BAD)
        excluded[Outcome.BOTH_BAD.value] += int(counts.n[left_out].sum())
    return {reason: n for reason, n in sorted(excluded.items()) if n}


def _warnings(
    names: tuple[str, ...],
    records: tuple[Record, ...],
    found: Split,
    solution: Solution | None,
    method: Method,
) -> Iterator[str]:
    """Yield what a reader should know before trusting a number."""
    unrated = len(names) - len(found.rated)
    if unrated:
        yield f"not_rated: {unrated} of {len(names)} models have no rating; each has its reason."
    rated = [names[model] for model in found.rated]
    if method.anchor is not None and method.anchor[0] not in rated:
        yield (
            f"anchor: {method.anchor[0]} has no rating here, so the mean of the rated models stands at 1000."
        )
    if solution is not None:
        yield from _of_the_fit([records[model] for model in found.rated], rated, solution, method)


def _of_the_fit(
    records: list[Record], rated: list[str], solution: Solution, method: Method
) -> Iterator[str]:
    """Yield what a reader should know of the fit of the rated models."""
    if method.ties is not Ties.HALF and "tie" not in solution.fit.extra_names:
        yield "ties: there is no tie parameter to fit; it takes ties and decided votes. A tie is half a win here."
    if method.cluster is not Cluster.NONE and solution.clusters is None:
        yield f"cluster: all votes are of one {method.cluster}, so none can be told to go together."
    if solution.constant:
        yield f"style: {', '.join(solution.constant)} never differ between two answers, so they have no effect here."
    for model in solution.intervals.flat:
        yield f"no_spread: the votes on {rated[model]} do not differ, so no interval can be drawn."
    for model in solution.intervals.few:
        battles = records[model].battles
        yield few_battles_warning(rated[model], int(model), battles, solution.intervals.draws)
