"""Which of many voters to look at, with the share of honest ones among them held."""

import numpy as np

from ranking.battles import Flags, Floats


def e_bh(log_e_values: Floats, *, level: float) -> Flags:
    """Return (v,) which e-values are discoveries at a false discovery rate of at most `level`.

    With K e-values, the k largest are taken, k the largest number such that each of them is at least
    K / (k level). The rate holds however the e-values depend on each other.

    Parameters
    ----------
    log_e_values : (K,) float64
        Natural logarithms of e-values, each of a mean of at most 1 for an honest voter.

    Source
    ------
    Wang and Ramdas (2022), "False discovery rate control with e-values".
    """
    if not 0 < level < 1:
        raise ValueError(f"the level is {level}; expected one between 0 and 1")
    many = len(log_e_values)
    order = np.argsort(-log_e_values, kind="stable")
    needed = np.log(many) - np.log(np.arange(1, many + 1)) - np.log(level)
    enough = np.flatnonzero(log_e_values[order] >= needed)
    found = np.zeros(many, np.bool_)
    found[order[: enough[-1] + 1 if len(enough) else 0]] = True
    return found
