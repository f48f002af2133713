"""Numbers that name clusters, made fit to count by."""

import numpy as np
from numpy.typing import NDArray

from ranking.battles import DENSE_KEYS_PER_ROW

Labels = NDArray[np.int64]


def countable(labels: NDArray[np.integer]) -> Labels:
    """Return labels from 0, equal where these are: renumbered if they are far apart or negative.

    Sorting millions of labels costs more than all that is counted by them, so small ones stay as they are.
    """
    if len(labels) == 0 or (labels.min() >= 0 and labels.max() <= DENSE_KEYS_PER_ROW * len(labels)):
        return labels.astype(np.int64)
    numbered: Labels = np.unique(labels, return_inverse=True)[1]
    return numbered
