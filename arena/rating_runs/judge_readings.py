"""People and each judge together: the ratings by the judge alone and by both, beside those by people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena.rating_runs.counts import Counts
from arena.rating_runs.estimated import battles_of_each, rated_by
from arena.rating_runs.inputs import Inputs
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
SHOWN_GROUPS = 3
NOT_TIED = "its verdicts alone do not tie all rated models together"


@dataclass(frozen=True)
class JudgeReadings:
    """The models by each judge alone and by people with it, by the name of the view; and what was found of each judge."""

    views: Mapping[str, tuple[ModelRating, ...]]
    judged: tuple[Judged, ...]


def judge_readings(
    judges: Sequence[JudgeInputs], inputs: Inputs, table: RatingTable
) -> JudgeReadings:
    """Return what people and each judge say together; a judge that cannot be used has its reason.

    Parameters
    ----------
    judges : sequence of JudgeInputs
    inputs : Inputs
        People's votes.
    table : RatingTable
        Their ratings: the combination is over the models rated there.
    """
    views: dict[str, tuple[ModelRating, ...]] = {}
    found: list[Judged] = []
    for judge in judges:
        reading = _read(judge, inputs, table)
        views |= reading.views
        found += reading.judged
    return JudgeReadings(views, tuple(found))


def refusal(method: Method) -> str | None:
    """Return why ratings by this method cannot be combined with a judge's, if they cannot."""
    if method.ties is not Ties.HALF:
        return f"people and a judge are combined where a tie is half a win; this board has ties by {method.ties}"
    if method.position:
        return "people and a judge are combined without a seat effect; this board takes it out of its ratings"
    if method.style:
        return "people and a judge are combined without style; this board takes its effect out of its ratings"
    if method.cluster is not Cluster.NONE:
        return f"this board's intervals allow for votes of one {method.cluster}; a combination cannot yet"
    return None


def _read(judge: JudgeInputs, inputs: Inputs, table: RatingTable) -> JudgeReadings:
    name, names = judge.mark.judge, table.covariance_models
    absent = refusal(table.method)
    if absent is None and not names:
        absent = "people's votes rate no model yet"
    if absent is not None:
        return JudgeReadings({}, (Judged(name, absent=absent),))
    places = {inputs.model_ids[model]: number for number, model in enumerate(names)}
    battles = judge_battles(judge.rows, _among(inputs.counts, names), table.method, places=places)
    facts = Judged(name, battles.n_both, battles.n_judge_only, battles.one_order)
    try:
        found = combine(battles)
    except NoOverlapError as error:
        return JudgeReadings({}, (replace(facts, absent=_named(error, names)),))
    except RankingError as error:
        return JudgeReadings({}, (replace(facts, absent=str(error)),))
    return JudgeReadings(_views(name, battles, found, table), (_finding(facts, found),))


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


def _named(error: NoOverlapError, names: Sequence[str]) -> str:
    """Return the error's sentence with the groups of models that it found, by name."""
    if len(error.groups) < 2 or len(error.groups) == len(names):
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
