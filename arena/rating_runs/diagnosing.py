"""Asking what speaks against the ratings of a board: the newest run of each source, looked at once more."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from sqlalchemy.orm import Session

from arena.errors import NothingToRateError
from arena.rating_runs.counts import Counts
from arena.rating_runs.diagnosis import (
    Circle,
    Diagnosis,
    PairSurprise,
    ThinLead,
    VoterPull,
)
from arena.rating_runs.fitting import battles_of, rows_of
from arena.rating_runs.inputs import name_counts, read_single
from arena.rating_runs.method import Method
from arena.rating_runs.replaying import newest_decision, stored_method
from arena.rating_runs.solution import tie_model_of
from arena.store.boards import find_board
from arena.store.leaderboard import counted_sources, newest_run
from arena.store.months import MonthRow, read_months
from arena.store.preferences import Source, recount
from arena.store.reviews import read_left_out
from arena.store.single_votes import numbered_voters
from arena.store.tables import RatingRunRow
from arena.terms import Cluster
from ranking import (
    POINTS_PER_LOGIT,
    Battles,
    Fit,
    FlipEnding,
    adjacent_flips,
    constancy,
    cycles,
    fit,
    goodness,
    leverage,
    split,
)
from ranking.battles import Ints

ONE_MONTH = "all preferences are of one month."
MOST_LEADS = 20
MOST_VOTERS = 20


def diagnose(
    session: Session, board_name: str, *, shorten: Callable[[str], str]
) -> list[Diagnosis]:
    """Return what speaks against the ratings of each source of a board that has a published run.

    `shorten` gives a voter the short name to be shown by.

    Raises
    ------
    NothingToRateError
        If no source has one in which some models are rated.
    """
    board = find_board(session, board_name)
    found = []
    for counted in counted_sources(session, board.id):
        run = newest_run(session, counted.source)
        if run is not None and (run.covariance_models or {}).get("models"):
            found.append(_diagnose(session, counted.name, run, shorten))
    if not found:
        raise NothingToRateError(
            f"Board {board_name!r} has no published ratings yet: nothing to diagnose."
        )
    return found


def _diagnose(
    session: Session, name: str, run: RatingRunRow, shorten: Callable[[str], str]
) -> Diagnosis:
    """Return the diagnosis of one run, its seat effect and covariates left aside."""
    source, method = Source(run.board_id, run.judge_id), stored_method(run)
    watermark, up_to = run.watermark or 0, newest_decision(run)
    left_out = read_left_out(session, source, watermark=watermark, up_to=up_to)
    inputs = name_counts(session, recount(session, source, watermark), left_out)
    rated, battles = _rated(inputs.counts, method)
    found = fit(battles, ties=tie_model_of(battles, method))
    generator = np.random.default_rng(method.seed)
    close, round_trips = goodness(battles, found, generator), cycles(battles, found, generator)
    pulls = _pulls(session, run, inputs.model_ids, _Rated(rated, found))
    months = read_months(session, source)
    drifted, drift_absent = _drifted(months, inputs.model_ids, rated, method)
    curl = round_trips.curl
    return Diagnosis(
        source=name,
        models=len(rated),
        preferences=int(battles.weight.sum()),
        departure=close.departure,
        goodness_p=close.deviance.p_value,
        goodness_error=close.deviance.p_error,
        surprises=tuple(
            PairSurprise(
                model=rated[close.first[pair]],
                other=rated[close.second[pair]],
                battles=int(close.meetings[pair]),
                scored=float(close.observed[pair]),
                expected=float(close.expected[pair]),
                adjusted=float(close.adjusted[pair]),
            )
            for pair in close.worst(level=method.level)
        ),
        curl=None if curl is None else curl.value,
        curl_usual=None if curl is None else curl.usual,
        curl_p=None if curl is None else curl.p_value,
        circles=tuple(
            Circle(
                (rated[triad.models[0]], rated[triad.models[1]], rated[triad.models[2]]),
                triad.adjusted,
                triad.is_cycle,
            )
            for triad in round_trips.triads
        ),
        thin_leads=_thin_leads(rated, battles, found),
        pulls=tuple(replace(pull, voter=shorten(pull.voter)) for pull in pulls),
        drifted=drifted,
        drift_absent=drift_absent,
    )


def _rated(counts: Counts, method: Method) -> tuple[list[str], Battles]:
    """Return the names of the rated models and the battles among them, seats forgotten."""
    canonical = counts.canonical()
    battles = battles_of(canonical, method)
    models = split(battles).rated
    return [canonical.models[model] for model in models], battles.among(models).paired()


def _thin_leads(names: list[str], battles: Battles, found: Fit) -> tuple[ThinLead, ...]:
    return tuple(
        ThinLead(
            above=names[flip.leader],
            below=names[flip.follower],
            points=POINTS_PER_LOGIT * flip.lead,
            votes=flip.votes,
            flips=flip.ending is FlipEnding.FLIPPED,
        )
        for flip in adjacent_flips(battles, found, most=MOST_LEADS)
    )


class _Rated(NamedTuple):
    """The rated models by name, and their fit."""

    names: list[str]
    fit: Fit


def _pulls(
    session: Session, run: RatingRunRow, model_ids: dict[str, int], rated: _Rated
) -> tuple[VoterPull, ...]:
    """Return the voters who move the ratings most; a judge is one voter, of whom there is nothing to ask."""
    if run.judge_id is not None:
        return ()
    source, up_to = Source(run.board_id, None), newest_decision(run)
    watermark = run.watermark or 0
    votes = read_single(session, source, model_ids, watermark=watermark, up_to=up_to)
    by_voter = Method(both_bad=stored_method(run).both_bad, cluster=Cluster.VOTER)
    rows = rows_of(votes, rated.names, by_voter)
    pulls = leverage(rows.battles, rated.fit, rows.ways[0], top=MOST_VOTERS)
    marks = numbered_voters(session, source, watermark=watermark, up_to=up_to)
    return tuple(
        VoterPull(marks[voter], int(n), rated.names[model], float(points))
        for voter, n, model, points in zip(
            pulls.voter, pulls.votes, pulls.model, pulls.displacement, strict=True
        )
    )


def _drifted(
    months: list[MonthRow], model_ids: Mapping[str, int], names: list[str], method: Method
) -> tuple[tuple[str, ...], str | None]:
    """Return the models that changed from month to month, or why that cannot be asked."""
    place = {model_ids[name]: number for number, name in enumerate(names)}
    rows = [row for row in months if row.first_model_id in place and row.second_model_id in place]
    first_month = min((row.month for row in rows), default=None)
    if first_month is None or all(row.month == first_month for row in rows):
        return (), ONE_MONTH
    counts = Counts(
        models=tuple(names),
        first=np.array([place[row.first_model_id] for row in rows]),
        second=np.array([place[row.second_model_id] for row in rows]),
        outcome=np.array([row.outcome for row in rows]),
        n=np.array([row.n for row in rows]),
    )
    battles, month = _by_month(counts, np.array([row.month for row in rows], np.int32), method)
    changed = constancy(battles, month - month.min(), level=method.level)
    return tuple(names[model] for model in changed.drifted), None


def _by_month(counts: Counts, month: Ints, method: Method) -> tuple[Battles, Ints]:
    """Return the battles of each month, and which month each row is of."""
    parts, months = [], []
    for each in np.unique(month):
        rows = month == each
        part = battles_of(
            Counts(
                counts.models,
                counts.first[rows],
                counts.second[rows],
                counts.outcome[rows],
                counts.n[rows],
            ),
            method,
        )
        parts.append(part)
        months.append(np.full(len(part), each, np.int32))
    battles = Battles(
        first=np.concatenate([part.first for part in parts]),
        second=np.concatenate([part.second for part in parts]),
        score=np.concatenate([part.score for part in parts]),
        weight=np.concatenate([part.weight for part in parts]),
        n_models=len(counts.models),
    )
    return battles, np.concatenate(months)
