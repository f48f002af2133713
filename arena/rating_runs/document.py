"""A table of ratings as one JSON document: what `arena rank --json` prints."""

from collections.abc import Sequence
from dataclasses import asdict

from arena.rating_runs.contrasts import ModelContrast
from arena.rating_runs.findings import Findings
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
    "rank_set_low",
    "rank_set_high",
    "chance_best",
    "quasi_error",
    "battles",
    "wins",
    "losses",
    "ties",
    "both_bad",
    "opponents",
    "status",
    "reason",
)


def as_document(table: RatingTable, contrasts: Sequence[ModelContrast] = ()) -> dict[str, object]:
    """Return the table with every absent number as None; numbers keep their full precision."""
    return {
        "models": [_model(row) for row in table.models],
        **findings_document(table.findings),
        "contrasts": [asdict(each) for each in contrasts],
        "readings": {
            name: [_model(row) for row in models] for name, models in table.readings.items()
        },
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
            "interval_used": table.findings.interval,
            "clusters": list(table.findings.clusters),
            "interval_rule": table.findings.interval_rule,
        },
    }


def findings_document(findings: Findings) -> dict[str, object]:
    """Return what was found beside the ratings; what was not fitted is null, so that no key need be asked for."""
    found = asdict(findings)
    position = found["position"] and found["position"] | {"applied": findings.position_applied}
    return {
        "tie_parameter": found["tie_parameter"],
        "position": position,
        "style": found["style"],
        "half_tie_slope": findings.half_tie_slope,
        "quasi_worst": findings.quasi_worst,
        "top_chances": found["top_chances"],
        "votes_to_flip": list(found["votes_to_flip"]),
        "indistinguishable": [list(members) for members in findings.indistinguishable],
    }


def _model(row: ModelRating) -> dict[str, object]:
    fields = asdict(row)
    return {name: fields[name] for name in SHOWN}


def _settings(method: Method) -> dict[str, object]:
    anchor = method.anchor and {"model": method.anchor[0], "points": method.anchor[1]}
    return asdict(method) | {"anchor": anchor}
