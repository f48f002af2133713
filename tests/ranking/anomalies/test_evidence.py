"""Evidence is what multiplying vote by vote gives, and keeps its level whenever one looks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from ranking import Battles
from ranking.anomalies import ALTERNATIVES, Alternative, Evidence, by_voter, fit_reference
from ranking.anomalies.evidence import BAND, LEANING, SURE, weigh
from ranking.anomalies.reference import Reference, expect
from ranking.anomalies.votes import FIRST_WON, SECOND_WON, TIED, VoterVotes
from ranking.ties import TieModel, outcome_chances
from tests.ranking.anomalies.voting import LOG_TIE, TARGET, Hall, hall, together, voters_of

NEVER = 1e6


@pytest.fixture
def board(generator: np.random.Generator) -> tuple[Hall, Battles]:
    honest_hall = hall(generator)
    return honest_hall, honest_hall.vote("honest", 20_000)


def weighed(history: Battles, parts: list[Battles]) -> tuple[Evidence, VoterVotes, Reference]:
    """The evidence against some voters, each a part, on a board of all votes."""
    everyone = together(*parts, history)
    voter = np.repeat(np.arange(len(parts) + 1), [len(part) for part in (*parts, history)])
    votes = by_voter(voter, everyone, n_voters=len(parts) + 1)
    reference = fit_reference(everyone)
    expected = expect(votes, reference)
    return weigh(votes, expected, reference, log_ceiling=NEVER), votes, reference


def path_of(votes: VoterVotes, reference: Reference, voter: int) -> list[float]:
    """The twin: the evidence after each vote of one voter, one product for each alternative."""
    m, rows = votes.n_models, range(votes.starts[voter], votes.starts[voter + 1])
    expected, deviation = expect(votes, reference), BAND * reference.deviations()
    band = BAND * reference.tie_deviation()
    one = 1 / len(ALTERNATIVES)
    products = dict.fromkeys(ALTERNATIVES[:8], one)
    products |= {(side, model): one / m for side in ALTERNATIVES[8:] for model in range(m)}
    path = []
    for row in rows:
        i, j, seen = votes.first[row], votes.second[row], votes.outcome[row]
        d, t, reach = expected.difference[row], expected.tie[row], deviation[i, j]
        near = np.sign(d) * max(abs(d) - reach, 0)
        chances = [outcome_chances(TieModel.DAVIDSON, np.array([x]), y) for x, y in
                   ((d + reach, t - band), (near, t + band), (d - reach, t - band))]  # fmt: skip
        honest = chances[seen][seen][0]
        p = expected.chances[row]
        slip = (1 - SURE) / 2
        surely = {out: [SURE if seen == out else slip][0] for out in (FIRST_WON, TIED, SECOND_WON)}
        now = {
            Alternative.NEVER_TIES: 0.0 if seen == TIED else 0.5,
            Alternative.LEFT: surely[FIRST_WON],
            Alternative.RIGHT: surely[SECOND_WON],
            Alternative.LEANS_LEFT: LEANING * surely[FIRST_WON] + (1 - LEANING) * p[seen],
            Alternative.LEANS_RIGHT: LEANING * surely[SECOND_WON] + (1 - LEANING) * p[seen],
            Alternative.ALWAYS_TIES: surely[TIED],
            Alternative.INVERTED: p[2 - seen],
            Alternative.RANDOM: 1 / 3,
            (Alternative.PROMOTES, i): surely[FIRST_WON],
            (Alternative.PROMOTES, j): surely[SECOND_WON],
            (Alternative.DEMOTES, i): surely[SECOND_WON],
            (Alternative.DEMOTES, j): surely[FIRST_WON],
        }
        for alternative, chance in now.items():
            products[alternative] *= chance / honest
        path.append(sum(products.values()))
    return path


@pytest.mark.parametrize("conduct", ["honest", "coin, never tie", "target when seen", "random"])
def test_evidence_is_the_mean_of_likelihood_ratios(
    conduct: str, board: tuple[Hall, Battles]
) -> None:
    """The running sums give what multiplying vote by vote gives, at the end and at the peak."""
    honest_hall, history = board
    parts = [honest_hall.vote("honest", 30), honest_hall.vote(conduct, 40)]

    evidence, votes, reference = weighed(history, parts)
    path = path_of(votes, reference, 1)

    assert_allclose(evidence.log_e_value[1], np.log(path[-1]), atol=1e-8)
    assert_allclose(evidence.log_peak[1], max(0.0, np.log(max(path))), atol=1e-8)
    if max(path) > 1:
        assert evidence.votes_to_peak[1] == 1 + int(np.argmax(path))


def test_stopping_is_decided_by_the_past_alone(board: tuple[Hall, Battles]) -> None:
    """An e-value is read at the first vote that takes the evidence to the ceiling, not at its best."""
    honest_hall, history = board
    bot = honest_hall.vote("always left", 60)
    everyone = together(bot, history)
    votes = by_voter(np.repeat([0, 1], [60, len(history)]), everyone, n_voters=2)
    reference = fit_reference(everyone)
    path = np.log(path_of(votes, reference, 0))
    ceiling = 6.0

    found = weigh(votes, expect(votes, reference), reference, log_ceiling=ceiling)

    stop = int(np.argmax(path >= ceiling))
    assert stop < 59
    assert_allclose(found.log_e_value[0], path[stop], atol=1e-8)
    assert found.log_peak[0] > found.log_e_value[0]


CAUGHT = {
    "always left": Alternative.LEFT,
    "90 % left": Alternative.LEFT,
    "always tie": Alternative.ALWAYS_TIES,
    "coin, never tie": Alternative.NEVER_TIES,
    "target only": Alternative.PROMOTES,
    "inverse": Alternative.INVERTED,
}


@pytest.mark.parametrize("conduct", list(CAUGHT))
def test_the_heaviest_alternative_is_what_the_voter_does(
    conduct: str, board: tuple[Hall, Battles]
) -> None:
    """A reviewer reads a sentence, and it is the right one."""
    honest_hall, history = board

    evidence, _, _ = weighed(history, [honest_hall.vote(conduct, 150)])

    assert ALTERNATIVES[evidence.alternative[0]] is CAUGHT[conduct]
    assert evidence.log_peak[0] > np.log(200)
    assert evidence.model[0] == (TARGET if conduct == "target only" else -1)


def test_a_voter_without_votes_has_no_evidence(board: tuple[Hall, Battles]) -> None:
    """No vote, no word against anybody."""
    _, history = board
    votes = by_voter(np.ones(len(history), int), history, n_voters=3)
    reference = fit_reference(history)

    found = weigh(votes, expect(votes, reference), reference, log_ceiling=NEVER)

    assert_array_equal(found.log_e_value[[0, 2]], 0.0)
    assert_array_equal(found.alternative[[0, 2]], -1)


def test_the_level_holds_at_every_time(generator: np.random.Generator) -> None:
    """Ever over 1 / level in 200 votes: at most the level of 1500 honest voters, whatever the level."""
    honest_hall = hall(generator)
    history = honest_hall.vote("honest", 40_000)
    reference = fit_reference(history)
    votes = voters_of([honest_hall.vote("honest", 200) for _ in range(1500)])

    found = weigh(votes, expect(votes, reference, own=False), reference, log_ceiling=NEVER)

    for level in (0.2, 0.05, 0.01):
        assert (found.log_peak >= -np.log(level)).mean() <= level
    assert found.log_peak.max() > np.log(5), "evidence moves, or the test proves nothing"


def test_the_truth_of_the_hall_is_what_the_twin_assumes() -> None:
    """Equals tie in a quarter of their battles."""
    _, tied, _ = outcome_chances(TieModel.DAVIDSON, np.zeros(1), LOG_TIE)

    assert_allclose(tied, 0.25)
