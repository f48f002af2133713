"""Published tables, computed again."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import Battles, competition_ranks, fit
from ranking.battles import Floats
from ranking.bradley_terry import inverse_curvature
from tests.shared import shared_file

# Agresti (2002), "Categorical Data Analysis", table 10.10: American League 1987, wins of the home team
# at home and of the away team away, each row home against all others in this order.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
HOME_AND_AWAY_WINS = (
    ((4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)),
    ((3, 3), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)),
    ((2, 5), (4, 3), (2, 4), (4, 3), (4, 2), (6, 0)),
    ((3, 3), (5, 1), (2, 5), (4, 3), (4, 2), (6, 1)),
    ((5, 1), (2, 5), (3, 3), (4, 2), (5, 2), (6, 0)),
    ((2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (2, 4)),
    ((2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4)),
)
# Turner and Firth (2012), "Bradley-Terry models in R", J. Stat. Software 48(9): the model without home
# advantage, Baltimore as reference.
TEAM_STRENGTHS = {
    "Cleveland": (0.6839, 0.3319),
    "Boston": (1.1077, 0.3339),
    "New York": (1.2476, 0.3359),
    "Toronto": (1.2945, 0.3367),
    "Detroit": (1.4364, 0.3396),
    "Milwaukee": (1.5814, 0.3433),
}

# Stigler (1994), "Citation patterns in the journals of statistics and probability": rows cited, columns
# citing, in the order of JOURNALS. A citation is a win of the cited; a journal's of itself says nothing.
JOURNALS = ("Biometrika", "Comm Statist", "JASA", "JRSS-B")
CITATIONS = (
    (714, 730, 498, 221),
    (33, 425, 68, 17),
    (320, 813, 1072, 142),
    (284, 276, 325, 188),
)
# As Turner and Firth print them: coefficient and standard error, Biometrika as reference.
JOURNAL_STRENGTHS = {
    "Comm Statist": (-2.94907, 0.10255),
    "JASA": (-0.47957, 0.06059),
    "JRSS-B": (0.26895, 0.07083),
}


@dataclass(frozen=True)
class Contrasts:
    """Strengths relative to a reference model, with the standard errors of the model's own equations."""

    estimate: Floats
    standard_error: Floats


def contrasts(battles: Battles, reference: int) -> Contrasts:
    found = fit(battles)
    covariance = inverse_curvature(found.curvature)
    variance = covariance.diagonal() + covariance[reference, reference] - 2 * covariance[reference]
    return Contrasts(found.strength - found.strength[reference], np.sqrt(variance))


def baseball() -> Iterator[tuple[int, int, float, float]]:
    for home, results in enumerate(HOME_AND_AWAY_WINS):
        others = [team for team in range(len(TEAMS)) if team != home]
        for away, (home_wins, away_wins) in zip(others, results, strict=True):
            yield home, away, 1.0, home_wins
            yield home, away, 0.0, away_wins


def citations() -> Iterator[tuple[int, int, float, float]]:
    for cited, counts in enumerate(CITATIONS):
        for citing, n in enumerate(counts):
            if cited != citing:
                yield cited, citing, 1.0, n


def battles_of(rows: Iterator[tuple[int, int, float, float]], n_models: int) -> Battles:
    first, second, score, weight = (
        np.array(column) for column in zip(*(row for row in rows if row[3]), strict=True)
    )
    return Battles(first, second, score, weight, n_models)


def test_the_baseball_table_comes_out() -> None:
    """Seven teams, 42 home records: coefficients and standard errors to all four printed digits."""
    found = contrasts(battles_of(baseball(), len(TEAMS)), TEAMS.index("Baltimore"))

    for team, (strength, standard_error) in TEAM_STRENGTHS.items():
        assert found.estimate[TEAMS.index(team)] == pytest.approx(strength, abs=5e-5)
        assert found.standard_error[TEAMS.index(team)] == pytest.approx(standard_error, abs=5e-5)


def test_the_citation_table_comes_out() -> None:
    """Four journals: coefficients and standard errors to all five printed digits."""
    found = contrasts(battles_of(citations(), len(JOURNALS)), JOURNALS.index("Biometrika"))

    for journal, (strength, standard_error) in JOURNAL_STRENGTHS.items():
        assert found.estimate[JOURNALS.index(journal)] == pytest.approx(strength, abs=5e-6)
        assert found.standard_error[JOURNALS.index(journal)] == pytest.approx(
            standard_error, abs=5e-6
        )


@dataclass(frozen=True)
class Board:
    """A published board: its models, the published scores and ranks, and its votes."""

    names: tuple[str, ...]
    score: Floats
    rank: Floats
    battles: Battles


def llmfao(judge: str, file: str) -> Board:
    """Return a board of D. Ustalov's LLMFAO (CC BY 4.0), with the votes that it was computed from."""
    folder = shared_file("data", "preferences", "llmfao")
    published = [
        row for row in _read(folder / "published_leaderboard.csv") if row["judge"] == judge
    ]
    names = tuple(row["model"] for row in published)
    place = {name: number for number, name in enumerate(names)}
    votes = list(_read(folder / file))
    worth = {"left": 1.0, "right": 0.0, "tie": 0.5}
    return Board(
        names,
        np.array([float(row["score"]) for row in published]),
        np.array([float(row["rank"]) for row in published]),
        Battles(
            np.array([place[vote["left"]] for vote in votes]),
            np.array([place[vote["right"]] for vote in votes]),
            np.array([worth[vote["winner"]] for vote in votes]),
            np.ones(len(votes)),
            len(names),
        ),
    )


def _read(path: Path) -> Iterator[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


@pytest.mark.parametrize(
    ("judge", "file"),
    [("crowd", "crowd-comparisons.csv"), ("gpt3", "gpt3-crowd-comparisons.csv")],
)
def test_the_llmfao_scores_come_out(judge: str, file: str) -> None:
    """59 models by 8931 votes of people, and by 2139 verdicts of a judge: e^strength as shares of the sum."""
    board = llmfao(judge, file)

    odds = np.exp(fit(board.battles).strength)

    assert_allclose(odds / odds.sum(), board.score, atol=1e-5)


def test_the_llmfao_ranks_of_gpt_4_come_out() -> None:
    """Its published search stopped early, so the scores differ in the third digit; the order does not."""
    board = llmfao("gpt4", "gpt4-crowd-comparisons.csv")

    ranks = competition_ranks(fit(board.battles).strength)

    assert ranks.tolist() == board.rank.tolist()
