"""Other readings of the votes that a run reads, kept beside its ratings."""

from collections.abc import Mapping
from dataclasses import replace

from arena.rating_runs.fitting import Counts, rate
from arena.rating_runs.inputs import Inputs
from arena.rating_runs.method import Method
from arena.rating_runs.single_votes import SingleVotes
from arena.rating_runs.table import ModelRating

WITH_FLAGGED = "with flagged"
WITHOUT_STYLE = "without style"
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
    """Return the models by each other reading: with flagged votes, if any are left out; without the style fit."""
    readings = {}
    if inputs.with_flagged is not None:
        flagged = rate(inputs.with_flagged, method, inputs.flagged_votes)
        readings[WITH_FLAGGED] = flagged.models
    if method.style:
        readings[WITHOUT_STYLE] = without_style(inputs.counts, method, inputs.votes)
    return readings


def without_style(
    counts: Counts, method: Method, votes: SingleVotes | None
) -> tuple[ModelRating, ...]:
    """Return the models by all votes, whether their answers are kept or not, style left in."""
    return rate(counts, replace(method, style=()), votes).models


def view_rows(inputs: Inputs, readings: Readings) -> list[dict[str, object]]:
    """Return the rows of `rating_view`, but for the run's number."""
    return [
        {name: getattr(model, name) for name in COLUMNS}
        | {"view": view, "model_id": inputs.model_ids[model.model]}
        for view, models in readings.items()
        for model in models
    ]
