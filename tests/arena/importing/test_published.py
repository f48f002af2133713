"""What was imported, counted and fitted is what its publisher computed."""

import csv
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy.orm import Session

from arena.importing import ImportFile, import_votes
from arena.store.boards import model_names
from arena.store.preferences import Source, read_counts
from ranking import Battles, fit
from tests.shared import shared_file

# A tie is half a win, and "both bad" is a tie.
SCORES = {"a": 1.0, "b": 0.0, "tie": 0.5, "both_bad": 0.5}


def fitted_shares(session: Session, source: Source) -> dict[str, float]:
    """The strengths of a source's models, as the publisher shows them: exponentials that sum to one."""
    counts = read_counts(session, source)
    ids = sorted({row.first_model_id for row in counts} | {row.second_model_id for row in counts})
    battles = Battles(
        np.array([ids.index(row.first_model_id) for row in counts], np.int32),
        np.array([ids.index(row.second_model_id) for row in counts], np.int32),
        np.array([SCORES[row.outcome] for row in counts]),
        np.array([float(row.n) for row in counts]),
        len(ids),
    )
    shares = np.exp(fit(battles.merged()).strength)
    names = model_names(session, set(ids))
    return {names[key]: share for key, share in zip(ids, shares / shares.sum(), strict=True)}


def published(folder: Path, judge: str) -> dict[str, float]:
    with (folder / "published_leaderboard.csv").open(encoding="utf-8") as file:
        return {
            row["model"]: float(row["score"])
            for row in csv.DictReader(file)
            if row["judge"] == judge
        }


@pytest.mark.parametrize(
    ("file", "judge", "source"),
    [("crowd-comparisons.csv", None, "crowd"), ("gpt3-crowd-comparisons.csv", "GPT-3.5", "gpt3")],
    ids=["people", "GPT-3.5"],
)
def test_imported_votes_give_the_published_scores(
    file: str, judge: str | None, source: str, session: Session, tmp_path: Path
) -> None:
    """A real file, through the tables, to the numbers that its publisher printed."""
    folder = shared_file("data", "preferences", "llmfao")
    report = import_votes(
        session, ImportFile(folder / file, "people", judge=judge), rejections=tmp_path
    )

    [imported] = report.sources
    assert fitted_shares(session, imported) == pytest.approx(published(folder, source), abs=1e-5)


def test_imported_verdicts_of_gpt4_give_the_published_order(
    session: Session, tmp_path: Path
) -> None:
    """The publisher's own search stopped early there, so that its order is what can be held to."""
    folder = shared_file("data", "preferences", "llmfao")
    file = ImportFile(folder / "gpt4-crowd-comparisons.csv", "people", judge="GPT-4")
    report = import_votes(session, file, rejections=tmp_path)

    [imported] = report.sources
    shares, scores = fitted_shares(session, imported), published(folder, "gpt4")
    assert sorted(shares, key=shares.__getitem__) == sorted(scores, key=scores.__getitem__)
