"""People and each judge together: the ratings by the judge alone and by both, beside those by people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from arena.rating_runs.counts import Counts
from arena.rating_runs.estimated import battles_of_each, rated_by
from arena.rating_runs.inputs import Inputs
from arena.rating_runs.intervals import NO_WIDTH
from arena.rating_runs.judge_battles import JudgeBattles, judge_battles
from arena.rating_runs.judge_inputs import JudgeInputs
from arena.rating_runs.judged import Judged
from arena.rating_runs.method import Method
from arena.rating_runs.table import ModelRating, RatingTable
from arena.terms import Cluster, Ties
from ranking import NoOverlapError, PredictionPowered, RankingError, prediction_powered

TOGETHER = "human and judge: {judge}"
ALONE = "judge: {judge}"
# Fewer battles of both do not say well enough how far off a judge is for its share to be chosen from them.
LEAST_BOTH = 100
# As long as a view's name may be where it is stored.
LONGEST_VIEW = 200
SHOWN_GROUPS = 3
NO_RATING = "people's votes rate no model yet"
NO_SPREAD = "people's votes do not differ, so there is no interval that a judge could narrow"
NOT_TIED = "its verdicts alone do not tie all rated models together"


@dataclass(frozen=True)
class JudgeReading:
    """What was found of one judge, and the models by it alone and by people with it, if it could be used."""

    judged: Judged
    views: Mapping[str, tuple[ModelRating, ...]] = field(default_factory=dict)


def with_judges(
    table: RatingTable, inputs: Inputs, judges: Sequence[JudgeInputs]
) -> tuple[RatingTable, Mapping[str, tuple[ModelRating, ...]]]:
    """Return the table with what was found of each judge, and the models by it alone and by people with it.

    A judge that cannot be used has its reason, and no reading. The readings are by the name of their view.

    Parameters
    ----------
    table : RatingTable
        By people's votes: the readings are over the models rated there.
    inputs : Inputs
        What it was made from.
    judges : sequence of JudgeInputs
    """
    found = [_read(judge, inputs, table) for judge in judges]
    views = {name: models for each in found for name, models in each.views.items()}
    judged = tuple(each.judged for each in found)
    return replace(table, findings=replace(table.findings, judged=judged)), views


def refusal(method: Method) -> str | None:
    """Return why ratings by this method cannot be combined with a judge's, if they cannot."""
    opening = "people and a judge are combined"
    if method.ties is not Ties.HALF:
        return f"{opening} with ties as half a win; this board's model of ties is {method.ties}"
    if method.position:
        return f"{opening} without a seat effect; this board takes it out of its ratings"
    if method.style:
        return f"{opening} without style; this board takes its effect out of its ratings"
    if method.cluster is not Cluster.NONE:
        return (
            f"{opening} battle by battle; this board's intervals allow for votes of one {method.cluster} "
            "(`arena board set BOARD --cluster none` takes them as independent)"
        )
    return None


def _read(judge: JudgeInputs, inputs: Inputs, table: RatingTable) -> JudgeReading:
    name, names = judge.mark.judge, table.covariance_models
    absent = refusal(table.method) or _too_long(name) or (None if names else NO_RATING)
    if absent is not None:
        return JudgeReading(Judged(name, absent=absent))
    places = {inputs.model_ids[model]: number for number, model in enumerate(names)}
    counts = _among(inputs.counts, names)
    battles = judge_battles(judge.rows, counts, table.method, places=places)
    facts = Judged(name, battles.n_both, battles.n_judge_only, battles.one_order)
    try:
        found = combine(battles)
    except RankingError as error:
        return JudgeReading(replace(facts, absent=_named(error, names)))
    if not _has_spread(found):
        return JudgeReading(replace(facts, absent=NO_SPREAD))
    return JudgeReading(_finding(facts, found), _views(name, battles, found, table))


def _too_long(name: str) -> str | None:
    longest = LONGEST_VIEW - len(TOGETHER.format(judge=""))
    if len(name) <= longest:
        return None
    return f"its name is {len(name)} characters long; a reading is named after a judge of up to {longest}"


def _has_spread(found: PredictionPowered) -> bool:
    return bool((np.sqrt(found.combined.covariance.diagonal()) > NO_WIDTH).all())


def combine(battles: JudgeBattles) -> PredictionPowered:
    """Return people's votes and a judge's verdicts together.

    Raises
    ------
    NoOverlapError
        If too few battles have both, or they do not join the models.
    """
    if 0 < battles.n_both < LEAST_BOTH:
        raise NoOverlapError(
            f"{battles.n_both} battles have both people's votes and its verdicts; with under {LEAST_BOTH} it is "
            "not known how far off the judge is. Have it decide more battles that have votes.",
            [],
        )
    return prediction_powered(battles.both, battles.judge_only, human_only=battles.human_only)


def _finding(facts: Judged, found: PredictionPowered) -> Judged:
    return replace(
        facts,
        share=found.share,
        human_votes=int(found.human_votes),
        worth=found.worth,
        alone_absent=NOT_TIED if found.judge is None else None,
    )


def _named(error: RankingError, names: Sequence[str]) -> str:
    """Return the error's sentence; of groups that the battles leave apart, with the models in each by name."""
    if not isinstance(error, NoOverlapError) or not 1 < len(error.groups) < len(names):
        return str(error)
    groups = [", ".join(names[int(model)] for model in group) for group in error.groups]
    more = "; ..." if len(groups) > SHOWN_GROUPS else ""
    return f"{error} The groups: {'; '.join(groups[:SHOWN_GROUPS])}{more}."


def _among(counts: Counts, names: Sequence[str]) -> Counts:
    """Return the counts among these models, numbered in this order."""
    place = {name: number for number, name in enumerate(names)}
    number = np.array([place.get(name, -1) for name in counts.models], np.int64)
    first, second = number[counts.first], number[counts.second]
    kept = (first >= 0) & (second >= 0)
    columns = (first[kept], second[kept], counts.outcome[kept], counts.n[kept])
    return Counts(tuple(names), *columns)


def _views(
    name: str, battles: JudgeBattles, found: PredictionPowered, table: RatingTable
) -> dict[str, tuple[ModelRating, ...]]:
    """Return the models by both, and by the judge alone if it rates them all."""
    added = battles_of_each(battles.judge_only)
    people = {row.model: row.battles for row in table.models}
    together = {
        model: people[model] + int(n)
        for model, n in zip(table.covariance_models, added, strict=True)
    }
    views = {TOGETHER.format(judge=name): rated_by(found.combined, table, battles=together)}
    if found.judge is not None:
        read = added + battles_of_each(battles.both.by_judge())
        alone = {model: int(n) for model, n in zip(table.covariance_models, read, strict=True)}
        views[ALONE.format(judge=name)] = rated_by(found.judge, table, battles=alone)
    return views
