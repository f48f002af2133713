"""What a voter seems to do is said by the evidence where there is enough, else by the test that says most."""

import numpy as np
import pytest

from arena.reviewing.ballots import BoardBallots
from arena.reviewing.conduct import conduct_of
from ranking import Findings, examine_voters, fit_reference
from tests.arena.reviewing.ballot_boxes import NAMES
from tests.ranking.anomalies.voting import Hall, hall, together, voters_of


def examined(conduct: str, votes: int, *, honest: int = 30) -> tuple[Findings, BoardBallots, Hall]:
    """One voter with a conduct, in place 0, and honest ones."""
    town = hall(np.random.default_rng(11))
    parts = [town.vote(conduct, votes), *(town.vote("honest", 60) for _ in range(honest))]
    everyone, by = together(*parts), voters_of(parts)
    findings = examine_voters(by, fit_reference(everyone))
    names = tuple(f"voter-{number}" for number in range(len(parts)))
    is_out = np.zeros(len(parts), np.bool_)
    return findings, BoardBallots(tuple(NAMES), names, is_out, by.voter, everyone), town


@pytest.mark.parametrize(
    ("conduct", "votes", "words", "model"),
    [
        ("always left", 60, "always votes left", None),
        ("target only", 60, "promotes a model", 12),
        ("always left", 7, "votes left more often than others", None),
        ("always tie", 3, "ties more often than others", None),
        ("coin, never tie", 16, "ties less often than others", None),
        ("inverse", 25, "prefers what others do not", None),
    ],
)
def test_conduct_in_words(conduct: str, votes: int, words: str, model: int | None) -> None:
    """A reviewer must not read "always votes right" of one whom only the number of ties speaks against."""
    findings, ballots, _ = examined(conduct, votes)

    assert conduct_of(findings, ballots, 0) == (words, model)


def test_a_voter_without_votes_does_nothing() -> None:
    """All votes of theirs may be on models that are not rated."""
    findings, ballots, _ = examined("honest", 0)

    assert conduct_of(findings, ballots, 0).words == "no vote was examined"
