"""e-BH by hand, and what it promises."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from ranking.anomalies import e_bh


def test_four_voters_by_hand() -> None:
    """K = 4 at 10 %: one needs 40, two need 20 each, three 13.3 each. 25, 21 and 13 make two."""
    values = np.log([13.0, 25.0, 0.4, 21.0])

    assert_array_equal(e_bh(values, level=0.1), [False, True, False, True])


def test_one_alone_needs_more_than_many() -> None:
    """Where many stand out each needs less: the share of honest ones among them is what is held."""
    assert not e_bh(np.log([25.0, 1.0, 1.0, 1.0]), level=0.1).any()


def test_nobody_is_a_discovery_without_evidence() -> None:
    """Evidence of 1 is none."""
    assert not e_bh(np.zeros(50), level=0.01).any()


def test_false_discoveries_stay_rare(generator: np.random.Generator) -> None:
    """400 boards of 90 honest voters, whose e-values are likelihood ratios of mean 1, and 10 with shifted ones."""
    shift, shares = 3.0, []
    for _ in range(400):
        seen = generator.standard_normal(100)
        seen[:10] += shift
        found = e_bh(shift * seen - shift**2 / 2, level=0.1)
        shares.append(found[10:].sum() / max(1, found.sum()))

    assert np.mean(shares) <= 0.1
    assert np.mean(shares) > 0, (
        "some honest voter is found in some board, or the test proves nothing"
    )


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_a_level_that_is_no_chance_is_refused(level: float) -> None:
    """At 1 every voter would be a discovery."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        e_bh(np.zeros(3), level=level)
