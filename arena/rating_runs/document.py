"""A table of ratings as one JSON document: what `arena rank --json` prints."""

from dataclasses import asdict

from arena.rating_runs.method import Method
from arena.rating_runs.table import ModelRating, RatingTable
from arena.rating_runs.versions import code_versions

SHOWN = (
    "model",
    "rating",
    "lower",
    "upper",
    "rank",
    "rank_low",
    "rank_high",
    "battles",
    "wins",
    "losses",
    "ties",
    "both_bad",
    "opponents",
    "status",
    "reason",
)
# Parts of a fit that a board does not have are null, so that a reader need not ask for each key.
NOT_FITTED = {"tie_parameter": None, "position": None, "style": None}


def as_document(table: RatingTable) -> dict[str, object]:
    """Return the table with every absent number as None; numbers keep their full precision."""
    return {
        "models": [_model(row) for row in table.models],
        **NOT_FITTED,
        "groups": [list(group) for group in table.groups],
        "excluded": dict(table.excluded),
        "warnings": list(table.warnings),
        "method": {
            **_settings(table.method),
            "versions": code_versions(),
            "counts_digest": table.counts_digest,
            "gradient_norm": table.gradient_norm,
            "iterations": table.iterations,
            "rounds_degenerate": table.rounds_degenerate,
        },
    }


def _model(row: ModelRating) -> dict[str, object]:
    fields = asdict(row)
    return {name: fields[name] for name in SHOWN}


def _settings(method: Method) -> dict[str, object]:
    anchor = method.anchor and {"model": method.anchor[0], "points": method.anchor[1]}
    return asdict(method) | {"anchor": anchor}
