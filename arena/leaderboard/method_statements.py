"""What the method of a run allows for and what not: ties, prompts, voters, what was left aside, and the first seat."""

from collections.abc import Iterator

from arena.leaderboard.grounds import Grounds, percent, sentence, signed
from arena.leaderboard.views import Statement
from arena.terms import Cluster, Outcome
from ranking import wilson

# A scale that half ties leave nearly as it was is not worth a sentence.
NOTABLE_SLOPE = 0.95


def ties(grounds: Grounds) -> Iterator[Statement]:
    """Say by how much half ties shrink the scale, where it is much."""
    found = grounds.run.findings
    slope = None if found is None else found.half_tie_slope
    if slope is None or slope > NOTABLE_SLOPE:
        return
    yield Statement(
        f"Half ties shrink this scale to {percent(slope)} of Davidson’s.",
        "His model knows a tie as an outcome of its own; by it differences would be larger by as much. The order "
        "of the models hardly depends on that, and points of two boards can be compared only at one share of ties.",
    )


def prompts(grounds: Grounds) -> Iterator[Statement]:
    """Say whether other prompts are allowed for."""
    pool = f" The pool has {grounds.prompts:,} now." if grounds.prompts else ""
    if grounds.goes_by(Cluster.PROMPT):
        yield Statement(
            "Prompts are taken as drawn from many.",
            f"Intervals allow for which prompts were asked: {grounds.noun} on one go together.{pool}",
        )
        return
    yield Statement(
        "Other prompts may order the models otherwise.",
        f"Intervals allow for which {grounds.noun} came in, not for which prompts were asked.{pool}",
    )


def voters(grounds: Grounds) -> Iterator[Statement]:
    """Say on how many people the votes rest, and whether intervals know."""
    people = grounds.run.voters
    if not people:
        return
    # Of a simulated history nobody is a person, and who voted here since is not told apart in the run.
    many = "voters" if grounds.is_simulated else "people"
    one = "voter" if grounds.is_simulated else "person"
    number = (
        f"{grounds.run.preferences:,} votes came from {people:,} {many if people > 1 else one}, "
        f"{grounds.run.preferences / people:,.0f} each on average."
    )
    if grounds.goes_by(Cluster.VOTER):
        yield Statement(
            f"Votes of one {one} go together.",
            f"{number} Intervals allow for a taste that somebody shows each time.",
        )
        return
    yield Statement(
        "Votes are taken one by one." if people > 1 else f"One {one} cast every vote.",
        f"{number} A taste that somebody shows each time is not allowed for.",
    )


def left_aside(grounds: Grounds) -> Iterator[Statement]:
    """Say what voters in quarantine do to the table."""
    aside = grounds.run.quarantined
    if aside.votes:
        who = "1 voter" if aside.voters == 1 else f"{aside.voters:,} voters"
        yield Statement(
            f"{aside.votes:,} votes of {who} are in quarantine.",
            "Somebody looked at how they were cast and left them out of the ratings. Nothing is deleted: the "
            "reading with them stands beside.",
        )


def position(grounds: Grounds) -> Iterator[Statement]:
    """Say what the first place gives an answer: by the fit if it says, and how often it won."""
    found = grounds.run.findings
    seen = seats_seen(grounds)
    if found is None or (found.position is None and found.position_absent is None):
        if seen:
            yield Statement("What the first seat gives is not fitted.", seen)
        return
    if found.position is None:
        yield Statement(
            "What the first seat gives is not known.", f"{sentence(found.position_absent)} {seen}"
        )
        return
    gain = found.position
    ends = f"({signed(gain.lower)} to {signed(gain.upper)})"
    what = "It is taken out of the ratings." if found.position_applied else "It is averaged out."
    yield Statement(
        "No lean to a side is seen."
        if gain.lower <= 0 <= gain.upper
        else "Sides were not judged alike.",
        f"Its place alone gives the answer shown first {signed(gain.estimate)} points {ends}. {what} {seen}",
    )


def seats_seen(grounds: Grounds) -> str:
    """Return how often the answer that was shown first won, as a sentence."""
    first, second = grounds.totals.outcomes[Outcome.A], grounds.totals.outcomes[Outcome.B]
    decided = first + second
    if not decided:
        return ""
    low, high = wilson(first, decided)
    return (
        f"The answer shown first won {percent(first / decided)} of {decided:,} decided {grounds.noun} "
        f"({percent(low)} to {percent(high)})."
    )
