"""What a voter seems to do, in a few words: by the evidence where it speaks, else by the test that says most."""

from typing import NamedTuple, assert_never

import numpy as np

from arena.reviewing.ballots import BoardBallots
from ranking import Findings
from ranking.anomalies import ALTERNATIVES, TESTS, VoterTest

NOT_EXAMINED = "no vote was examined"


class Conduct(NamedTuple):
    """What a voter seems to do, and the place of the model that it is about, if it is about one."""

    words: str
    model: int | None


class Tally(NamedTuple):
    """How many votes of a voter were for the left, for the right, and ties."""

    votes: int
    left: int
    right: int
    ties: int


def tally_of(ballots: BoardBallots, place: int | None = None) -> Tally:
    """Return the tally of one voter, or of everybody."""
    score = ballots.battles.score
    if place is not None:
        score = score[slice(*np.searchsorted(ballots.voter, [place, place + 1]))]
    left, right = int((score == 1).sum()), int((score == 0).sum())
    return Tally(len(score), left, right, len(score) - left - right)


def conduct_of(findings: Findings, ballots: BoardBallots, place: int) -> Conduct:
    """Return what a voter seems to do."""
    battery, evidence = findings.battery, findings.evidence
    own = tally_of(ballots, place)
    if own.votes == 0:
        return Conduct(NOT_EXAMINED, None)
    if evidence.log_peak[place] >= findings.enough_evidence:
        model = int(evidence.model[place])
        words = ALTERNATIVES[int(evidence.alternative[place])].value
        return Conduct(words, None if model < 0 else model)
    test = TESTS[int(battery.p_values[place].argmin())]
    if test is VoterTest.MODEL:
        side = "for" if battery.excess[place] > 0 else "against"
        return Conduct(f"votes {side} a model more often than others", int(battery.model[place]))
    return Conduct(_words(test, own, tally_of(ballots)), None)


def _words(test: VoterTest, own: Tally, all_votes: Tally) -> str:
    """Return what a test of the whole of a voter's votes found, beside what everybody does."""
    match test:
        case VoterTest.SEAT:
            lead = (own.left - own.right) / own.votes
            usual = (all_votes.left - all_votes.right) / all_votes.votes
            return f"votes {'left' if lead > usual else 'right'} more often than others"
        case VoterTest.TIE:
            often = own.ties / own.votes > all_votes.ties / all_votes.votes
            return f"ties {'more' if often else 'less'} often than others"
        case VoterTest.LIKELIHOOD | VoterTest.MODEL:
            return "prefers what others do not"
        case _:
            assert_never(test)
