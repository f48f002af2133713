"""How often a sum of independent three-way outcomes comes out so far from what is expected of it.

Normal tails are wrong where it matters here, far out with few votes. The saddlepoint approximation is exact to
a few percent there, to a fifth at the last steps of a short sum, and costs one search for each sum that is
worth a look.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from ranking.battles import Floats

# A sum nearer to its mean than this many standard deviations is suspicious of nothing: the normal law will do.
WORTH_A_LOOK = 1.5
LONGEST_STEP = 1.0
MOST_STEPS = 60
TILT_TOLERANCE = 1e-6
SMALLEST = 1e-300
# A tilted sum that varies less than this has come to its largest value.
FLAT = 1e-9
# A product with ones adds three columns several times faster than a sum along an axis this short.
ADDED = np.ones(3)


class Sums(NamedTuple):
    """g sums over n rows, each row in one sum.

    Parameters
    ----------
    starts : (g,) int64
        Where the rows of each sum begin; ascending, none empty.
    values, chances : (n, 3) float64
        What a row adds by its outcome, and how likely each outcome is.
    spread : (g,) float64
        Variance of the expected sum itself, which is an estimate: its error is taken as normal.
    step : float
        The distance between neighbouring sums; 0 if they lie anywhere.
    """

    starts: NDArray[np.int64]
    values: Floats
    chances: Floats
    spread: Floats
    step: float


class Moments(NamedTuple):
    """(g,) means and variances of sums."""

    mean: Floats
    variance: Floats


def moments(sums: Sums) -> Moments:
    """Return mean and variance of each sum; the variance includes that of the mean."""
    mean, variance = _row_moments(sums.chances, sums.values)
    return Moments(
        np.add.reduceat(mean, sums.starts), np.add.reduceat(variance, sums.starts) + sums.spread
    )


def _row_moments(chances: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return (n,) mean and variance of what each row adds."""
    mean = (chances * values) @ ADDED
    return mean, (chances * values**2) @ ADDED - mean**2


def upper_tail(sums: Sums, observed: Floats) -> Floats:
    """Return (g,) the chance of a sum at least as large as the observed one."""
    return _tail(sums, observed, moments(sums), side=np.ones(len(observed)))


def two_sided(sums: Sums, observed: Floats) -> Floats:
    """Return (g,) twice the chance of a sum at least as far out on the observed side, at most 1."""
    found = moments(sums)
    side = np.where(observed < found.mean, -1.0, 1.0)
    return np.minimum(1.0, 2 * _tail(sums, observed, found, side=side))


def _tail(sums: Sums, observed: Floats, found: Moments, *, side: Floats) -> Floats:
    """Return the chance of a sum at least as far out on a side, 1 for up and -1 for down."""
    deviation = np.sqrt(np.maximum(found.variance, SMALLEST))
    # Half a step back from the observed sum: what is as far out includes the observed sum itself.
    distance = side * (observed - found.mean) - sums.step / 2
    tail = ndtr(-distance / deviation)
    far = np.flatnonzero((distance > WORTH_A_LOOK * deviation) & (found.variance > 0))
    if len(far):
        part = _picked(sums, far, side)
        target = side[far] * observed[far] - sums.step / 2
        tail[far] = _saddlepoint(part, target)
    return np.maximum(tail, SMALLEST)


def _picked(sums: Sums, picked: NDArray[np.int64], side: Floats) -> Sums:
    """Return only the picked sums, those of the lower side turned upside down."""
    ends = np.append(sums.starts[1:], len(sums.values))
    lengths = ends[picked] - sums.starts[picked]
    starts = np.cumsum(lengths) - lengths
    rows = np.arange(lengths.sum()) + np.repeat(sums.starts[picked] - starts, lengths)
    values = sums.values[rows] * np.repeat(side[picked], lengths)[:, None]
    return Sums(starts, values, sums.chances[rows], sums.spread[picked], sums.step)


class _Cumulants(NamedTuple):
    """(g,) the cumulant function of each sum at a tilt, its slope and its curvature."""

    value: Floats
    slope: Floats
    curvature: Floats


def _cumulants(sums: Sums, tilt: Floats) -> _Cumulants:
    lengths = np.diff(np.append(sums.starts, len(sums.values)))
    exponent = np.repeat(tilt, lengths)[:, None] * sums.values
    highest = np.maximum(np.maximum(exponent[:, 0], exponent[:, 1]), exponent[:, 2])
    tilted = sums.chances * np.exp(exponent - highest[:, None])
    total = tilted @ ADDED
    mean, variance = _row_moments(tilted / total[:, None], sums.values)
    return _Cumulants(
        np.add.reduceat(highest + np.log(total), sums.starts) + tilt**2 * sums.spread / 2,
        np.add.reduceat(mean, sums.starts) + tilt * sums.spread,
        np.add.reduceat(np.maximum(variance, 0.0), sums.starts) + sums.spread,
    )


def _saddlepoint(sums: Sums, target: Floats) -> Floats:
    """Return the chance of a sum of at least `target`, which lies above the mean.

    The tilt that makes the target the mean is found by Newton's method with short steps. Where there is none,
    because the target is the largest sum there is, the tilt grows until the answer is that of this one sum.

    Source
    ------
    Lugannani and Rice (1980), "Saddle point approximation for the distribution of the sum of independent
    random variables"; for sums on a grid Daniels (1987), "Tail probability approximations".
    """
    start = _cumulants(sums, np.zeros(len(target)))
    tilt = np.minimum((target - start.slope) / start.curvature, LONGEST_STEP)
    for _ in range(MOST_STEPS):
        at = _cumulants(sums, tilt)
        newton = (target - at.slope) / np.maximum(at.curvature, FLAT)
        step = np.clip(newton, -LONGEST_STEP, LONGEST_STEP)
        tilt = np.maximum(tilt + step, 0.0)
        if np.abs(step).max() < TILT_TOLERANCE:
            break
    at = _cumulants(sums, tilt)
    root = np.sqrt(np.maximum(2 * (tilt * target - at.value), SMALLEST))
    reach = 2 * np.sinh(tilt * sums.step / 2) / sums.step if sums.step else tilt
    width = np.maximum(reach * np.sqrt(at.curvature), FLAT)
    bound = np.exp(-(root**2) / 2)
    tail = ndtr(-root) + bound / np.sqrt(2 * np.pi) * (1 / width - 1 / root)
    return np.where(at.curvature > FLAT, np.clip(tail, 0.0, bound), bound)
