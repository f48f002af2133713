"""Columns of labels, as other libraries take them, made into battles; what makes no sense is refused by name."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ranking.battles import Battles, Floats
from ranking.connectivity import strong_groups
from ranking.errors import NotConnectedError

Label = TypeVar("Label", bound=Hashable)
SHOWN = 3


@dataclass(frozen=True, eq=False)
class Labelled:
    """Battles, and the label of each of their models by its number."""

    labels: tuple[Hashable, ...]
    battles: Battles


def labelled(
    firsts: Collection[Hashable],
    seconds: Collection[Hashable],
    scores: Floats,
    *,
    labels: Sequence[Hashable],
    weights: Collection[float] | None = None,
) -> Labelled:
    """Return merged battles of columns of labels.

    Parameters
    ----------
    firsts, seconds : collections of n labels
    scores : (n,) float64
        What the first scored.
    labels : sequence
        All models, each once; their order numbers them.
    weights : collection of n numbers or None
        How many battles each row stands for; one if None.

    Raises
    ------
    ValueError
        If columns differ in length, or a row has a label that is not among the models, a battle of a model
        against itself, or a weight that is not finite and above 0: by its number and label.
    NotConnectedError
        If the battles do not join all models: with their labels.
    """
    weight = np.ones(len(scores)) if weights is None else np.asarray(list(weights), np.float64)
    lengths = {len(firsts), len(seconds), len(scores), len(weight)}
    if len(lengths) > 1:
        raise ValueError(f"columns have the lengths {sorted(lengths)}; expected one length")
    place = {label: number for number, label in enumerate(labels)}
    first, second = (_numbers(column, place) for column in (firsts, seconds))
    itself = np.flatnonzero(first == second)
    if len(itself):
        raise ValueError(
            f"row {itself[0]} is a battle of {labels[first[itself[0]]]!r} against itself "
            f"({len(itself)} such rows); expected two models"
        )
    battles = Battles(first, second, scores, weight, len(labels)).merged()
    groups = strong_groups(battles)
    if len(groups) > 1:
        raise NotConnectedError([[str(labels[model]) for model in group] for group in groups])
    return Labelled(tuple(labels), battles)


def scores_of(outcomes: Collection[Hashable], known: Mapping[Hashable, float]) -> Floats:
    """Return what the first scored in each row; an outcome that is not known is refused, never a tie."""
    try:
        return np.fromiter((known[outcome] for outcome in outcomes), np.float64, len(outcomes))
    except (KeyError, TypeError):
        row, outcome = next(
            (row, outcome) for row, outcome in enumerate(outcomes) if not _is_in(outcome, known)
        )
        raise ValueError(
            f"row {row} has the outcome {outcome!r}; expected one of "
            f"{', '.join(repr(each) for each in known)}"
        ) from None


def _numbers(column: Collection[Hashable], place: Mapping[Hashable, int]) -> NDArray[np.int32]:
    try:
        return np.fromiter((place[label] for label in column), np.int32, len(column))
    except (KeyError, TypeError):
        row, label = next(
            (row, label) for row, label in enumerate(column) if not _is_in(label, place)
        )
        shown = ", ".join(repr(each) for each in list(place)[:SHOWN])
        raise ValueError(
            f"row {row} has the model {label!r}, which is not in the index ({shown}, ...)"
        ) from None


def _is_in(key: Hashable, table: Mapping[Hashable, object]) -> bool:
    try:
        return key in table
    except TypeError:  # what cannot be hashed is no label
        return False
