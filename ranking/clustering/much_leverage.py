"""Clusters of much leverage, one after the other: at most m / ONE_TERM of them, however many votes."""

from dataclasses import replace

import numpy as np

from ranking.battles import Floats, tally
from ranking.clustering.rows import Grouped, Labels
from ranking.clustering.sums import Sums

# An eigenvalue this near to 1 is a direction that the cluster alone decides.
SOLE = 1e-8


def sums_of_levered(grouped: Grouped, clusters: Labels, inverse: Floats, *, n_models: int) -> Sums:
    """Return the sums over these clusters, CR2 and variances exact over the strengths.

    In a direction that one cluster alone decides its gradient is zero whatever it voted, and nothing can be
    learned of how clusters differ; there the working model's own scatter stands in.
    """
    m, d = n_models, len(inverse)
    gradients, squares, total, sole = [np.zeros((0, d))], np.zeros((m, m)), np.zeros((m, m)), 0
    for cluster in clusters:
        touched, information = _information(grouped, cluster)
        alone, factor = _factor(information, inverse[np.ix_(touched, touched)])
        gradient = _gradient(grouped, cluster, d)
        gradient[touched] = factor @ gradient[touched]
        stand_in = np.zeros((alone.shape[1], d))
        stand_in[:, touched] = alone.T
        gradients += [gradient[None], stand_in]
        brought = _brought(information, inverse[:m, touched])
        total += brought
        squares += brought**2
        sole += len(stand_in)
    rows = np.concatenate(gradients)
    return replace(
        Sums.none(m, d), scatter=rows.T @ rows, exact=total, exact_squares=squares, sole=sole
    )


def _information(grouped: Grouped, cluster: int) -> tuple[Labels, Floats]:
    """Return the models that a cluster touched, (t,), and its share of the curvature there, (t, t)."""
    kind = grouped.kind[grouped.start[cluster] : grouped.start[cluster + 1]]
    touched, place = np.unique(grouped.kinds.ends[:2, kind], return_inverse=True)
    first, second = place.reshape(2, -1)
    t = len(touched)
    between = tally(first * t + second, grouped.kinds.information[kind], t * t).reshape(t, t)
    between = between + between.T
    return touched, np.diag(between.sum(1)) - between


def _factor(information: Floats, inverse: Floats) -> tuple[Floats, Floats]:
    """Return what the cluster alone decides, (t, sole), and (I - H P)^{-1/2} for the rest, (t, t).

    With C C' = P + c, C' H C is symmetric and has the eigenvalues of H P; c moves the ones alone, which H
    does not see.
    """
    root = np.linalg.cholesky(inverse + inverse.trace() / len(inverse))
    values, vectors = np.linalg.eigh(root.T @ information @ root)
    is_sole = values > 1 - SOLE
    back = np.linalg.solve(root.T, vectors)
    stretch = np.where(is_sole, 0.0, 1 / np.sqrt(1 - np.minimum(values, 1 - SOLE)))
    return back[:, is_sole], (back * stretch) @ (root @ vectors).T


def _gradient(grouped: Grouped, cluster: int, d: int) -> Floats:
    """Return (d,) the cluster's gradient; of the further parameters with the factor of its share of votes."""
    kinds = grouped.kinds
    kind = grouped.kind[grouped.start[cluster] : grouped.start[cluster + 1]]
    gradient = tally(kinds.ends[:, kind].ravel(), kinds.gradient[:, kind].ravel(), d)
    left = max(1 - float(kinds.share[kind].sum()), SOLE)
    gradient[len(gradient) - (len(kinds.ends) - 2) :] /= np.sqrt(left)
    return gradient


def _brought(information: Floats, reach: Floats) -> Floats:
    """Return (m, m): what the cluster adds to each model's variance, and beside the diagonal to each pair's.

    `reach` are the rows of P that belong to all models, and its columns of the models that were touched.
    """
    table = reach @ information @ reach.T
    own = table.diagonal()
    pairs = own[:, None] + own - 2 * table
    np.fill_diagonal(pairs, own)
    brought: Floats = np.maximum(pairs, 0.0)
    return brought
