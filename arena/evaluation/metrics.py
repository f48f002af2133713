"""What a metric measures, which way it is better and in what unit: files of results rarely say.

Only metrics met in files of HELM and lm-eval stand here. Of any other the direction is not known, so it is
shown and never ranked.
"""

from dataclasses import dataclass, replace

from arena.terms import Axis, Direction

SHARE, POINTS, SECONDS, TOKENS, BITS, NATS, UNKNOWN = (
    "share", "points of 100", "seconds", "tokens", "bits", "nats", "not known",
)  # fmt: skip
RULE = "rule"


@dataclass(frozen=True)
class Metric:
    """A metric: `lowest` and `highest` bound its values, `is_binary` says that each item scores 0 or 1.

    `needs_logprobs` marks what is not there when the endpoint gave no log-probabilities.
    """

    name: str
    axis: Axis | None
    direction: Direction
    unit: str
    lowest: float | None = None
    highest: float | None = None
    is_binary: bool = False
    needs_logprobs: bool = False
    scored_by: str = RULE

    def contains(self, value: float) -> bool:
        """Whether a value lies within the bounds; a per cent in a column of shares does not."""
        is_low = self.lowest is not None and value < self.lowest
        is_high = self.highest is not None and value > self.highest
        return not (is_low or is_high)


def _accuracy(*names: str, is_binary: bool) -> list[Metric]:
    return [
        Metric(name, Axis.ACCURACY, Direction.HIGHER, SHARE, 0.0, 1.0, is_binary=is_binary)
        for name in names
    ]


def _calibration(*names: str, direction: Direction = Direction.LOWER) -> list[Metric]:
    return [
        Metric(name, Axis.CALIBRATION, direction, SHARE, 0.0, 1.0, needs_logprobs=True)
        for name in names
    ]


def _efficiency(*names: str, unit: str, direction: Direction) -> list[Metric]:
    return [Metric(name, Axis.EFFICIENCY, direction, unit, 0.0) for name in names]


def _likelihood(*names: str, unit: str, direction: Direction) -> list[Metric]:
    return [Metric(name, Axis.ACCURACY, direction, unit, needs_logprobs=True) for name in names]


METRICS = {
    metric.name: metric
    for metric in (
        *_accuracy(
            "exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match",
            "acc", "acc_norm", "mc1", is_binary=True,
        ),
        *_accuracy(
            "f1", "f1_score", "set_f1", "rouge_1", "rouge_2", "rouge_l", "bleu_1", "bleu_4", "mc2",
            is_binary=False,
        ),
        *_calibration("ece_10_bin", "ece_1_bin", "platt_ece_10_bin", "platt_ece_1_bin"),
        *_calibration("selective_cov_acc_area", "selective_acc", direction=Direction.HIGHER),
        *_calibration("max_prob", direction=Direction.NONE),
        *_likelihood("perplexity", "word_perplexity", "byte_perplexity", unit="1", direction=Direction.LOWER),
        *_likelihood("bits_per_byte", unit=BITS, direction=Direction.LOWER),
        *_likelihood("logprob", "logprob_per_byte", unit=NATS, direction=Direction.HIGHER),
        *_efficiency("inference_runtime", unit=SECONDS, direction=Direction.LOWER),
        *_efficiency(
            "num_prompt_tokens", "num_completion_tokens", "num_output_tokens",
            unit=TOKENS, direction=Direction.NONE,
        ),
        *_efficiency("training_co2_cost", unit="kg", direction=Direction.LOWER),
        *_efficiency("training_energy_cost", unit="kWh", direction=Direction.LOWER),
        Metric("toxic_frac", Axis.TOXICITY, Direction.LOWER, SHARE, 0.0, 1.0, scored_by="classifier"),
        Metric("bleu", Axis.ACCURACY, Direction.HIGHER, POINTS, 0.0, 100.0),
    )
}  # fmt: skip


def metric_of(name: str) -> Metric:
    """Return what is known of a metric, from its name as a file writes it.

    The parts that set it are left aside: `exact_match@5`, `exact_match,strict-match` and `bias_metric:mode=x`
    are the metrics `exact_match`, `exact_match` and `bias_metric`. Each keeps its full name.
    """
    stem = name.partition(":")[0].partition("@")[0].partition(",")[0]
    known = METRICS.get(stem)
    if known is None:
        return Metric(name, None, Direction.NONE, UNKNOWN)
    return replace(known, name=name)
