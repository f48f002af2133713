"""Clusters whose leverage is much and in few directions, one after the other: never more than m / ONE_TERM."""

from dataclasses import replace

import numpy as np

from ranking.battles import Floats, tally
from ranking.clustering.rows import Grouped
from ranking.clustering.sums import Sums
from ranking.labels import Labels

# Up to this root of the sum of squared eigenvalues the series settles in a few dozen products.
SERIES = 0.5
ROUNDING = 1e-12
# An eigenvalue this near to 1 is a direction that the cluster alone decides.
SOLE = 1e-8


def concentration(grouped: Grouped, clusters: Labels, inverse: Floats, *, n_models: int) -> Floats:
    """Return the root of the sum of squared eigenvalues of H_g P, (clusters,): a bound of the largest.

    It is far below their sum for a voter who has seen all models, and near it for one who has seen two.
    """
    found = np.empty(len(clusters))
    for number, cluster in enumerate(clusters):
        touched, information = _information(grouped, _kinds(grouped, cluster), n_models)
        found[number] = _root_of_squares(information @ inverse[np.ix_(touched, touched)])
    return found


def sums_of_much(grouped: Grouped, clusters: Labels, inverse: Floats, *, n_models: int) -> Sums:
    """Return the sums over these clusters, CR2 and variances exact over the strengths.

    In a direction that one cluster alone decides its gradient is zero whatever it voted, and nothing can be
    learned of how clusters differ; there the working model's own scatter stands in.
    """
    m, d = n_models, len(inverse)
    gradients, squares, total, sole = [np.zeros((0, d))], np.zeros((m, m)), np.zeros((m, m)), 0
    for cluster in clusters:
        kind = _kinds(grouped, cluster)
        touched, information = _information(grouped, kind, m)
        gradient = _gradient(grouped, kind, d)
        among = inverse[np.ix_(touched, touched)]
        gradient[touched], alone = _corrected(information, among, gradient[touched])
        stand_in = np.zeros((len(alone), d))
        stand_in[:, touched] = alone
        gradients += [gradient[None], stand_in]
        brought = _brought(information, inverse[:m, touched])
        total += brought
        squares += brought**2
        sole += len(alone)
    rows = np.concatenate(gradients)
    return replace(
        Sums.none(m, d), scatter=rows.T @ rows, exact=total, exact_squares=squares, sole=sole
    )


def _kinds(grouped: Grouped, cluster: int) -> Labels:
    return grouped.kind[grouped.start[cluster] :][: grouped.size[cluster]]


def _root_of_squares(product: Floats) -> float:
    return float(np.sqrt((product * product.T).sum()))


def _information(grouped: Grouped, kind: Labels, m: int) -> tuple[Labels, Floats]:
    """Return the models that these rows touched, (t,), and their share of the curvature there, (t, t)."""
    first, second = (end.take(kind) for end in grouped.kinds.ends[:2])
    is_touched = np.zeros(m, np.bool_)
    is_touched[first] = is_touched[second] = True
    place, t = np.cumsum(is_touched) - 1, int(is_touched.sum())
    keys = place[first] * t + place[second]
    between = tally(keys, grouped.kinds.information[kind], t * t).reshape(t, t)
    between = between + between.T
    return np.flatnonzero(is_touched), np.diag(between.sum(1)) - between


def _corrected(information: Floats, inverse: Floats, gradient: Floats) -> tuple[Floats, Floats]:
    """Return (I - H P)^{-1/2} s, (t,), and the gradients that stand in, (sole, t); all of touched models."""
    product = information @ inverse
    largest = _root_of_squares(product)
    if largest > SERIES:
        return _by_eigenvalues(information, inverse, gradient)
    corrected, term, coefficient, power = gradient.copy(), gradient, 1.0, 1
    while coefficient * largest**power / (1 - largest) > ROUNDING:
        coefficient *= (2 * power - 1) / (2 * power)
        term = product @ term
        corrected += coefficient * term
        power += 1
    return corrected, np.zeros((0, len(gradient)))


def _by_eigenvalues(
    information: Floats, inverse: Floats, gradient: Floats
) -> tuple[Floats, Floats]:
    """Return the same by eigenvalues, without the directions that the cluster alone decides.

    With C C' = P + c, C' H C is symmetric and has the eigenvalues of H P; c moves the ones alone, which H
    does not see.
    """
    root = np.linalg.cholesky(inverse + inverse.trace() / len(inverse))
    values, vectors = np.linalg.eigh(root.T @ information @ root)
    is_sole = values > 1 - SOLE
    back = np.linalg.solve(root.T, vectors)
    stretch = np.where(is_sole, 0.0, 1 / np.sqrt(1 - np.minimum(values, 1 - SOLE)))
    corrected: Floats = back @ (stretch * (gradient @ root @ vectors))
    return corrected, back[:, is_sole].T


def _gradient(grouped: Grouped, kind: Labels, d: int) -> Floats:
    """Return (d,) the gradient of rows; of the further parameters with the factor of their share of votes."""
    kinds = grouped.kinds
    gradient = np.zeros(d)
    for end, value in zip(kinds.places(kind), kinds.gradients(kind), strict=True):
        gradient += tally(end, value, d)
    left = max(1 - float(kinds.share[kind].sum()), SOLE)
    gradient[d - len(kinds.ends) + 2 :] /= np.sqrt(left)
    return gradient


def _brought(information: Floats, reach: Floats) -> Floats:
    """Return (m, m): what the cluster adds to each model's variance, and beside the diagonal to each pair's.

    `reach` are the rows of P that belong to all models, and its columns of the models that were touched.
    """
    table = reach @ information @ reach.T
    own = table.diagonal().copy()
    table *= -2
    table += own[:, None]
    table += own
    np.fill_diagonal(table, own)
    return np.maximum(table, 0.0, out=table)
