"""Whether battles join all models of a board, and how many pairs rest on how little."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import comb
from statistics import median

from arena.leaderboard.findings import listed
from arena.leaderboard.meetings import Ground
from arena.leaderboard.pair_views import Joints, Support
from arena.leaderboard.tallies import Tally
from arena.leaderboard.views import Finding

BINS = ((1, 4), (5, 9), (10, 19), (20, None))
SHOWN_GROUPS = 4
HATCHED = "Where two models never met, their order rests on the models between them. Hatched squares show where."
NO_GAPS = (
    "The order of two models rests on their own battles and on those with the models between them."
)


def read_joints(ground: Ground) -> Joints:
    """Return how the pairs of a board hang together."""
    pairs = ground.counts.pairs
    models = len(ground.names)
    groups = joined_groups(ground.names, pairs)
    opponents = count_opponents(ground)
    return Joints(
        finding=find_joints(groups, models, len(pairs)),
        groups=groups,
        all_pairs=comb(models, 2),
        met=len(pairs),
        support=count_support(ground.counts, models),
        median_battles=median(each.battles for each in pairs.values()) if pairs else None,
        fewest_opponents=min(opponents, key=lambda pair: (pair[1], pair[0])) if opponents else None,
        most_battles=most_battles(ground),
        told_apart=ground.covariance.told_apart(ground.ratings) if ground.covariance else None,
        settled=ground.verdicts.settled,
    )


def joined_groups(
    names: Mapping[int, str], met: Iterable[tuple[int, int]]
) -> tuple[tuple[str, ...], ...]:
    """Return the models that battles join in any way, the largest group first."""
    group = {model: {model} for model in names}
    for a, b in met:
        if group[a] is not group[b]:
            together = group[a] | group[b]
            for model in together:
                group[model] = together
    distinct = {id(members): members for members in group.values()}.values()
    found = [tuple(sorted(names[model] for model in members)) for members in distinct]
    return tuple(sorted(found, key=lambda members: (-len(members), members)))


def find_joints(groups: Sequence[Sequence[str]], models: int, met: int) -> Finding:
    """Return whether all models are joined, and how many pairs never met."""
    total = comb(models, 2)
    if not total:
        return Finding(
            "No two models have met yet.", "The first vote between two models shows here."
        )
    never = (
        f"{total - met:,} of {total:,} pairs never met." if met < total else "Every pair has met."
    )
    if len(groups) > 1:
        apart = "; ".join(listed(members) for members in groups[:SHOWN_GROUPS])
        lead = f"Models of different groups cannot be rated against each other. They are: {apart}."
        return Finding(f"{len(groups)} groups of models never meet. {never}", lead)
    lead = HATCHED if met < total else NO_GAPS
    return Finding(f"All models are joined. {never}", lead)


def count_support(counts: Tally, models: int) -> tuple[Support, ...]:
    """Return how many pairs have no, few and many battles."""
    battles = [meeting.battles for meeting in counts.pairs.values()]
    never = comb(models, 2) - len(battles)
    found = [
        Support(least, most, sum(least <= n <= (most or n) for n in battles))
        for least, most in BINS
    ]
    return (Support(0, 0, never), *found)


def count_opponents(ground: Ground) -> list[tuple[str, int]]:
    """Return how many others each model met."""
    found = Counter(model for pair in ground.counts.pairs for model in pair)
    return [(ground.names[model], n) for model, n in found.items()]


def most_battles(ground: Ground) -> tuple[str, float] | None:
    """Return the model in most battles, and in what share of all."""
    if not ground.counts.total:
        return None
    model, n = ground.counts.battles.most_common(1)[0]
    return ground.names[model], n / ground.counts.total
