"""Tails of sums are right where a normal law is wrong: far out, with few votes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from ranking.anomalies.tails import Sums, two_sided, upper_tail
from ranking.battles import Floats

SEAT = np.array([1.0, 0.0, -1.0])
TIE = np.array([0.0, 1.0, 0.0])


def distribution(values: Floats, chances: Floats) -> dict[float, float]:
    """The twin: the exact distribution of a sum, one vote after the other."""
    found = {0.0: 1.0}
    for row in chances:
        longer: dict[float, float] = {}
        for total, chance in found.items():
            for value, share in zip(values, row, strict=True):
                key = round(total + float(value), 6)
                longer[key] = longer.get(key, 0.0) + chance * float(share)
        found = longer
    return found


def one_sum(values: Floats, chances: Floats, *, spread: float = 0.0, step: float = 1.0) -> Sums:
    return Sums(
        np.array([0]),
        np.broadcast_to(values, chances.shape),
        chances,
        np.array([spread]),
        step,
    )


@pytest.mark.parametrize("n", [8, 50])
@pytest.mark.parametrize("values", [SEAT, TIE], ids=["seat", "tie"])
def test_upper_tails_are_the_exact_ones(
    values: Floats, n: int, generator: np.random.Generator
) -> None:
    """Within a fifth from one in twenty down to one in a hundred million, the last steps included."""
    chances = generator.dirichlet([4, 2, 3], n)
    exact = distribution(values, chances)
    tails = {x: sum(p for y, p in exact.items() if y >= x) for x in exact}
    far = {x: p for x, p in tails.items() if 1e-8 < p < 0.05}

    found = [upper_tail(one_sum(values, chances), np.array([x]))[0] for x in far]

    assert len(far) >= 3
    assert_allclose(found, list(far.values()), rtol=0.2)


def test_the_largest_sum_of_all_has_its_own_chance() -> None:
    """Always left: no tilt makes the largest sum the mean."""
    chances = np.tile([0.4, 0.2, 0.4], (30, 1))

    found = upper_tail(one_sum(SEAT, chances), np.array([30.0]))

    assert_allclose(found, 0.4**30, rtol=0.2)


def test_the_largest_sum_off_the_grid_has_its_own_chance() -> None:
    """The least likely votes of all, in the likelihood test of a reference without error."""
    chances = np.tile([0.7, 0.2, 0.1], (10, 1))
    surprise = -np.log(chances[0])

    found = upper_tail(one_sum(surprise, chances, step=0.0), np.array([10 * surprise.max()]))

    assert_allclose(found, 0.1**10, rtol=0.01)


def test_both_sides_count(generator: np.random.Generator) -> None:
    """Leaning right is as suspicious as leaning left."""
    chances = generator.dirichlet([4, 2, 3], 40)
    mirrored = chances[:, ::-1]

    right = two_sided(one_sum(SEAT, chances), np.array([-25.0]))
    left = two_sided(one_sum(SEAT, mirrored), np.array([25.0]))

    assert_allclose(right, left, rtol=1e-9)
    assert right[0] < 1e-4


def test_the_error_of_what_is_expected_widens_the_tail() -> None:
    """With a large error of its own the sum is all but normal, with both variances added."""
    chances = np.tile([0.4, 0.2, 0.4], (50, 1))
    spread = 400.0

    found = upper_tail(one_sum(SEAT, chances, spread=spread), np.array([60.0]))

    assert_allclose(found, norm.sf(59.5 / np.sqrt(50 * 0.8 + spread)), rtol=0.02)


def test_sums_do_not_touch_each_other(generator: np.random.Generator) -> None:
    """Only the sums that are worth a look are searched, together; each must keep its own rows."""
    chances = generator.dirichlet([4, 2, 3], 60)
    starts, observed = np.array([0, 10, 30]), np.array([9.0, 0.0, -24.0])
    values = np.broadcast_to(SEAT, chances.shape)

    together = two_sided(Sums(starts, values, chances, np.zeros(3), 1.0), observed)

    alone = [
        two_sided(one_sum(SEAT, chances[rows]), observed[number : number + 1])[0]
        for number, rows in enumerate([slice(0, 10), slice(10, 30), slice(30, 60)])
    ]
    assert_allclose(together, alone, rtol=1e-6)
