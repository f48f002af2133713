"""How far one model stands above another, with an interval of the difference itself."""

from dataclasses import dataclass

import numpy as np

from arena.errors import InputError, UnknownModelError
from arena.rating_runs.table import RatingTable
from ranking import POINTS_PER_LOGIT, contrast


@dataclass(frozen=True)
class ModelContrast:
    """The difference of two ratings, in display points. No anchor enters it."""

    model: str
    other: str
    estimate: float
    lower: float
    upper: float


def find_contrast(table: RatingTable, pair: str) -> ModelContrast:
    """Return the contrast of a pair that was typed as MODEL,OTHER; a name may hold commas itself.

    Raises
    ------
    InputError
        If the text is not two names, or one of the two has no rating.
    UnknownModelError
        If a name is none of the table's.
    """
    model, other = _names(table, pair)
    place = {name: number for number, name in enumerate(table.covariance_models)}
    covariance = np.empty((0, 0)) if table.covariance is None else table.covariance
    for name in (model, other):
        if name not in place:
            reason = next(row.reason for row in table.models if row.model == name)
            raise InputError(f"{name} has no rating to compare: {reason}.")
    strengths = {row.model: row.strength for row in table.models}
    strength = np.array([strengths[name] for name in table.covariance_models], np.float64)
    degrees = None if table.degrees is None else table.degrees[place[model], place[other]]
    found = contrast(
        strength,
        covariance,
        model=place[model],
        other=place[other],
        degrees=np.inf if degrees is None else float(degrees),
    )
    lower, upper = found.interval(table.method.level)
    return ModelContrast(
        model, other, *(POINTS_PER_LOGIT * end for end in (found.estimate, lower, upper))
    )


def _names(table: RatingTable, pair: str) -> tuple[str, str]:
    known = {row.model for row in table.models}
    parts = pair.split(",")
    splits = [(",".join(parts[:cut]), ",".join(parts[cut:])) for cut in range(1, len(parts))]
    for model, other in splits:
        if model in known and other in known and model != other:
            return model, other
    if len(splits) != 1 or splits[0][0] == splits[0][1]:
        raise InputError(
            f"found the contrast {pair!r}; expected two models of the votes as MODEL,OTHER."
        )
    unknown = next(name for name in splits[0] if name not in known)
    raise UnknownModelError(f"No vote names the model {unknown!r} of the contrast {pair!r}.")
