"""Other readings of the votes that a run reads, kept beside its ratings."""

from collections.abc import Mapping

from arena.rating_runs.fitting import rate
from arena.rating_runs.inputs import Inputs
from arena.rating_runs.method import Method
from arena.rating_runs.table import ModelRating

WITH_FLAGGED = "with flagged"
COLUMNS = (
    "strength",
    "rating",
    "lower",
    "upper",
    "rank",
    "rank_low",
    "rank_high",
    "battles",
    "status",
    "reason",
)

Readings = Mapping[str, tuple[ModelRating, ...]]


def other_readings(inputs: Inputs, method: Method) -> Readings:
    """Return the models by each other reading; with flagged votes, if any are left out of the ratings."""
    if inputs.with_flagged is None:
        return {}
    return {WITH_FLAGGED: rate(inputs.with_flagged, method, inputs.flagged_votes).models}


def view_rows(inputs: Inputs, readings: Readings) -> list[dict[str, object]]:
    """Return the rows of `rating_view`, but for the run's number."""
    return [
        {name: getattr(model, name) for name in COLUMNS}
        | {"view": view, "model_id": inputs.model_ids[model.model]}
        for view, models in readings.items()
        for model in models
    ]
