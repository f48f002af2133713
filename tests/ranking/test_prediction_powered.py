"""People and a judge together: what the judge adds, what it cannot spoil, and when there is no answer."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from ranking import (
    Battles,
    DoublyJudged,
    NoOverlapError,
    NotConnectedError,
    PredictionPowered,
    Verdicts,
    fit,
    prediction_powered,
    sandwich,
    wald_interval,
)
from ranking.battles import Floats
from ranking.bradley_terry import inverse_curvature, maximise
from tests.figures import written_to
from tests.ranking.judged_arena import JudgedArena, judged_arena

WIDE_PROMPTS, NARROW_PROMPTS = 2.0, 0.5


@pytest.fixture
def both(generator: np.random.Generator) -> DoublyJudged:
    return judged_arena(WIDE_PROMPTS).both(2000, generator)


@pytest.fixture
def judge_only(generator: np.random.Generator) -> Verdicts:
    return judged_arena(WIDE_PROMPTS).judge_only(10_000, generator)


def as_battles(both: DoublyJudged) -> Battles:
    return Battles(both.first, both.second, both.human, both.weight, both.n_models)


def test_a_share_of_nothing_is_the_fit_of_the_votes(
    both: DoublyJudged, judge_only: Verdicts
) -> None:
    """Without the judge there is nothing left but people: their fit and its sandwich, to the last digit."""
    votes = as_battles(both)

    found = prediction_powered(both, judge_only, share=0.0)

    assert_allclose(found.combined.strength, fit(votes).strength, atol=1e-12)
    assert_allclose(found.combined.covariance, sandwich(votes, fit(votes)), atol=1e-12)
    assert found.worth == pytest.approx(0, abs=1e-6)


def test_the_tuned_share_is_the_best_one(both: DoublyJudged, judge_only: Verdicts) -> None:
    """Less of the judge and more of it both give wider intervals."""
    tuned = prediction_powered(both, judge_only)

    def trace(share: float) -> float:
        return float(prediction_powered(both, judge_only, share=share).combined.covariance.trace())

    assert 0.2 < tuned.share < 0.8
    assert trace(tuned.share) < min(trace(tuned.share - 0.1), trace(tuned.share + 0.1), trace(0.0))


def test_a_judge_that_guesses_gets_no_say(generator: np.random.Generator) -> None:
    """Its verdicts have nothing to do with people's, so the best share of it is none."""
    arena = judged_arena(WIDE_PROMPTS)
    drawn = arena.both(4000, generator)
    coin = generator.integers(0, 2, len(drawn)).astype(float)
    guessed = DoublyJudged(drawn.first, drawn.second, drawn.human, coin, drawn.weight, 20)

    found = prediction_powered(guessed, arena.judge_only(20_000, generator))

    assert found.share < 0.1
    assert found.worth == pytest.approx(0, abs=0.02 * len(drawn))


def test_a_judge_that_always_says_what_people_say_is_worth_its_battles(
    generator: np.random.Generator,
) -> None:
    """Then every verdict is a vote: 6000 further battles are worth 6000 votes, but for small pairs."""
    arena = judged_arena(WIDE_PROMPTS)
    drawn, further = arena.both(4000, generator), arena.both(6000, generator)
    echoed = DoublyJudged(drawn.first, drawn.second, drawn.human, drawn.human, drawn.weight, 20)
    echo = Verdicts(further.first, further.second, further.human, further.weight, 20)

    found = prediction_powered(echoed, echo)

    assert found.share > 0.95
    assert found.worth == pytest.approx(6000, rel=0.1)


def test_what_a_judge_always_adds_to_a_pair_cancels(generator: np.random.Generator) -> None:
    """A taste for one model shows equally in battles that people decided and in those they did not."""
    low = np.array([0, 0, 0, 0])
    high = low + 1
    human, judge = np.array([1.0, 0.0, 1.0, 0.0]), np.array([0.5, 0.0, 0.25, 0.25])
    weight = np.array([30.0, 20.0, 9.0, 7.0])
    further = Verdicts(low, high, judge, np.array([200.0, 90.0, 60.0, 50.0]), 2)

    fair = prediction_powered(DoublyJudged(low, high, human, judge, weight, 2), further)
    fond = prediction_powered(
        DoublyJudged(low, high, human, judge + 0.5, weight, 2),
        Verdicts(low, high, judge + 0.5, further.weight, 2),
    )

    assert_allclose(fond.combined.strength, fair.combined.strength, atol=1e-12)
    assert_allclose(fond.combined.covariance, fair.combined.covariance, atol=1e-12)


def test_seats_change_nothing(both: DoublyJudged, judge_only: Verdicts) -> None:
    """Which answer stood first is no evidence."""
    other = prediction_powered(
        DoublyJudged(both.second, both.first, 1 - both.human, 1 - both.judge, both.weight, 20),
        judge_only,
    )

    found = prediction_powered(both, judge_only)

    assert_allclose(other.combined.strength, found.combined.strength, atol=1e-12)
    assert_allclose(other.combined.covariance, found.combined.covariance, atol=1e-12)


def test_votes_without_a_verdict_count_in_full(
    both: DoublyJudged, judge_only: Verdicts, generator: np.random.Generator
) -> None:
    """With no share of the judge they are votes like the others, and the intervals shrink for them."""
    further = as_battles(judged_arena(WIDE_PROMPTS).both(3000, generator))
    votes = as_battles(both)
    all_votes = Battles(
        np.r_[votes.first, further.first],
        np.r_[votes.second, further.second],
        np.r_[votes.score, further.score],
        np.r_[votes.weight, further.weight],
        20,
    )

    found = prediction_powered(both, judge_only, human_only=further, share=0.0)
    tuned = prediction_powered(both, judge_only, human_only=further)

    assert_allclose(found.combined.strength, fit(all_votes).strength, atol=1e-12)
    assert found.human_votes == 5000
    assert tuned.combined.covariance.trace() < found.combined.covariance.trace()


def test_equal_proportions_give_the_published_equation(generator: np.random.Generator) -> None:
    """Written out battle by battle: lambda mean s(judge) + mean [s(human) - lambda s(judge)] = 0."""
    drawn = judged_arena(WIDE_PROMPTS).both(1500, generator)
    thrice = [np.tile(side, 3) for side in (drawn.first, drawn.second)]
    verdict = generator.choice([0.0, 0.5, 1.0], 4500)
    found = prediction_powered(drawn, Verdicts(*thrice, verdict, np.ones(4500), 20), share=0.4)
    weight = 0.4 * 4500 / 6000  # the mean over all verdicts, written with the mean over the others

    def mean_gradient(first: Floats, second: Floats, score: Floats) -> Floats:
        strength = found.combined.strength
        rows, total = score - expit(strength[first] - strength[second]), np.zeros(20)
        for i, j, row in zip(first, second, rows, strict=True):
            total[i] += row / len(rows)
            total[j] -= row / len(rows)
        return total

    people = mean_gradient(drawn.first, drawn.second, drawn.human)
    on_both = mean_gradient(drawn.first, drawn.second, drawn.judge)
    elsewhere = mean_gradient(*thrice, verdict)

    assert_allclose(weight * elsewhere + people - weight * on_both, 0, atol=1e-12)


def test_the_twin_agrees_on_covariance_and_share(both: DoublyJudged, judge_only: Verdicts) -> None:
    """One pair after the other, with the gradients of battles as vectors."""
    found = prediction_powered(both, judge_only)
    people, judge, mixed = np.zeros((3, 20, 20))
    only = np.repeat(np.arange(len(judge_only)), judge_only.weight.astype(int))
    for i, j in zip(*np.triu_indices(20, 1), strict=True):
        seen = np.flatnonzero(np.isin(both.first, (i, j)) & np.isin(both.second, (i, j)))
        other = only[
            np.isin(judge_only.first[only], (i, j)) & np.isin(judge_only.second[only], (i, j))
        ]
        h = np.where(both.first[seen] == i, both.human[seen], 1 - both.human[seen])
        v = np.where(both.first[seen] == i, both.judge[seen], 1 - both.judge[seen])
        w = np.where(
            judge_only.first[other] == i, judge_only.score[other], 1 - judge_only.score[other]
        )
        if len(seen) == 0 or len(other) == 0:
            continue
        every = np.r_[v, w]
        spread = np.sqrt(len(every) / (len(every) - 1)) / len(every)
        v, w = (v - every.mean()) * spread * len(w), (w - every.mean()) * spread * len(v)
        strength = found.human.strength
        h = h - expit(strength[i] - strength[j])
        step = np.zeros(20)
        step[[i, j]] = 1, -1
        judge += (v @ v + w @ w) * np.outer(step, step)
        mixed += (h @ v) * np.outer(step, step)
        people += (h @ h) * np.outer(step, step)
    votes = fit(as_battles(both))
    bread = np.linalg.pinv(votes.curvature, hermitian=True)
    share = np.trace(bread @ mixed @ bread) / np.trace(bread @ judge @ bread)

    assert found.share == pytest.approx(share, rel=1e-9)
    at_votes = bread @ (people - 2 * share * mixed + share**2 * judge) @ bread
    assert_allclose(found.combined.covariance.diagonal(), at_votes.diagonal(), rtol=0.1)


def test_nothing_in_common_is_refused(both: DoublyJudged, judge_only: Verdicts) -> None:
    """Then nobody can say how far the judge is off."""
    none = np.zeros(0, dtype=np.int32)
    empty = DoublyJudged(none, none, none, none, none, 20)
    votes = as_battles(both)

    with pytest.raises(NoOverlapError, match=r"found 0 rows .* in common"):
        prediction_powered(empty, judge_only, human_only=votes)


def test_battles_of_both_in_separate_groups_are_refused(generator: np.random.Generator) -> None:
    """People's votes join the groups, and still the judge cannot be checked across them."""
    first, second = np.array([0, 1, 2, 3]), np.array([1, 0, 3, 2])
    ones, score = np.ones(4), np.array([1.0, 1.0, 1.0, 1.0])
    both = DoublyJudged(first, second, score, score, ones, 4)
    bridge = Battles(np.array([0, 2]), np.array([2, 0]), np.ones(2), np.ones(2), 4)

    with pytest.raises(NoOverlapError, match="2 groups") as caught:
        prediction_powered(both, Verdicts(first, second, score, ones, 4), human_only=bridge)

    assert caught.value.groups == ((0, 1), (2, 3))


def test_votes_that_leave_a_model_without_a_bound_are_refused(judge_only: Verdicts) -> None:
    """A judge has no say in whether people could rate a model at all."""
    chain = np.arange(19)
    both = DoublyJudged(chain, chain + 1, np.ones(19), np.full(19, 0.5), np.ones(19), 20)

    with pytest.raises(NotConnectedError, match="20 groups"):
        prediction_powered(both, judge_only)


def test_other_models_or_a_share_of_more_than_all_are_refused(
    both: DoublyJudged, judge_only: Verdicts
) -> None:
    """Both would give numbers."""
    more = Verdicts(judge_only.first, judge_only.second, judge_only.score, judge_only.weight, 21)

    with pytest.raises(ValueError, match=r"number \[20, 21\] models"):
        prediction_powered(both, more)
    with pytest.raises(ValueError, match=r"share is 1\.5"):
        prediction_powered(both, judge_only, share=1.5)


@pytest.mark.parametrize("score", [-0.1, 1.1, np.nan])
def test_a_score_that_is_no_share_is_refused_by_number(score: float) -> None:
    """The judge's probability is one; its points out of ten are not."""
    with pytest.raises(ValueError, match="battle 1 has a score outside 0 to 1"):
        Verdicts(np.array([0, 0]), np.array([1, 1]), np.array([1.0, score]), np.ones(2), 2)


def test_a_judge_that_never_lets_a_model_lose_has_no_strengths_of_its_own(
    both: DoublyJudged,
) -> None:
    """People and both together still have theirs."""
    pair = np.arange(19)
    found = prediction_powered(
        DoublyJudged(
            both.first, both.second, both.human, both.first < both.second, both.weight, 20
        ),
        Verdicts(pair, pair + 1, np.ones(19), np.full(19, 5.0), 20),
    )

    assert found.judge is None
    assert found.share == 0


@dataclass(frozen=True)
class Setting:
    """How much of a board people decide, and how much the judge."""

    name: str
    prompts: float
    both: int
    judge_only: int
    human_only: int = 0
    skewed: bool = False

    @property
    def share(self) -> Floats | None:
        return np.arange(1.0, 21.0) ** 2 if self.skewed else None


@dataclass(frozen=True)
class Outcome:
    """Mean coverage and mean width in logits of each estimate, and what the judge was worth."""

    coverage: dict[str, float]
    width: dict[str, float]
    worth: float
    share: float


def simulated(setting: Setting, boards: int, generator: np.random.Generator) -> Outcome:
    """Draw boards and look how often each estimate's 95 % intervals hold the truth of the votes."""
    arena, inside, widths, worth = judged_arena(setting.prompts), {}, {}, []
    target = arena.target()
    for _ in range(boards):
        found, pooled = drawn(arena, setting, generator)
        worth.append((found.worth, found.share))
        for name, estimate in {
            "people": found.human,
            "judge": found.judge,
            "both": found.combined,
        }.items():
            assert estimate is not None
            pooled[name] = wald_interval(estimate.strength, estimate.covariance, level=0.95)
        for name, (lower, upper) in pooled.items():
            inside.setdefault(name, []).append(((lower <= target) & (target <= upper)).mean())
            widths.setdefault(name, []).append((upper - lower).mean())
    mean = {name: float(np.mean(values)) for name, values in inside.items()}
    width = {name: float(np.mean(values)) for name, values in widths.items()}
    return Outcome(mean, width, *(float(each) for each in np.mean(worth, axis=0)))


Intervals = dict[str, tuple[Floats, Floats]]


def drawn(
    arena: JudgedArena, setting: Setting, generator: np.random.Generator
) -> tuple[PredictionPowered, Intervals]:
    """Draw one board; return what we find on it, and what pooling votes and verdicts would."""
    both = arena.both(setting.both, generator)
    judge_only = arena.judge_only(setting.judge_only, generator, share=setting.share)
    votes = as_battles(arena.both(setting.human_only, generator)) if setting.human_only else None
    pool = Battles(
        np.r_[both.first, judge_only.first],
        np.r_[both.second, judge_only.second],
        np.r_[both.human, judge_only.score],
        np.r_[both.weight, judge_only.weight],
        both.n_models,
    )
    naive = fit(pool)
    found = prediction_powered(both, judge_only, human_only=votes)
    return found, {
        "pooled": wald_interval(naive.strength, sandwich(pool, naive), level=0.95),
        "over all pairs": over_all_pairs(both, judge_only, found.share),
    }


def over_all_pairs(both: DoublyJudged, judge_only: Verdicts, share: float) -> tuple[Floats, Floats]:
    """Return intervals by the published equation, whose mean over verdicts is blind to their pairs."""
    n, further = both.weight.sum(), judge_only.weight.sum()
    share = share * further / (n + further)
    people, seen = both.by_people(), both.by_judge()
    added = n / further * judge_only.score_table() - seen.score_table()
    found = maximise(people.score_table() + share * added, np.zeros(both.n_models))

    def residual(rows: Verdicts) -> Floats:
        return rows.score - expit(found.strength[rows.first] - found.strength[rows.second])

    squares = people.tabled((residual(people) - share * residual(seen)) ** 2)
    squares += (share * n / further) ** 2 * judge_only.tabled(residual(judge_only) ** 2)
    between = squares + squares.T
    bread = inverse_curvature(found.curvature)
    covariance = bread @ (np.diag(between.sum(1)) - between) @ bread
    return wald_interval(found.strength, covariance, level=0.95)


def test_intervals_hold_people_s_preferences_where_pooling_fails(
    generator: np.random.Generator,
) -> None:
    """A small twin of the long simulation. 60 boards of twenty models leave an error of about 0.7 points."""
    found = simulated(Setting("small", WIDE_PROMPTS, 1000, 20_000), 60, generator)

    assert found.coverage["both"] == pytest.approx(0.95, abs=0.025)
    assert found.coverage["pooled"] < 0.6
    assert found.coverage["judge"] < 0.6
    assert found.width["both"] < 0.92 * found.width["people"]


SETTINGS = [
    Setting("wide prompts", WIDE_PROMPTS, 1000, 20_000),
    Setting("wide prompts", WIDE_PROMPTS, 4000, 100_000),
    Setting("narrow prompts", NARROW_PROMPTS, 1000, 20_000),
    Setting("narrow prompts", NARROW_PROMPTS, 4000, 100_000),
    Setting(
        "with 1000 votes that the judge did not see", WIDE_PROMPTS, 1000, 20_000, human_only=1000
    ),
    Setting("the judge was sent other pairs", WIDE_PROMPTS, 4000, 100_000, skewed=True),
]
HEADING = """
# Human and judge

How often 95 % intervals hold what a fit of endless human votes would find, and their mean width in display points,
over 600 boards of 20 models. The judge is surer than people and likes some models better (a spread of 0.25 logits). *Both* is
the corrected combination; *over all pairs* is the published equation, whose mean of the judge is not taken pair by pair; *pooled* adds
verdicts to votes as if they were votes. The last two are not offered. The bar for both is 93 to 97 %.
*Worth* is how many further human votes would have done the same. How it is done: [human and judge](../method/human-and-judge.md).
"""
NAMES = ("people", "both", "judge", "over all pairs", "pooled")
COLUMNS = ("setting", "agreement", "votes", "verdicts", *NAMES, "share of the judge", "worth")
BOARDS = 600


@pytest.fixture(scope="module")
def figures() -> Iterator[list[tuple[str, ...]]]:
    """The rows of the page of figures, written when the simulations are done."""
    with written_to("human-and-judge.md", HEADING, COLUMNS) as rows:
        yield rows


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_intervals_cover(
    setting: Setting, generator: np.random.Generator, figures: list[tuple[str, ...]]
) -> None:
    """93 to 97 % for both together, and far less for whoever takes verdicts for votes."""
    points = 400 / np.log(10)
    found = simulated(setting, BOARDS, generator)

    figures.append(
        (
            setting.name,
            f"{100 * judged_arena(setting.prompts).agreement(np.random.default_rng(0)):.0f} %",
            f"{setting.both + setting.human_only:,}",
            f"{setting.judge_only:,}",
            *(
                f"{100 * found.coverage[name]:.1f} % / {points * found.width[name]:.0f}"
                for name in NAMES
            ),
            f"{found.share:.2f}",
            f"{found.worth:,.0f}",
        )
    )
    assert 0.93 < found.coverage["both"] < 0.97
    assert found.coverage["pooled"] < 0.6
    if setting.skewed:
        assert found.coverage["over all pairs"] < 0.93
