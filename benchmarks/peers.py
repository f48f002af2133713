"""One fit as other tools would do it, each given our counts: its best case.

Two of them are in the environment of `make bench-peers` alone; where they are absent, the tables say so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit

from ranking import Battles
from ranking.battles import Floats, tally

Fits = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Peer:
    """A tool, the module that it is, and how it is made ready to fit counts, given new weights for them."""

    name: str
    module: str
    ready: Callable[[Battles], Fits]


def installed_peers() -> list[Peer]:
    """Return the tools that are there."""
    return [peer for peer in PEERS if find_spec(peer.module)]


def absent_peers() -> str:
    """Return which tools are not installed, as a sentence, or nothing."""
    absent = [peer.name for peer in PEERS if not find_spec(peer.module)]
    return f" Not installed for this run: {', '.join(absent)}." if absent else ""


def by_choix(battles: Battles, weight: Floats) -> Floats:
    """Return the strengths by choix, which takes a table of wins."""
    import choix  # noqa: PLC0415 - a process that measures memory loads one tool

    m = battles.n_models
    table = np.zeros((m, m))
    np.add.at(table, (battles.first, battles.second), weight * battles.score)
    np.add.at(table, (battles.second, battles.first), weight * (1 - battles.score))
    found: Floats = choix.ilsr_pairwise_dense(table, max_iter=200)
    return found


class ByEvalica:
    """Evalica takes labels; they are made once, as its own bootstrap would have them."""

    def __init__(self, battles: Battles) -> None:
        import evalica  # noqa: PLC0415 - a process that measures memory loads one tool

        self.fit = evalica.bradley_terry
        winner = {1.0: evalica.Winner.X, 0.5: evalica.Winner.Draw, 0.0: evalica.Winner.Y}
        self.first, self.second = battles.first.tolist(), battles.second.tolist()
        *_, self.index = evalica.indexing(self.first, self.second)
        self.models = list(range(battles.n_models))
        self.winners = [winner[score] for score in battles.score.tolist()]

    def __call__(self, weight: Floats) -> Floats:
        """Return the strengths by evalica's Bradley-Terry."""
        found = self.fit(
            self.first,
            self.second,
            self.winners,
            index=self.index,
            weights=weight.tolist(),
            tolerance=1e-8,
            limit=1000,
        )
        strength: Floats = np.log(found.scores.loc[self.models].to_numpy(np.float64))
        return strength


def by_quasi_newton(battles: Battles, weight: Floats) -> Floats:
    """Return the strengths as FastChat's monitor finds them: L-BFGS on the mean loss of the counts."""
    share = weight / weight.sum()

    def loss(strength: Floats) -> tuple[float, Floats]:
        lead = strength[battles.first] - strength[battles.second]
        chance = expit(lead)
        surprise = share * (battles.score - chance)
        gradient = tally(battles.second, surprise, battles.n_models)
        gradient -= tally(battles.first, surprise, battles.n_models)
        value = share @ (np.logaddexp(0, lead) - battles.score * lead)
        return float(value), gradient

    found: Floats = minimize(
        loss,
        np.zeros(battles.n_models),
        jac=True,
        method="L-BFGS-B",
        options={"gtol": 1e-6, "maxiter": 100},
    ).x
    return found


class ByScikitLearn:
    """Logistic regression without a penalty; a tie is a row of half weight for each side."""

    def __init__(self, battles: Battles) -> None:
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - it may be absent

        self.model = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-8, max_iter=1000)
        won, lost = battles.score > 0, battles.score < 1
        self.share = np.concatenate([battles.score[won], 1 - battles.score[lost]])
        self.row = np.concatenate([np.flatnonzero(won), np.flatnonzero(lost)])
        self.is_win = np.repeat([1, 0], [won.sum(), lost.sum()])
        n = len(self.row)
        self.design = csr_array(
            (
                np.tile([1.0, -1.0], n),
                np.column_stack([battles.first[self.row], battles.second[self.row]]).ravel(),
                np.arange(0, 2 * n + 1, 2),
            ),
            (n, battles.n_models),
        )

    def __call__(self, weight: Floats) -> Floats:
        """Return the strengths."""
        self.model.fit(self.design, self.is_win, sample_weight=self.share * weight[self.row])
        found: Floats = self.model.coef_[0]
        return found


class ByArenaRank:
    """arena-rank in this process and compiled before the clock starts: its own rounds are forked and compile each."""

    def __init__(self, battles: Battles) -> None:
        from arena_rank.models.bradley_terry import BradleyTerry  # noqa: PLC0415 - it may be absent
        from arena_rank.utils.data_utils import PairDataset  # noqa: PLC0415

        self.of_type, self.n_models = BradleyTerry, battles.n_models
        self.pairs = np.column_stack([battles.first, battles.second])
        self.dataset = partial(
            PairDataset, list(range(battles.n_models)), self.pairs, battles.score
        )
        self(battles.weight)

    def __call__(self, weight: Floats) -> Floats:
        """Return the strengths."""
        model = self.of_type(self.n_models)
        model.fit(self.dataset(weight, np.ones_like(weight), weight))
        return np.asarray(model.params["ratings"])


def redrawn(battles: Battles, generator: np.random.Generator) -> Floats:
    """Return the weights of one resample, drawn as these tools draw them: a multinomial over counts."""
    total = battles.weight.sum()
    drawn: NDArray[np.int64] = generator.multinomial(int(total), battles.weight / total)
    return drawn.astype(np.float64)


PEERS = (
    Peer("choix", "choix", lambda battles: partial(by_choix, battles)),
    Peer("evalica", "evalica", ByEvalica),
    Peer("L-BFGS, FastChat's method", "scipy", lambda battles: partial(by_quasi_newton, battles)),
    Peer("scikit-learn", "sklearn", ByScikitLearn),
    Peer("arena-rank", "arena_rank", ByArenaRank),
)
