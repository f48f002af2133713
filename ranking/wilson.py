"""An interval for a proportion that stays inside 0 and 1 and never has zero width."""

import math

from scipy.special import ndtri


def wilson(successes: float, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion.

    Parameters
    ----------
    successes : float
        How many of the n succeeded, 0 to n.
    n : int
        How many were tried, at least 1.
    level : float
        Coverage, between 0 and 1.

    Returns
    -------
    (float, float)
        Lower and upper end, as shares. All failed gives a lower end of exactly 0, all succeeded an upper
        end of exactly 1.

    Raises
    ------
    ValueError
        If n is below 1, successes are not between 0 and n, or level is not between 0 and 1.

    Source
    ------
    Wilson (1927), "Probable inference, the law of succession, and statistical inference", JASA 22.
    """
    if n < 1:
        raise ValueError(f"n is {n}; an interval needs at least one trial")
    if not 0 <= successes <= n:
        raise ValueError(f"successes is {successes}; expected 0 to {n}")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected a share between 0 and 1")
    z = float(ndtri((1 + level) / 2))
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    lower = 0.0 if successes == 0 else max(0.0, centre - reach)
    upper = 1.0 if successes == n else min(1.0, centre + reach)
    return lower, upper
