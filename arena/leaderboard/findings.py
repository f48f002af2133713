"""The headline of a page: what its numbers say, in one sentence. A template for each case, never free text."""

from collections.abc import Sequence

from arena.leaderboard.views import Finding, Standing
from arena.terms import RatingStatus

HOW_TO_READ = "The bars show where each rating may lie. Where two bars share ground, look the pair up before you choose."
ONLY_ORDER = "Each has its reason below. Votes between models that have won and lost give them one."


def find_leader(models: Sequence[Standing]) -> Finding:
    """Return what the ranges of a board say of its first place."""
    rated = [model for model in models if model.is_rated]
    if not rated:
        return Finding("These votes give no rating yet.", no_rating_lead(models))
    lead = " ".join([*unbeaten(models), HOW_TO_READ])
    return Finding(first_place(rated), lead)


def first_place(rated: Sequence[Standing]) -> str:
    """Return how open the first place is among models with a rating, which come by rank."""
    leaders = [model for model in rated if model.rank == rated[0].rank]
    candidates = sum(model.could_be_first for model in rated)
    others = candidates - len(leaders)
    if candidates == len(rated) > 1:
        return f"No order yet: each of the {len(rated)} rated models could be first."
    if len(leaders) > 1:
        return f"{listed([model.model for model in leaders])} share the lead.{open_to(others)}"
    if not others:
        return f"{leaders[0].model} leads, and no other rated model could be first."
    return f"{leaders[0].model} leads.{open_to(others)}"


def open_to(others: int) -> str:
    """Return how many more could be first."""
    if not others:
        return ""
    return f" {others} other {'model' if others == 1 else 'models'} could also be first."


def unbeaten(models: Sequence[Standing]) -> list[str]:
    """Return a sentence on models that stand above every rating, if there are some."""
    names = [model.model for model in models if model.status is RatingStatus.UNBOUNDED_ABOVE]
    if not names:
        return []
    verb, whom = ("has", "it") if len(names) == 1 else ("have", "them")
    return [f"{listed(names)} {verb} not lost to a rated model, so no rating bounds {whom}."]


def no_rating_lead(models: Sequence[Standing]) -> str:
    """Return what is missing before there can be ratings."""
    compared = sum(model.battles > 0 for model in models)
    return f"{compared} models have been compared, and none has both won and lost. {ONLY_ORDER}"


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return names as a sentence has them: one, one and another, or the first few and how many more."""
    if len(names) <= 1:
        return "".join(names)
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def nothing_yet(*, preferences: int, trouble: str | None) -> Finding:
    """Return what a board without a published run says."""
    if trouble is not None:
        return Finding("The last rating run failed", trouble)
    if preferences:
        return Finding(
            "Ratings are on their way",
            f"{preferences:,} preferences are counted and wait for their first rating run.",
        )
    return Finding(
        "Nothing has been compared yet",
        "A board needs two models, a prompt that both have answered, and a first vote. Any of these ways will do.",
    )
