"""What examining finds in a real crowd: the LLMFAO comparisons, 124 paid workers."""

import csv
from typing import NamedTuple

import numpy as np
import pytest

from ranking import Battles
from ranking.anomalies import (
    ALTERNATIVES,
    Alternative,
    Findings,
    VoterVotes,
    by_voter,
    examine_voters,
    fit_reference,
)
from tests.shared import shared_file

SCORES = {"left": 1.0, "tie": 0.5, "right": 0.0}


class Crowd(NamedTuple):
    workers: list[str]
    votes: VoterVotes
    findings: Findings


@pytest.fixture(scope="module")
def crowd() -> Crowd:
    path = shared_file("data", "preferences", "llmfao", "crowd-comparisons.csv")
    with path.open() as file:
        rows = list(csv.DictReader(file))
    models = sorted({row[side] for row in rows for side in ("model_x", "model_y")})
    workers = sorted({row["worker"] for row in rows})
    battles = Battles(
        [models.index(row["model_x"]) for row in rows],
        [models.index(row["model_y"]) for row in rows],
        [SCORES[row["winner"]] for row in rows],
        np.ones(len(rows)),
        len(models),
    )
    voter = np.array([workers.index(row["worker"]) for row in rows])
    votes = by_voter(voter, battles, n_voters=len(workers))
    return Crowd(workers, votes, examine_voters(votes, fit_reference(battles.merged())))


def test_the_worker_who_always_chose_left_is_found(crowd: Crowd) -> None:
    """Worker 32: 21 of 21 times left, which evidence names after a few votes."""
    place = crowd.workers.index("32")
    own = crowd.votes.outcome[crowd.votes.voter == place]

    assert (len(own), int(own.sum())) == (21, 0)
    assert crowd.findings.suspected[place]
    assert crowd.findings.discovered[place]
    assert ALTERNATIVES[crowd.findings.evidence.alternative[place]] is Alternative.LEFT


def test_real_people_differ_so_much_that_a_quarter_is_suspected(crowd: Crowd) -> None:
    """Some tie in two of three battles, some never: true findings, and no proof of bad faith.

    The documents print these numbers: 32 of 124 workers, with half of all votes; 13 stand out among all.
    """
    suspected = crowd.findings.suspected
    share = np.isin(crowd.votes.voter, np.flatnonzero(suspected)).mean()

    assert suspected.sum() == pytest.approx(32, abs=3)
    assert share == pytest.approx(0.51, abs=0.05)
    assert crowd.findings.discovered.sum() == pytest.approx(13, abs=2)
