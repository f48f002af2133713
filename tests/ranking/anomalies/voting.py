"""Voters with a known conduct, honest and otherwise, on a board with a known truth (Davidson's ties)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ranking import Battles
from ranking.anomalies.votes import FIRST_WON, SCORES, SECOND_WON, TIED, VoterVotes, by_voter
from ranking.battles import Floats, Ints
from ranking.ties import TieModel, outcome_chances

MODELS, TARGET = 20, 12
# Equals tie in a quarter of their battles.
LOG_TIE = float(np.log(2 / 3))

Outcomes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Hall:
    """A truth: strengths in logits, mean zero, in descending order; all models are met equally often."""

    strength: Floats
    generator: np.random.Generator
    log_tie: float = LOG_TIE

    def pairs(self, n: int) -> tuple[Ints, Ints]:
        m = len(self.strength)
        first = self.generator.integers(0, m, n)
        second = (first + self.generator.integers(1, m, n)) % m
        return first.astype(np.int32), second.astype(np.int32)

    def honest(self, first: Ints, second: Ints) -> Outcomes:
        lead = self.strength[first] - self.strength[second]
        won, tied, _ = outcome_chances(TieModel.DAVIDSON, lead, self.log_tie)
        level = self.generator.random(len(first))
        return np.where(level < won, FIRST_WON, np.where(level < won + tied, TIED, SECOND_WON))

    def vote(self, conduct: str, n: int) -> Battles:
        """Return n votes, one row each."""
        first, second = self.pairs(n)
        if conduct == "target only":
            first, second = self._on_the_target(n)
        outcome = CONDUCTS[conduct](self, first, second)
        return battles_of(first, second, outcome, len(self.strength))

    def _on_the_target(self, n: int) -> tuple[Ints, Ints]:
        m = len(self.strength)
        target = np.full(n, TARGET, np.int32)
        other = ((target + self.generator.integers(1, m, n)) % m).astype(np.int32)
        turn = self.generator.random(n) < 0.5
        return np.where(turn, other, target), np.where(turn, target, other)

    def coin(self, n: int, share: float) -> NDArray[np.bool_]:
        return self.generator.random(n) < share


def hall(generator: np.random.Generator, *, spread: float = 0.7, log_tie: float = LOG_TIE) -> Hall:
    """Return a hall of MODELS with normal strengths of this standard deviation, in logits."""
    strength = np.sort(generator.normal(0, spread, MODELS))[::-1]
    return Hall(strength - strength.mean(), generator, log_tie)


def battles_of(first: Ints, second: Ints, outcome: Outcomes, models: int) -> Battles:
    return Battles(first, second, SCORES[outcome], np.ones(len(first)), models)


def together(*parts: Battles) -> Battles:
    """The rows of all parts, one after the other."""
    columns = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("first", "second", "score", "weight")
    )
    return Battles(*columns, parts[0].n_models)


def voters_of(parts: list[Battles]) -> VoterVotes:
    """The votes of as many voters as there are parts."""
    voter = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return by_voter(voter, together(*parts), n_voters=len(parts))


def _promoted(hall: Hall, first: Ints, second: Ints) -> Outcomes:
    outcome = hall.honest(first, second)
    return np.where(first == TARGET, FIRST_WON, np.where(second == TARGET, SECOND_WON, outcome))


def _half_random(hall: Hall, first: Ints, second: Ints) -> Outcomes:
    honest, anything = hall.honest(first, second), hall.generator.integers(0, 3, len(first))
    return np.where(hall.coin(len(first), 0.5), anything, honest)


def _mostly_left(hall: Hall, first: Ints, second: Ints) -> Outcomes:
    return np.where(hall.coin(len(first), 0.9), FIRST_WON, hall.honest(first, second))


CONDUCTS: dict[str, Callable[[Hall, Ints, Ints], Outcomes]] = {
    "honest": Hall.honest,
    "always left": lambda hall, first, second: np.full(len(first), FIRST_WON),
    "90 % left": _mostly_left,
    "always tie": lambda hall, first, second: np.full(len(first), TIED),
    "coin, never tie": lambda hall, first, second: np.where(
        hall.coin(len(first), 0.5), FIRST_WON, SECOND_WON
    ),
    "target only": _promoted,
    "inverse": lambda hall, first, second: SECOND_WON - hall.honest(first, second),
    "random": lambda hall, first, second: hall.generator.integers(0, 3, len(first)),
    "target when seen": _promoted,
    "honest, half at random": _half_random,
}
