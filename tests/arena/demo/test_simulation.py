"""The simulated history says what was put into it, and nothing of when it was loaded."""

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest

from arena.demo import simulation
from arena.demo.content import Contestant, read_contestants, read_prompts
from arena.demo.simulation import DAYS, LAST_DAY, SEED, VOTERS, VOTES, SimulatedVote, simulate_votes
from arena.terms import Outcome

PROMPTS = read_prompts()


def history(seed: int = SEED) -> list[SimulatedVote]:
    return simulate_votes(read_contestants(), PROMPTS, np.random.default_rng(seed))


def scores(votes: list[SimulatedVote]) -> dict[str, float]:
    """The share of its battles that each contestant won, a half for a tie."""
    marks = defaultdict(list)
    for vote in votes:
        score = {Outcome.A: 1.0, Outcome.B: 0.0}.get(vote.outcome, 0.5)
        marks[vote.a].append(score)
        marks[vote.b].append(1 - score)
    return {name: sum(each) / len(each) for name, each in marks.items()}


def test_one_seed_is_one_history() -> None:
    """Two installations must show the same demo."""
    assert history() == history()
    assert history() != history(SEED + 1)


def test_the_history_has_its_size_and_its_days() -> None:
    """The description of the board names the number, and no vote lies in a future."""
    votes = history()
    assert len(votes) == VOTES
    assert len({vote.voter for vote in votes}) == VOTERS
    assert (LAST_DAY - votes[0].cast_at).days < DAYS
    assert (votes[-1].cast_at - LAST_DAY).days < 1
    assert votes == sorted(votes, key=lambda vote: vote.cast_at)


def test_nobody_meets_a_pair_on_a_prompt_twice() -> None:
    """The page never offers it, so a history that has it would be seen through."""
    met = Counter((vote.voter, vote.prompt, frozenset((vote.a, vote.b))) for vote in history())
    assert max(met.values()) == 1


def test_better_contestants_win_more() -> None:
    """A board whose order has nothing to do with quality would teach a visitor nothing."""
    found = scores(history())
    skill = {contestant.name: contestant.skill for contestant in read_contestants()}
    order = sorted(skill, key=skill.__getitem__, reverse=True)
    assert min(found, key=found.__getitem__) == order[-1]
    assert max(found, key=found.__getitem__) == order[0]
    assert (
        np.corrcoef([found[name] for name in order], [skill[name] for name in order])[0, 1] > 0.95
    )


def test_equals_differ_only_by_their_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one skill for all and no noise, the left bias is all that is left."""
    monkeypatch.setattr(simulation, "PROMPT_NOISE", 0.0)
    monkeypatch.setattr(simulation, "LEFT_BIAS", 1.0)
    equals = [replace(each, skill=0.0) for each in read_contestants()]
    votes = simulate_votes(equals, PROMPTS, np.random.default_rng(1))
    outcomes = Counter(vote.outcome for vote in votes)
    log_odds = np.log(outcomes[Outcome.A] / outcomes[Outcome.B])
    standard_error = np.sqrt(1 / outcomes[Outcome.A] + 1 / outcomes[Outcome.B])
    assert log_odds == pytest.approx(1.0, abs=4 * standard_error)
    assert max(scores(votes).values()) - min(scores(votes).values()) < 0.15


def test_two_weak_answers_are_both_bad_rather_than_equal() -> None:
    """A voter has two ways not to choose, and they mean different things."""

    def share_of_both_bad(skill: float) -> float:
        field: list[Contestant] = [replace(each, skill=skill) for each in read_contestants()]
        votes = simulate_votes(field, PROMPTS, np.random.default_rng(2))
        outcomes = Counter(vote.outcome for vote in votes)
        return outcomes[Outcome.BOTH_BAD] / (outcomes[Outcome.BOTH_BAD] + outcomes[Outcome.TIE])

    assert share_of_both_bad(-2.0) > 0.9
    assert share_of_both_bad(2.0) < 0.1
