"""A voting history that nobody cast: drawn from the contestants' skills, the same on every machine."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from arena.demo.content import Contestant, Prompt
from arena.terms import SIMULATED_VOTER, Outcome

SEED = 20261031
VOTERS = 60
VOTES = 1500
DAYS = 38
# Fixed, so that the same history comes out whenever the demo is loaded.
LAST_DAY = datetime(2026, 10, 31, tzinfo=UTC)
FIRST_HOUR, LAST_HOUR = 8, 21
SECONDS_PER_VOTE = 45.0

LEFT_BIAS = 0.1
PROMPT_NOISE = 0.6
TIE_WEIGHT = 0.45
# Where two answers without a winner are as likely "both bad" as a tie, and how sharply that turns.
BOTH_BAD_BELOW = -0.6
BOTH_BAD_SLOPE = 3.0


@dataclass(frozen=True)
class SimulatedVote:
    """One vote by a simulated voter, who is named as such."""

    prompt: Prompt
    a: str
    b: str
    voter: str
    outcome: Outcome
    cast_at: datetime


@dataclass(frozen=True)
class Match:
    """Two contestants on one prompt, and what each answer is worth there, in logits."""

    prompt: Prompt
    a: str
    b: str
    worth_a: float
    worth_b: float

    def mirrored(self) -> "Match":
        """Return the same match with the seats exchanged."""
        return Match(self.prompt, self.b, self.a, self.worth_b, self.worth_a)


def simulate_votes(
    contestants: Sequence[Contestant], prompts: Sequence[Prompt], generator: Generator
) -> list[SimulatedVote]:
    """Return the votes of all simulated voters, oldest first.

    Each voter comes once, stays for a while, and never meets one pair on one prompt twice. What an
    answer is worth is its contestant's skill and a normal deviation of `PROMPT_NOISE` of its own.
    """
    matches = _matches(contestants, prompts, generator)
    shares = generator.dirichlet(np.ones(VOTERS))
    counts = 1 + generator.multinomial(VOTES - VOTERS, shares)
    votes = [
        vote
        for number, count in enumerate(counts, start=1)
        for vote in _visit(
            f"{SIMULATED_VOTER}{number:02}", matches, int(count), generator=generator
        )
    ]
    return sorted(votes, key=lambda vote: vote.cast_at)


def _matches(
    contestants: Sequence[Contestant], prompts: Sequence[Prompt], generator: Generator
) -> list[Match]:
    skill = np.array([contestant.skill for contestant in contestants])
    noise = generator.normal(0, PROMPT_NOISE, (len(prompts), len(contestants)))
    return [
        Match(prompt, contestants[i].name, contestants[j].name, float(worth[i]), float(worth[j]))
        for prompt, worth in zip(prompts, skill + noise, strict=True)
        for i, j in combinations(range(len(contestants)), 2)
    ]


def _visit(
    voter: str, matches: Sequence[Match], count: int, *, generator: Generator
) -> Iterator[SimulatedVote]:
    """Yield the votes of one voter, one after the other on one day."""
    instants = _instants(count, generator)
    drawn = generator.choice(len(matches), size=count, replace=False)
    for place, instant in zip(drawn, instants, strict=True):
        match = matches[place]
        seated = match.mirrored() if generator.integers(2) else match
        outcome = _outcome(seated, generator)
        yield SimulatedVote(seated.prompt, seated.a, seated.b, voter, outcome, instant)


def _instants(count: int, generator: Generator) -> list[datetime]:
    """Return when a visit's votes were cast: a day, an hour of the day, and a pause before each vote."""
    day = LAST_DAY - timedelta(days=int(generator.integers(DAYS)))
    start = day + timedelta(minutes=int(generator.integers(60 * FIRST_HOUR, 60 * LAST_HOUR)))
    pauses: NDArray[np.float64] = generator.exponential(SECONDS_PER_VOTE, count)
    return [start + timedelta(seconds=round(seconds)) for seconds in np.cumsum(pauses)]


def _outcome(match: Match, generator: Generator) -> Outcome:
    """Draw an outcome by Davidson's law, with a lead for the left seat."""
    lead = match.worth_a - match.worth_b + LEFT_BIAS
    odds = np.array([math.exp(lead / 2), math.exp(-lead / 2), TIE_WEIGHT])
    choices = (Outcome.A, Outcome.B, _tie(match, generator))
    return choices[int(generator.choice(3, p=odds / odds.sum()))]


def _tie(match: Match, generator: Generator) -> Outcome:
    """Return what a voter says who sees no winner: two weak answers are both bad rather than equal."""
    worth = (match.worth_a + match.worth_b) / 2
    both_bad = 1 / (1 + math.exp(BOTH_BAD_SLOPE * (worth - BOTH_BAD_BELOW)))
    return Outcome.BOTH_BAD if generator.random() < both_bad else Outcome.TIE
