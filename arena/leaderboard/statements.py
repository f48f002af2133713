"""What a table rests on and where it is weak: sentences made from its numbers. What does not apply is left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import pstdev

from arena.leaderboard.contrasts import Contrast
from arena.leaderboard.views import RunFacts, Standing, Statement
from arena.store.leaderboard import Totals
from arena.terms import Outcome
from ranking import wilson

FEW = "few_battles:"
LEAST_SHARED = 5
# Shares of battles that lie further apart than this are worth a sentence.
UNEVEN = 2


@dataclass(frozen=True)
class Grounds:
    """What the statements on one table are made from.

    `totals` counts what is on the board now; `names` are those of its models. `beside` are the ratings of the other
    source, by name, if one stands beside.
    """

    run: RunFacts
    models: Sequence[Standing]
    names: Mapping[int, str]
    totals: Totals
    prompts: int
    lead: Contrast | None
    beside: tuple[str, Mapping[str, float]] | None
    is_by_judge: bool
    is_simulated: bool
    has_cells: bool

    @property
    def rated(self) -> list[Standing]:
        """The models with a rating, by rank."""
        return [model for model in self.models if model.is_rated]

    @property
    def noun(self) -> str:
        """What a preference of this source is called, in the plural."""
        return "judgments" if self.is_by_judge else "votes"


def state(grounds: Grounds) -> tuple[Statement, ...]:
    """Return what a reader of the table should know."""
    parts = (
        simulation,
        first_place,
        rank_ranges,
        prompts,
        voters,
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
    """Say what a range promises and what not."""
    if grounds.rated:
        yield Statement(
            "Each range stands for itself.",
            "It leaves out the models whose whole interval lies above or below. That all ranges hold at once is "
            "not promised; with many models some will miss.",
        )


def prompts(grounds: Grounds) -> Iterator[Statement]:
    """Say that other prompts are not allowed for."""
    pool = f" The pool has {grounds.prompts:,} now." if grounds.prompts else ""
    yield Statement(
        "Other prompts may order the models otherwise.",
        f"Intervals allow for which {grounds.noun} came in, not for which prompts were asked.{pool}",
    )


def voters(grounds: Grounds) -> Iterator[Statement]:
    """Say on how many people the votes rest."""
    people = grounds.run.voters
    if people:
        # Of a simulated history nobody is a person, and who voted here since is not told apart in the run.
        many = "voters" if grounds.is_simulated else "people"
        one = "voter" if grounds.is_simulated else "person"
        yield Statement(
            "Votes are taken one by one." if people > 1 else f"One {one} cast every vote.",
            f"{grounds.run.preferences:,} votes came from {people:,} {many if people > 1 else one}, "
            f"{grounds.run.preferences / people:,.0f} each on average. A taste that somebody shows each time is not "
            "allowed for.",
        )


def position(grounds: Grounds) -> Iterator[Statement]:
    """Say how often the answer that was shown first won."""
    first, second = grounds.totals.outcomes[Outcome.A], grounds.totals.outcomes[Outcome.B]
    decided = first + second
    if not decided:
        return
    low, high = wilson(first, decided)
    open_minded = low <= 1 / 2 <= high
    yield Statement(
        "No lean to a side is seen." if open_minded else "Sides were not judged alike.",
        f"The answer shown first won {percent(first / decided)} of {decided:,} decided {grounds.noun} "
        f"({percent(low)} to {percent(high)}). It is averaged over, not a part of the fit.",
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


def signed(points: float) -> str:
    """Return points with a true minus sign."""
    return f"{points:.0f}".replace("-", "−")


def percent(share: float) -> str:
    """Return a share in percent, with a space that does not break."""
    return f"{100 * share:.0f}\u00a0%"
