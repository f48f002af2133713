"""The headline of a page on one record: a model on a board, a run of a scenario, a rating run."""

from collections.abc import Sequence

from arena.leaderboard.run_views import RunCell
from arena.leaderboard.views import Finding, Standing
from arena.terms import RunState

STATES = {
    RunState.REQUESTED: "It waits for a worker.",
    RunState.RUNNING: "A worker computes it now.",
    RunState.FAILED: "It failed, and the ratings before it stay in force.",
}
MARKS = {"not_run": "not run", "not_applicable": "not applicable"}


def find_score(title: str, model: str, main: RunCell | None) -> Finding:
    """Return the main score of a run."""
    if main is None:
        return Finding(f"{title} by {model}", "This run has no score of its whole test set.")
    metric = main.metric.replace("_", " ")
    if main.value is None:
        absent = MARKS.get(main.missing or "", main.missing or "absent")
        return Finding(f"{title} by {model}: {metric} {absent}", main.reason or "")
    headline = f"{title} by {model}: {metric} {score(main.value)}"
    items = f"from {main.n:,} items" if main.n else "the source gives no number of items"
    if main.lower is None or main.upper is None:
        return Finding(headline, f"Without an interval, {items}.")
    return Finding(headline, f"Between {score(main.lower)} and {score(main.upper)}, {items}.")


def score(value: float) -> str:
    """Return a score with two decimals, or with three digits where two decimals say too little or too much."""
    return f"{value:.2f}" if value == 0 or 0.01 <= abs(value) < 100 else f"{value:.3g}"


def find_run(
    run_id: int, state: RunState, models: Sequence[Standing], *, preferences: int | None
) -> Finding:
    """Return what a rating run is, and how far it came."""
    if state is not RunState.PUBLISHED:
        return Finding(f"Rating run {run_id}", STATES[state])
    rated = sum(model.is_rated for model in models)
    headline = f"Rating run {run_id}: {rated} of {len(models)} models rated"
    return Finding(headline, f"From {preferences or 0:,} preferences. It can be computed again.")


def find_place(name: str, standing: Standing | None, placed: int) -> Finding:
    """Return where a model stands on a board."""
    if standing is None:
        return Finding(f"{name}: not compared yet", "No rating run names it.")
    record = record_of(standing)
    if standing.rating is None:
        reason = standing.reason or "no reason is stored"
        return Finding(f"{name}: no rating", f"{reason[:1].upper()}{reason[1:]}. {record}")
    lead = f"Rating {standing.rating:.0f}{between(standing)}, from {record}"
    low, high = standing.claimed
    if low == high:
        return Finding(f"{name}: ranked {low} of {placed}", lead)
    return Finding(f"{name}: ranked between {low} and {high} of {placed}", lead)


def record_of(standing: Standing) -> str:
    """Return how a model's battles ended, as a sentence."""
    wins, losses = standing.wins or 0, standing.losses or 0
    ties = (standing.ties or 0) + (standing.both_bad or 0)
    return (
        f"{standing.battles:,} battles: {wins:,} won, {ties:,} tied or both bad, {losses:,} lost."
    )


def between(standing: Standing) -> str:
    """Return the interval of a rating as a part of a sentence, if there is one."""
    if standing.lower is None or standing.upper is None:
        return ", without an interval"
    return f", between {standing.lower:.0f} and {standing.upper:.0f}"
