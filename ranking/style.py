"""Columns for a fit that holds the style of answers apart, made of the features of both answers.

Two answers are compared feature by feature, (a - b) / (a + b + 1): between -1 and 1, whatever the unit, and
nothing of an answer ten times as long as usual. Each column is then divided by its root mean square and by
nothing else. Taking off a mean, as published boards do, would tell the seats apart.
"""

from dataclasses import dataclass

import numpy as np

from ranking.battles import Floats
from ranking.covariates import Covariates


@dataclass(frozen=True, eq=False)
class StyleColumns:
    """What a fit reads of the style of n battles.

    Parameters
    ----------
    covariates : Covariates
        A column for each feature that ever differs, of root mean square 1. A coefficient is what one
        typical difference is worth, in logits.
    scale : (k,) float64
        The root mean square that each column was divided by; above 0.
    constant : tuple of str
        Features that never differ between two answers: they have no column, and no coefficient.
    """

    covariates: Covariates
    scale: Floats
    constant: tuple[str, ...]


def relative_difference(first: Floats, second: Floats) -> Floats:
    """Return (first - second) / (first + second + 1) for counts; exchanging the two turns the sign.

    Raises
    ------
    ValueError
        If the tables differ in shape, or a count is negative or not finite.

    Source
    ------
    Li, Angelopoulos and Chiang (2024), "Does style matter? Disentangling style and substance in Chatbot
    Arena", lmsys.org.
    """
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if first.shape != second.shape:
        raise ValueError(
            f"the features of the two answers have the shapes {first.shape} and {second.shape}; "
            "expected one shape"
        )
    for side, counts in (("first", first), ("second", second)):
        wrong = ~np.isfinite(counts) | (counts < 0)
        if wrong.any():
            raise ValueError(
                f"a feature of the {side} answer is {counts[wrong][0]} ({int(wrong.sum())} such); "
                "expected finite counts of at least 0"
            )
    difference: Floats = (first - second) / (first + second + 1)
    return difference


def style_columns(names: tuple[str, ...], first: Floats, second: Floats) -> StyleColumns:
    """Return the columns of a fit for the features of both answers.

    Parameters
    ----------
    names : tuple of k str
        The features.
    first, second : (n, k) float64
        Counts for the answer shown first and the answer shown second, one row a battle.
    """
    difference = relative_difference(first, second)
    scale = np.sqrt((difference**2).mean(0)) if len(difference) else np.zeros(len(names))
    varies = scale > 0
    return StyleColumns(
        Covariates(
            tuple(name for name, kept in zip(names, varies, strict=True) if kept),
            difference[:, varies] / scale[varies],
        ),
        scale[varies],
        tuple(name for name, kept in zip(names, varies, strict=True) if not kept),
    )
