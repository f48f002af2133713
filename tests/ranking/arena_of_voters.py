"""Votes of people with tastes: a made-up arena whose truth is known, for claims on voters and prompts.

P(first wins) = e^{d/2} / Z, P(tie) = v / Z, P(second wins) = e^{-d/2} / Z (Davidson 1970), and

    d = strength_i - strength_j + seat + taste_voter (style_i - style_j) + slant_prompt (topic_i - topic_j).

The votes of one voter lean one way together, and so do the votes on one prompt. A few voters cast most of the
votes, and a few prompts are asked most often: activity is Pareto, with a tail so heavy that it has no variance.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ranking import Battles
from ranking.battles import Flags, Floats, Ints, tally

ACTIVITY_TAIL, ACTIVITY_FLOOR = 1.3, 0.2
POPULARITY_TAIL, POPULARITY_FLOOR = 1.5, 0.3
TASTE_NODES = 31


@dataclass(frozen=True, eq=False)
class VoterArena:
    """A truth to draw votes from.

    Parameters
    ----------
    strength, style, topic, share : (m,) float64
        Strengths in logits, mean zero; what tastes and slants act on; how often a model is drawn.
    tie : float
        Davidson's v: between equals a tie is v / 2 times as likely as either win.
    seat : float
        Advantage of the seat shown first, in logits.
    taste, slant : float
        Standard deviations over voters and over prompts.
    voters_per_vote, prompts_per_vote : float
        How many voters and prompts there are to draw from, as a share of the votes.
    """

    strength: Floats
    style: Floats
    topic: Floats
    share: Floats
    tie: float = 1.0
    seat: float = 0.0
    taste: float = 0.0
    slant: float = 0.0
    voters_per_vote: float = 0.05
    prompts_per_vote: float = 0.2

    def draw(self, n: int, generator: np.random.Generator) -> "Votes":
        """Return n votes, one row each; voters, prompts and their tastes are new in every call."""
        first, second = self._pairs(n, generator)
        voter = _clusters(n, self.voters_per_vote, generator)
        prompt = _clusters(n, self.prompts_per_vote, generator)
        taste = self.taste * generator.standard_normal(voter.max() + 1)
        slant = self.slant * generator.standard_normal(prompt.max() + 1)
        lead = self.strength[first] - self.strength[second] + self.seat
        lead += taste[voter] * (self.style[first] - self.style[second])
        lead += slant[prompt] * (self.topic[first] - self.topic[second])
        won, tied = _davidson(lead, self.tie)
        level = generator.random(n)
        score = np.where(level < won, 1.0, np.where(level < won + tied, 0.5, 0.0))
        battles = Battles(first, second, score, np.ones(n), len(self.strength))
        return Votes(battles, voter, prompt, taste, slant)

    def expected(self, n: float = 1e6) -> Battles:
        """Return the battles that n votes have on average: a fit of them is what a fit of endless votes finds.

        Voters are new in every draw, so their tastes are averaged over, by Gauss-Hermite quadrature.
        """
        first, second = np.nonzero(~np.eye(len(self.strength), dtype=bool))
        lead = self.strength[first] - self.strength[second] + self.seat
        style = self.style[first] - self.style[second]
        topic = self.topic[first] - self.topic[second]
        deviation = np.sqrt((self.taste * style) ** 2 + (self.slant * topic) ** 2)
        won, tied = _averaged(lead, deviation, self.tie)
        meets = self.share[first] * self.share[second]
        meets = n * meets / meets.sum()
        return Battles(
            np.tile(first, 3),
            np.tile(second, 3),
            np.repeat([1.0, 0.5, 0.0], len(first)),
            np.concatenate([meets * won, meets * tied, meets * (1 - won - tied)]),
            len(self.strength),
        )

    def with_rare(self, models: Ints, share: float) -> Self:
        """Return the same arena in which each of these models has only this share of the draws."""
        kept = np.ones(len(self.share), np.bool_)
        kept[models] = False
        left = self.share * kept * (1 - share * len(models)) / self.share[kept].sum()
        return replace(self, share=np.where(kept, left, share))

    def _pairs(self, n: int, generator: np.random.Generator) -> tuple[Ints, Ints]:
        edges = np.cumsum(self.share)[:-1]
        first, second = np.searchsorted(edges, generator.random((2, n))).astype(np.int32)
        while len(same := np.flatnonzero(first == second)):
            again = np.searchsorted(edges, generator.random((2, len(same)))).astype(np.int32)
            first[same], second[same] = again
        return first, second


@dataclass(frozen=True, eq=False)
class Votes:
    """Votes, one row each, with who cast them and on what.

    Parameters
    ----------
    battles : Battles
        n rows of weight 1.
    voter, prompt : (n,) int32
        Numbers from 0; not every number up to the largest has a vote.
    taste, slant : (voters,), (prompts,) float64
        What was drawn for each voter and each prompt.
    """

    battles: Battles
    voter: Ints
    prompt: Ints
    taste: Floats
    slant: Floats

    def __len__(self) -> int:
        return len(self.voter)

    def kept(self, rows: Flags) -> Self:
        """Return only the votes that are flagged."""
        all_rows = self.battles
        battles = Battles(
            all_rows.first[rows],
            all_rows.second[rows],
            all_rows.score[rows],
            all_rows.weight[rows],
            all_rows.n_models,
        )
        return replace(self, battles=battles, voter=self.voter[rows], prompt=self.prompt[rows])


def voter_arena(
    models: int, *, spread_points: float = 110.0, even: bool = False, seed: int = 7
) -> VoterArena:
    """Return a truth: normal strengths in descending order, normal styles and topics, uneven popularity.

    Parameters
    ----------
    models : int
    spread_points : float
        Standard deviation of the strengths, in display points.
    even : bool
        Whether all models are met equally often.
    seed : int
        Of the truth alone.
    """
    generator = np.random.default_rng(seed)
    strength = np.sort(generator.normal(0, spread_points * np.log(10) / 400, models))[::-1]
    style, topic = generator.standard_normal((2, models))
    popularity = generator.pareto(POPULARITY_TAIL, models) + POPULARITY_FLOOR
    share = np.full(models, 1 / models) if even else popularity / popularity.sum()
    return VoterArena(strength - strength.mean(), style, topic, share)


def _clusters(n: int, clusters_per_vote: float, generator: np.random.Generator) -> Ints:
    """Return (n,) which cluster each vote falls in, some far busier than others."""
    clusters = max(2, int(n * clusters_per_vote))
    activity = generator.pareto(ACTIVITY_TAIL, clusters) + ACTIVITY_FLOOR
    edges = np.cumsum(activity / activity.sum())[:-1]
    return np.searchsorted(edges, generator.random(n)).astype(np.int32)


def _davidson(lead: Floats, tie: float) -> tuple[Floats, Floats]:
    """Return the chances that the first wins and that it is a tie."""
    odds = np.exp(lead / 2)
    total = odds + 1 / odds + tie
    return odds / total, tie / total


def _averaged(lead: Floats, deviation: Floats, tie: float) -> tuple[Floats, Floats]:
    """Return the same chances, averaged over leads that vary normally with this deviation."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(TASTE_NODES)
    won, tied = _davidson(lead[:, None] + deviation[:, None] * nodes, tie)
    weights = weights / weights.sum()
    return won @ weights, tied @ weights


def votes_of(clusters: Ints) -> Floats:
    """Return (clusters,) how many votes each has."""
    return tally(clusters, np.ones(len(clusters)), int(clusters.max()) + 1)
