"""How many voters are found, how many honest ones are suspected, and what quarantine saves."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from ranking import POINTS_PER_LOGIT, Battles, competition_ranks
from ranking.anomalies import Findings, by_voter, examine_voters, fit_reference
from ranking.battles import Floats
from ranking.fitting import fit
from tests.figures import written_to
from tests.ranking.anomalies.voting import TARGET, Hall, hall, together, voters_of

HISTORY, VOTES = 40_000, 50
SYBILS = 20
POWER = {
    "always left": 0.95,
    "90 % left": 0.95,
    "always tie": 0.95,
    "coin, never tie": 0.95,
    "target only": 0.95,
    "inverse": 0.6,
}
# Without a bar: what one voter of 50 votes does not give away.
LIMITS = ("random", "target when seen", "honest, half at random")


@dataclass(frozen=True)
class Shares:
    """Which share of some voters, or cohorts, was suspected; and by each part at the whole level's half."""

    suspected: float
    battery: float
    evidence: float


def shares(hall: Hall, history: Battles, conduct: str, *, votes: int, units: int) -> Shares:
    """Examine units one at a time, each on the board that history and its own votes make."""
    merged = history.merged()
    found = [examine_alone(merged, hall.vote(conduct, votes)) for _ in range(units)]
    half = found[0].level / 2
    return Shares(
        float(np.mean([each.suspected[0] for each in found])),
        float(np.mean([each.battery.p_value[0] <= half for each in found])),
        float(np.mean([each.evidence.log_peak[0] >= -np.log(half) for each in found])),
    )


def examine_alone(history: Battles, own: Battles) -> Findings:
    reference = fit_reference(together(history, own).merged())
    return examine_voters(by_voter(np.zeros(len(own), int), own, n_voters=1), reference)


@dataclass(frozen=True)
class Move:
    """How far the target's rating and rank are from those by honest votes."""

    points: float
    ranks: int


def moved(honest: Battles, board: Battles) -> Move:
    before, after = fit(honest).strength, fit(board).strength
    ranks = [int(competition_ranks(strength)[TARGET]) for strength in (before, after)]
    points = POINTS_PER_LOGIT * (after[TARGET] - before[TARGET])
    return Move(abs(float(points)), abs(ranks[1] - ranks[0]))


def attacked(hall: Hall, *, attackers: int) -> tuple[Move, Move, Floats]:
    """Let some voters vote on the target only; return how far it moves without and with quarantine."""
    honest = [hall.vote("honest", VOTES) for _ in range(HISTORY // VOTES)]
    rigged = [hall.vote("target only", VOTES) for _ in range(attackers)]
    board = together(*honest, *rigged)
    found = examine_voters(voters_of([*honest, *rigged]), fit_reference(board))
    kept = [part for part, out in zip([*honest, *rigged], found.suspected, strict=True) if not out]
    truth = together(*honest)
    return moved(truth, board), moved(truth, together(*kept)), found.suspected[len(honest) :]


def test_bots_are_found_and_honest_voters_are_left_alone(generator: np.random.Generator) -> None:
    """The small twin of the first bar: 8 bots of a kind, 40 honest voters."""
    honest_hall = hall(generator)
    history = honest_hall.vote("honest", HISTORY)
    caught = {
        conduct: shares(honest_hall, history, conduct, votes=VOTES, units=8) for conduct in POWER
    }
    honest = shares(honest_hall, history, "honest", votes=VOTES, units=40)

    for conduct, bar in POWER.items():
        assert caught[conduct].suspected >= bar - 0.3, conduct
    assert honest.suspected <= 0.025


def test_a_cohort_gives_away_what_its_voters_do_not(generator: np.random.Generator) -> None:
    """The small twin of the second bar: accounts that look honest one by one do not look so together."""
    honest_hall = hall(generator)
    history = honest_hall.vote("honest", HISTORY)
    size = SYBILS * VOTES

    rigged = shares(honest_hall, history, "target when seen", votes=size, units=5)
    honest = shares(honest_hall, history, "honest", votes=size, units=20)
    alone = shares(honest_hall, history, "target when seen", votes=VOTES, units=10)

    assert rigged.suspected == 1.0
    assert honest.suspected <= 0.05
    assert alone.suspected <= 0.3


def test_quarantine_undoes_an_attack(generator: np.random.Generator) -> None:
    """The third bar: 1 % of the votes, on the target only."""
    bare, guarded, found = attacked(hall(generator), attackers=HISTORY // VOTES // 100)

    assert bare.points > 20
    assert found.all()
    assert guarded.points <= 5
    assert guarded.ranks <= 1


HEADING = """
# Anomalous voters

How many voters are suspected at an overall level of 1 %, in simulations with a known truth: 20 models with strengths
drawn with a standard deviation of 122 points, equals tie in a quarter of their battles, and 40,000 honest votes make the board. Each voter or
cohort is examined on the board that it is part of. "Battery" and "evidence" are the two parts, each at half the level.

"honest, half at random" is a person who clicks at random half of the time: not dishonest, and found at times. That is
why a finding puts votes aside for review and deletes nothing.
"""
COLUMNS = ("who", "votes each", "simulated", "suspected", "battery", "evidence", "bar")


@pytest.fixture(scope="module")
def figures() -> Iterator[list[tuple[str, ...]]]:
    """The rows of the page of figures, written when the simulations are done."""
    with written_to("anomalous-voters.md", HEADING, COLUMNS) as rows:
        yield rows


def row(name: str, votes: int, units: int, found: Shares, bar: str) -> tuple[str, ...]:
    percent = (f"{100 * share:.1f} %" for share in (found.suspected, found.battery, found.evidence))
    return (name, f"{votes:,}", f"{units:,}", *percent, bar)


@pytest.mark.slow
def test_single_voters_to_the_bar(
    generator: np.random.Generator, figures: list[tuple[str, ...]]
) -> None:
    """400 honest voters and 150 of each kind, 50 votes each."""
    honest_hall = hall(generator)
    history = honest_hall.vote("honest", HISTORY)
    honest = shares(honest_hall, history, "honest", votes=VOTES, units=400)
    figures.append(row("honest", VOTES, 400, honest, "at most 1 %"))
    caught = {}
    for conduct in (*POWER, *LIMITS):
        found = shares(honest_hall, history, conduct, votes=VOTES, units=150)
        bar = f"at least {100 * POWER[conduct]:.0f} %" if conduct in POWER else "published"
        figures.append(row(conduct, VOTES, 150, found, bar))
        caught[conduct] = found.suspected

    assert honest.suspected <= 0.01
    assert all(caught[conduct] >= bar for conduct, bar in POWER.items())


@pytest.mark.slow
def test_cohorts_to_the_bar(generator: np.random.Generator, figures: list[tuple[str, ...]]) -> None:
    """400 honest cohorts of 20 voters, and 100 that promote one model whenever they see it."""
    honest_hall = hall(generator)
    history, size = honest_hall.vote("honest", HISTORY), SYBILS * VOTES
    honest = shares(honest_hall, history, "honest", votes=size, units=400)
    rigged = shares(honest_hall, history, "target when seen", votes=size, units=100)
    figures.append(row("honest cohort of 20", size, 400, honest, "at most 1 %"))
    figures.append(row("cohort of 20, target when seen", size, 100, rigged, "at least 95 %"))

    assert honest.suspected <= 0.01
    assert rigged.suspected >= 0.95


@pytest.mark.slow
def test_attacks_to_the_bar(generator: np.random.Generator, figures: list[tuple[str, ...]]) -> None:
    """1 % of all votes on the target only, over 20 boards: no board moves further than the bar."""
    attackers = HISTORY // VOTES // 100
    results = [attacked(hall(generator), attackers=attackers) for _ in range(20)]
    bare = max(result[0].points for result in results)
    guarded = max(result[1].points for result in results)
    ranks = [max(result[side].ranks for result in results) for side in (0, 1)]
    found = float(np.mean([result[2].mean() for result in results]))
    figures.append(
        (
            f"1 % of the votes on one target, 20 boards: it moves at most {bare:.0f} points and {ranks[0]} ranks, "
            f"after quarantine {guarded:.1f} points and {ranks[1]} ranks",
            str(VOTES),
            str(attackers * len(results)),
            f"{100 * found:.1f} %",
            "",
            "",
            "at most 5 points and 1 rank",
        )
    )

    assert guarded <= 5
    assert ranks[1] <= 1
