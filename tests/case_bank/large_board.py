"""A board of a million rows: counting loses nothing, and memory stays small."""

import re
import resource
from collections.abc import Mapping
from typing import Any

import numpy as np

from ranking import bootstrap, fit
from tests.ranking.davidson import draw_rows

KIB_PER_MB = 1e6 / 1024


def check(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Fit the rows one by one and by their counts, with resamples, and look at the memory."""
    assert set(expected) <= {"peak_rss_mb_le", "same_as_row_level_fit_tol", "note"}
    n_rows, n_models, seed = numbers_in(given["battles"])
    strength = np.linspace(-1, 1, n_models)
    rows = draw_rows(
        strength, n_rows, np.random.default_rng(seed), share=np.full(n_models, 1 / n_models)
    )

    counted = rows.merged()
    found = fit(counted)
    bootstrap(counted, found, rounds=given["bootstrap"], seed=0)

    difference = np.abs(fit(rows).strength - found.strength).max()
    assert difference <= expected["same_as_row_level_fit_tol"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIB_PER_MB
    assert peak <= expected["peak_rss_mb_le"]


def numbers_in(words: str) -> tuple[int, int, int]:
    """Return rows, models and seed of "1,000,000 rows, 100 models, generated with seed 3"."""
    found = re.fullmatch(r"([\d,]+) rows, ([\d,]+) models, generated with seed (\d+)", words)
    assert found is not None
    rows, models, seed = (int(number.replace(",", "")) for number in found.groups())
    return rows, models, seed
