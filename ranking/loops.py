"""Loops in who met whom that no triads fill: a circle of four models whose diagonals never met, say."""

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from ranking.battles import Floats
from ranking.ranks import Places

SOLVED = 1e-10
# An eigenvalue, or what is left of a random flow, when all is explained: nothing to rounding, or much more.
NOTHING = 1e-6
# Up to here all eigenvectors are found at once; above it, where loops are few, one at a time.
MOST_DENSE_PAIRS = 1000


def loop_flows(first: Places, second: Places, n_models: int) -> Floats:
    """Return an orthonormal basis of the flows along pairs that neither ratings nor triads explain.

    Such a flow is without curl: round every triad of models that all met it adds up to nothing. And at each
    model as much leaves as arrives.

    Parameters
    ----------
    first, second : (p,) int64
        The models of each pair that met; they join all models.

    Returns
    -------
    (p, loops) float64
        No column where triads fill every loop, as where every pair met.

    Source
    ------
    The kernel of the Hodge Laplacian: Lim (2020), "Hodge Laplacians on graphs", SIAM Review 62.
    """
    met = np.zeros((n_models, n_models))
    met[first, second] = met[second, first] = 1
    if not ((met @ met) * met).any():
        return _all_loops(first, second, n_models)
    return _unfilled_loops(first, second, met)


def _all_loops(first: Places, second: Places, n_models: int) -> Floats:
    """Return (p, p - m + 1): all flows that balance at every model."""
    pair = np.arange(len(first))
    incidence = np.zeros((n_models, len(first)))
    incidence[first, pair], incidence[second, pair] = 1, -1
    _, _, rows = np.linalg.svd(incidence)
    return np.asarray(rows[n_models - 1 :].T)


def _unfilled_loops(first: Places, second: Places, met: Floats) -> Floats:
    n, both = len(first), met @ met

    def explained(flow: Floats) -> Floats:
        """Return the Hodge Laplacian of a flow; products of matrices add up all triads unlisted."""
        square = np.zeros_like(met)
        square[first, second], square[second, first] = flow, -flow
        out = square.sum(1)
        around = square * both + (square @ met + met @ square).T
        return np.asarray((around + out[:, None] - out)[first, second])

    if n <= MOST_DENSE_PAIRS:
        size, flows = np.linalg.eigh(np.column_stack([explained(unit) for unit in np.eye(n)]))
        return np.asarray(flows[:, size < NOTHING])
    return _rests(LinearOperator((n, n), matvec=explained, dtype=np.float64))


def _rests(laplacian: LinearOperator) -> Floats:
    """Take from random flows what the Laplacian reaches, until nothing is left of one."""
    generator = np.random.default_rng(0)  # any basis will do
    n = laplacian.shape[0]
    basis = np.zeros((n, 0))
    while True:
        flow = generator.standard_normal(n)
        flow -= basis @ (basis.T @ flow)
        reached, failed = cg(laplacian, laplacian @ flow, rtol=SOLVED, maxiter=10 * n)
        assert failed == 0, "conjugate gradients solve a consistent system"
        rest = flow - reached
        rest -= basis @ (basis.T @ rest)
        size = np.linalg.norm(rest)
        if size < NOTHING * np.linalg.norm(flow):
            return basis
        basis = np.column_stack([basis, rest / size])
