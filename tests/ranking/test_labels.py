"""Labels of clusters: equal ones stay equal, different ones different, whatever the numbers were."""

import numpy as np
import pytest

from ranking.labels import countable


@pytest.mark.parametrize("labels", [[3, 0, 3, 1], [-5, 2, -5, 0], [10**15, 7, 10**15, 8], []])
def test_labels_say_the_same_afterwards(labels: list[int]) -> None:
    """And can be counted by: from 0, and not far beyond how many there are."""
    found = countable(np.array(labels, np.int64))

    assert [[a == b for b in found] for a in found] == [[a == b for b in labels] for a in labels]
    assert (found >= 0).all()
    assert found.max(initial=0) <= 16 * max(1, len(labels))
