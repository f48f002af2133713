"""Boards that people and a judge both decide, with a known truth.

Of a battle with difference d of strengths, both see the same prompt, which moves it by a normal u. People prefer the
first with chance expit(d + u); the judge is surer of itself and likes some models better: expit(2 (d + u + bias)).
A wide spread of u makes them agree more often than chance, as they do on real prompts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import expit

from ranking import Battles, DoublyJudged, Verdicts, fit
from ranking.battles import Floats, Ints

MODELS = 20
OVERCONFIDENCE = 2.0
NODES, WEIGHTS = hermegauss(41)


@dataclass(frozen=True)
class JudgedArena:
    """A truth to draw judged boards from; `prompts` is the spread of u in logits."""

    prompts: float
    strength: Floats
    bias: Floats

    def target(self) -> Floats:
        """What a fit of endless human votes would find."""
        first, second = np.nonzero(~np.eye(len(self.strength), dtype=bool))
        chance = self._averaged(self._apart(self.strength, first, second), 1.0)
        return fit(Battles(first, second, np.ones(len(first)), chance, len(self.strength))).strength

    def agreement(self, generator: np.random.Generator) -> float:
        """How often both say the same, over many battles."""
        drawn = self.both(200_000, generator)
        return float((drawn.human == drawn.judge).mean())

    def both(self, n: int, generator: np.random.Generator) -> DoublyJudged:
        """n battles that both decide."""
        models = len(self.strength)
        first = generator.integers(0, models, n)
        second = (first + generator.integers(1, models, n)) % models
        lead = self._apart(self.strength, first, second) + generator.normal(0, self.prompts, n)
        tilt = self._apart(self.bias, first, second)
        human = generator.random(n) < expit(lead)
        judge = generator.random(n) < expit(OVERCONFIDENCE * (lead + tilt))
        ones = np.ones(n)
        return DoublyJudged(first, second, human.astype(float), judge.astype(float), ones, models)

    def judge_only(
        self, n: int, generator: np.random.Generator, *, share: Floats | None = None
    ) -> Verdicts:
        """n battles that the judge decides alone; its models are drawn by their share, evenly without one."""
        first, second = np.nonzero(~np.eye(len(self.strength), dtype=bool))
        chances = np.ones(len(first)) if share is None else share[first] * share[second]
        met = generator.multinomial(n, chances / chances.sum())
        apart = self._apart(self.strength + self.bias, first, second)
        won = generator.binomial(met, self._averaged(apart, OVERCONFIDENCE))
        score, weight = np.repeat([1.0, 0.0], len(first)), np.r_[won, met - won]
        kept = weight > 0
        sides = np.tile(first, 2)[kept], np.tile(second, 2)[kept]
        return Verdicts(*sides, score[kept], weight[kept].astype(float), len(self.strength))

    def _averaged(self, apart: Floats, slope: float) -> Floats:
        """The chance that the first wins, over all prompts."""
        chance = expit(slope * (apart[:, None] + self.prompts * NODES))
        averaged: Floats = chance @ WEIGHTS / WEIGHTS.sum()
        return averaged

    def _apart(self, values: Floats, first: Ints, second: Ints) -> Floats:
        difference: Floats = values[first] - values[second]
        return difference


def judged_arena(prompts: float) -> JudgedArena:
    """Twenty models of spread 0.6, a judge whose taste in models is off by a spread of 0.25 logits."""
    generator = np.random.default_rng(0)
    strength, bias = generator.normal(0, 0.6, MODELS), generator.normal(0, 0.25, MODELS)
    return JudgedArena(prompts, strength - strength.mean(), bias - bias.mean())
