"""What a table rests on and where it is weak: sentences made from its numbers. What does not apply is left out."""

from collections.abc import Iterator
from statistics import pstdev

from arena.leaderboard.grounds import Grounds, percent, ranks, signed
from arena.leaderboard.method_statements import left_aside, position, prompts, ties, voters
from arena.leaderboard.views import Statement
from arena.terms import Outcome

FEW = "few_battles:"
LEAST_SHARED = 5
# Shares of battles that lie further apart than this are worth a sentence.
UNEVEN = 2


def state(grounds: Grounds) -> tuple[Statement, ...]:
    """Return what a reader of the table should know."""
    parts = (
        simulation,
        first_place,
        rank_ranges,
        classes,
        ties,
        prompts,
        voters,
        left_aside,
        position,
        evenness,
        few_battles,
        scales,
        left_out,
        no_single_number,
    )
    return tuple(statement for part in parts for statement in part(grounds))


def simulation(grounds: Grounds) -> Iterator[Statement]:
    """Say that nobody cast what is counted here."""
    if grounds.is_simulated:
        yield Statement(
            "Simulated.",
            "A program made up the history of this board, so its ratings tell nothing of real models.",
        )


def first_place(grounds: Grounds) -> Iterator[Statement]:
    """Say by how much the first stands above the second, and how sure that is."""
    if grounds.lead is None or len(grounds.rated) < 2:
        return
    first, second = grounds.rated[:2]
    lead = grounds.lead
    is_open = lead.lower <= 0 <= lead.upper
    yield Statement(
        "First place is open." if is_open else "The first two are told apart.",
        f"{first.model} is {lead.difference:.0f} points above {second.model}; the difference may be "
        f"{signed(lead.lower)} to {signed(lead.upper)} (p = {lead.p:.2g}).",
    )


def rank_ranges(grounds: Grounds) -> Iterator[Statement]:
    """Say what the ranks promise and what not."""
    first = next(iter(grounds.rated), None)
    if first is None:
        return
    if first.rank_set_low is None:
        yield Statement(
            "Each range stands for itself.",
            "It leaves out the models whose whole interval lies above or below. That all ranges hold at once is "
            "not promised; with many models some will miss.",
        )
        return
    yield Statement(
        "Ranks hold together.",
        f"The chance that any of the {len(grounds.rated)} true ranks lies outside its set is "
        f"{percent(1 - grounds.level)} at most. Each for itself, as published boards have it, {first.model} would "
        f"read {ranks(first.rank_low, first.rank_high)}.",
    )


def classes(grounds: Grounds) -> Iterator[Statement]:
    """Say into how many classes the votes part the models."""
    found = grounds.run.findings
    if found is None or grounds.is_other_reading or len(found.indistinguishable) < 2:
        return
    many = len(found.indistinguishable)
    yield Statement(
        f"{many} classes can be told apart.",
        f"A line in the table parts them: within a class these {grounds.noun} put no model surely above another. "
        "Two models on either side of a line may still be inseparable; look the pair up.",
    )


def evenness(grounds: Grounds) -> Iterator[Statement]:
    """Say which model is in most and which in fewest battles."""
    battles = grounds.totals.battles
    if len(battles) < 3:
        return
    ordered = battles.most_common()
    (most, n), (least, few) = ordered[0], ordered[-1]
    if n < UNEVEN * few:
        return
    total = grounds.totals.total
    yield Statement(
        "Models were not compared equally often.",
        f"{grounds.names[most]} is in {percent(n / total)} of the {grounds.noun}, {grounds.names[least]} in "
        f"{percent(few / total)}. Nothing is reweighted; rare models have wide intervals.",
    )


def few_battles(grounds: Grounds) -> Iterator[Statement]:
    """Say how many intervals rest on too few battles of one kind."""
    flagged = [warning for warning in grounds.run.warnings if warning.startswith(FEW)]
    if flagged:
        yield Statement(
            f"{len(flagged)} {'interval' if len(flagged) == 1 else 'intervals'} to be read with care.",
            "Too few battles of one kind: in many resamples these models had no bound. The rating run names them.",
        )


def scales(grounds: Grounds) -> Iterator[Statement]:
    """Say how wide the other source's scale is beside this one's."""
    if grounds.beside is None:
        return
    name, ratings = grounds.beside
    pairs = [
        (model.rating, ratings[model.model])
        for model in grounds.rated
        if model.rating is not None and model.model in ratings
    ]
    if len(pairs) < LEAST_SHARED or not (own := pstdev([pair[0] for pair in pairs])):
        return
    width = pstdev([pair[1] for pair in pairs]) / own
    yield Statement(
        "Two sources have two scales.",
        f"By {name} the {len(pairs)} shared models spread over {width:.1f} times as many points. Compare ranks, not "
        "points.",
    )


def left_out(grounds: Grounds) -> Iterator[Statement]:
    """Say how much was a tie, and what was not rated."""
    total = grounds.totals.total
    if not total:
        return
    ties, both_bad = (grounds.totals.outcomes[each] for each in (Outcome.TIE, Outcome.BOTH_BAD))
    excluded = sum(grounds.run.excluded.values())
    retired = sum(model.is_retired for model in grounds.models)
    bad = f"{percent(both_bad / total)} “both bad”" if both_bad else "no “both bad”"
    yield Statement(
        f"{excluded:,} were left out." if excluded else "Nothing was left out.",
        f"{percent(ties / total)} ties and {bad}. Skips are never rated. Retired models: {retired}. Models without a "
        f"rating: {len(grounds.models) - len(grounds.rated)}.",
    )


def no_single_number(grounds: Grounds) -> Iterator[Statement]:
    """Say that ratings and cells are two things."""
    if grounds.has_cells:
        yield Statement(
            "Cells are another kind of evidence.",
            "They are absolute and were measured apart from the votes. Ratings and cells are never folded into one number.",
        )
