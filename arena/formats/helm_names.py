"""The name of a HELM statistic: which metric, over which items, perturbed how."""

from dataclasses import dataclass
from typing import Any

from arena.evaluation.metrics import Metric
from arena.hygiene import RefusedError, clean_text, shorten
from arena.terms import Axis

PERTURBED, ORIGINAL, WORST = "perturbed", "original", "worst"
# Names of the time before `computed_on`, when the same words meant other things.
OLD_PREFIXES = ("worst_", "before_", "includes_")
FAMILIES = {"robustness": Axis.ROBUSTNESS, "fairness": Axis.FAIRNESS}
NO_PARAMETERS = frozenset({"name", "computed_on", "robustness", "fairness", "mapping_file_path"})

# Split, sub-split and perturbation: the items that a statistic is over.
Items = tuple[str | None, str | None, str | None]


@dataclass(frozen=True)
class StatName:
    """`perturbation` is its name with its parameters; `family` the axis that it belongs to.

    A row of a whole family, such as the worst case over all robustness perturbations, bears the family's name.
    """

    metric: str
    split: str | None
    sub_split: str | None
    perturbation: str | None
    computed_on: str | None
    family: Axis | None

    @property
    def is_of_family(self) -> bool:
        """Whether the row is over a family of perturbations, not one of them."""
        return self.perturbation in FAMILIES

    @property
    def items(self) -> Items:
        """The items that the value is over: those of the whole split, for a row of a family."""
        return self.split, self.sub_split, None if self.is_of_family else self.perturbation

    @property
    def label(self) -> str | None:
        """The perturbation as a cell names it."""
        if self.perturbation is None or self.computed_on == PERTURBED:
            return self.perturbation
        return f"{self.perturbation}/{self.computed_on}"

    def axis(self, metric: Metric) -> Axis | None:
        """Return the axis of the value: accuracy under perturbation is robustness, or fairness."""
        if self.family is None or self.computed_on == ORIGINAL:
            return metric.axis
        return self.family if metric.axis is Axis.ACCURACY else metric.axis


def read_name(value: object) -> StatName:
    """Return the name of a statistic.

    Raises
    ------
    RefusedError
        If it is none, or one of the time before `computed_on`.
    """
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise RefusedError("no_stat_name", found=value, expected="the name of a statistic")
    metric = clean_text(value["name"])
    perturbation = value.get("perturbation")
    if metric.startswith(OLD_PREFIXES) or _is_old(perturbation):
        raise RefusedError(
            "old_perturbation_name", found=value, expected="computed_on, as since 2022"
        )
    return StatName(
        metric=metric,
        split=_text(value.get("split")),
        sub_split=_text(value.get("sub_split")),
        perturbation=_perturbation(perturbation) if perturbation else None,
        computed_on=perturbation["computed_on"] if perturbation else None,
        family=_family(perturbation) if perturbation else None,
    )


def _is_old(perturbation: object) -> bool:
    if not perturbation:
        return False
    if not isinstance(perturbation, dict) or not isinstance(perturbation.get("name"), str):
        return True
    return perturbation.get("computed_on") not in (PERTURBED, ORIGINAL, WORST)


def _perturbation(perturbation: dict[str, Any]) -> str:
    parameters = {
        key: value
        for key, value in sorted(perturbation.items())
        if key not in NO_PARAMETERS and value is not None
    }
    name = clean_text(perturbation["name"])
    if not parameters:
        return name
    return f"{name}:" + ",".join(f"{key}={_written(value)}" for key, value in parameters.items())


def _written(value: object) -> str:
    return clean_text(value) if isinstance(value, str) else shorten(value)


def _family(perturbation: dict[str, Any]) -> Axis | None:
    flagged = [axis for key, axis in FAMILIES.items() if perturbation.get(key) is True]
    return flagged[0] if len(flagged) == 1 else None


def _text(value: object) -> str | None:
    return clean_text(value) if isinstance(value, str) and value else None
