"""Battles as people and a judge saw them: one score of each for each battle, and the votes on all others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from arena.rating_runs.counts import OUTCOMES, Counts
from arena.rating_runs.fitting import SCORES, battles_of
from arena.rating_runs.method import Method
from arena.store.judged_battles import JudgedRow
from arena.terms import BothBad, Outcome
from ranking import Battles, DoublyJudged, Verdicts
from ranking.battles import Floats, Ints


@dataclass(frozen=True, eq=False)
class JudgeBattles:
    """What a combination reads, over m models.

    Parameters
    ----------
    both : DoublyJudged
        Battles that people and the judge decided.
    judge_only : Verdicts
        Battles that only the judge decided.
    human_only : Battles
        Votes on battles that the judge did not decide.
    one_order : int
        How many battles the judge decided by readings in one order alone.
    """

    both: DoublyJudged
    judge_only: Verdicts
    human_only: Battles
    one_order: int

    @property
    def n_both(self) -> int:
        """How many battles both decided."""
        return int(self.both.weight.sum())

    @property
    def n_judge_only(self) -> int:
        """How many battles only the judge decided."""
        return int(self.judge_only.weight.sum())


@dataclass(frozen=True)
class _Battle:
    """Alike battles among the models, with what a judge and people gave slot A, 0 to 1."""

    first: int
    second: int
    judge: float
    human: float | None
    orders: int
    row: JudgedRow


def judge_battles(
    judged: Sequence[JudgedRow], counts: Counts, method: Method, *, places: Mapping[int, int]
) -> JudgeBattles:
    """Return the battles among the models of `places`, from model id to number.

    Each order that the judge could be read in counts half, however often it was asked; a battle that several
    people decided has the mean of their votes and counts once. Of "both bad" the method says what it is worth.

    Parameters
    ----------
    judged : sequence of JudgedRow
        Of one judge.
    counts : Counts
        All people's votes that are rated, over the models in the order of `places`.
    """
    worth = _worth(method)
    battles = list(_scored(judged, worth, places))
    both = [battle for battle in battles if battle.human is not None]
    alone = [battle for battle in battles if battle.human is None]
    seats, m = _seats(both), len(places)
    human = np.array([battle.human for battle in both], np.float64)
    return JudgeBattles(
        both=DoublyJudged(*seats, human, _scores(both), _weights(both), m),
        judge_only=Verdicts(*_seats(alone), _scores(alone), _weights(alone), m),
        human_only=battles_of(_without(counts, battles), method),
        one_order=sum(battle.row.n for battle in battles if battle.orders == 1),
    )


def _worth(method: Method) -> dict[str, float]:
    """Return what each outcome that is rated is worth to slot A."""
    leaves_out = method.both_bad is BothBad.EXCLUDE
    return {
        outcome: worth
        for outcome, worth in SCORES.items()
        if not (leaves_out and outcome is Outcome.BOTH_BAD)
    }


def _scored(
    judged: Iterable[JudgedRow], worth: Mapping[str, float], places: Mapping[int, int]
) -> Iterable[_Battle]:
    for row in judged:
        orders = [_mean(said, worth) for said in (row.straight, row.swapped)]
        readable = [score for score in orders if score is not None]
        if readable and row.model_a_id in places and row.model_b_id in places:
            yield _Battle(
                first=places[row.model_a_id],
                second=places[row.model_b_id],
                judge=fmean(readable),
                human=_mean(row.votes, worth),
                orders=len(readable),
                row=row,
            )


def _mean(outcomes: Sequence[str], worth: Mapping[str, float]) -> float | None:
    scores = [worth[outcome] for outcome in outcomes if outcome in worth]
    return fmean(scores) if scores else None


def _seats(battles: Sequence[_Battle]) -> tuple[Ints, Ints]:
    first = np.array([battle.first for battle in battles], np.int32)
    return first, np.array([battle.second for battle in battles], np.int32)


def _scores(battles: Sequence[_Battle]) -> Floats:
    return np.array([battle.judge for battle in battles], np.float64)


def _weights(battles: Sequence[_Battle]) -> Floats:
    return np.array([battle.row.n for battle in battles], np.float64)


def _without(counts: Counts, battles: Iterable[_Battle]) -> Counts:
    """Return the counts less the votes on these battles."""
    m = len(counts.models)
    table = np.zeros((m, m, len(OUTCOMES)), np.int64)
    np.add.at(table, (counts.first, counts.second, counts.outcome), counts.n)
    for battle in battles:
        for said in battle.row.votes:
            table[battle.first, battle.second, OUTCOMES.index(Outcome(said))] -= battle.row.n
    first, second, outcome = np.nonzero(table)
    return Counts(counts.models, first, second, outcome, table[first, second, outcome])
