"""Other readings of the votes that a run reads, kept beside its ratings."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from scipy.special import expit

from arena.rating_runs.fitting import Counts, rate
from arena.rating_runs.inputs import Inputs
from arena.rating_runs.method import Method
from arena.rating_runs.single_votes import SingleVotes
from arena.rating_runs.table import ModelRating

WITH_FLAGGED = "with flagged"
WITHOUT_STYLE = "without style"
# An expected score that style moves by more than this share is to be said.
MUCH = 0.1
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


def style_warnings(held: tuple[ModelRating, ...], plain: tuple[ModelRating, ...]) -> Iterator[str]:
    """Yield the models whose expected score moves much when style is taken out, and on how many votes each rests.

    The expected score is the mean over the other rated models, in a battle against each.
    """
    scores, without = _expected_scores(held), _expected_scores(plain)
    battles = {row.model: row.battles for row in plain}
    for row in held:
        before, after = without.get(row.model), scores.get(row.model)
        if before is None or after is None or abs(after - before) <= MUCH:
            continue
        yield (
            f"style: adjusted for it {row.model} is expected to score {after:.1%} against the others, and {before:.1%} "
            f"as voted: they differ by more than {100 * MUCH:.0f} points. The first rests on {row.battles} "
            f"of its {battles[row.model]} battles."
        )


def _expected_scores(models: tuple[ModelRating, ...]) -> dict[str, float]:
    rated = {row.model: row.strength for row in models if row.strength is not None}
    strength = np.array(list(rated.values()))
    if len(strength) < 2:
        return {}
    against = expit(strength[:, None] - strength)
    mean = (against.sum(1) - 0.5) / (len(strength) - 1)
    return dict(zip(rated, mean.tolist(), strict=True))


def view_rows(inputs: Inputs, readings: Readings) -> list[dict[str, object]]:
    """Return the rows of `rating_view`, but for the run's number."""
    return [
        {name: getattr(model, name) for name in COLUMNS}
        | {"view": view, "model_id": inputs.model_ids[model.model]}
        for view, models in readings.items()
        for model in models
    ]
