"""One bootstrap round as other tools would do it, each given our counts: its best case."""

import choix
import evalica
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from ranking import Battles
from ranking.battles import Floats, tally


def by_choix(battles: Battles, weight: Floats) -> Floats:
    """Return the strengths by choix, which takes a table of wins."""
    m = battles.n_models
    table = np.zeros((m, m))
    np.add.at(table, (battles.first, battles.second), weight * battles.score)
    np.add.at(table, (battles.second, battles.first), weight * (1 - battles.score))
    found: Floats = choix.ilsr_pairwise_dense(table, max_iter=200)
    return found


class ByEvalica:
    """Evalica takes labels; they are made once, as its own bootstrap would have them."""

    def __init__(self, battles: Battles) -> None:
        winner = {1.0: evalica.Winner.X, 0.5: evalica.Winner.Draw, 0.0: evalica.Winner.Y}
        self.first, self.second = battles.first.tolist(), battles.second.tolist()
        *_, self.index = evalica.indexing(self.first, self.second)
        self.models = list(range(battles.n_models))
        self.winners = [winner[score] for score in battles.score.tolist()]

    def __call__(self, weight: Floats) -> Floats:
        """Return the strengths by evalica's Bradley-Terry."""
        found = evalica.bradley_terry(
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


def redrawn(battles: Battles, generator: np.random.Generator) -> Floats:
    """Return the weights of one resample, drawn as these tools draw them: a multinomial over counts."""
    total = battles.weight.sum()
    drawn: NDArray[np.int64] = generator.multinomial(int(total), battles.weight / total)
    return drawn.astype(np.float64)
