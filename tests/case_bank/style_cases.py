"""Cases of ratings that are adjusted for style: both are shown, and a wide gap is said."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, logit

from arena.evaluation.style import FEATURES
from arena.rating_runs.fitting import Method, rate
from arena.rating_runs.readings import style_warnings, without_style
from arena.rating_runs.single_votes import SingleVotes
from arena.rating_runs.styles import NO_ANSWERS
from arena.terms import Interval

Given = Mapping[str, Any]
# In logits: what a longer answer adds in the votes that are made up for a case.
EFFECT = 1.0
OURS, BASELINE = 0, 1
# Beside an answer of 100, as much longer as shorter: (a - 100) / (a + 100 + 1) is the same but for its sign.
LONGER, SHORTER = 200.0, 49.875


def check(given: Given, expected: Given) -> None:
    """Votes with the raw and the adjusted rate of the case show both, and say that they are far apart."""
    votes = votes_with(given)
    method = Method(style=("length",), interval=Interval.SANDWICH)

    table = rate(votes.counts(), method, votes)

    plain = without_style(votes.counts(), method, votes)
    (warning,) = [
        each for each in style_warnings(table.models, plain) if "adjusted for it ours" in each
    ]
    adjusted, raw = (float(share) for share in re.findall(r"([\d.]+)%", warning))
    assert expected["both_shown"]
    assert adjusted == pytest.approx(given["adjusted"], abs=1)
    assert raw == pytest.approx(given["raw_win_rate"], abs=1)
    assert expected["warning"].replace("adjusted differs", "differ") in warning
    assert expected["n_used_and_expected_shown"]
    assert f"{given['n_used']} of its {given['n_expected']} battles" in warning
    assert table.excluded[NO_ANSWERS] == given["n_expected"] - given["n_used"]


def votes_with(given: Given) -> SingleVotes:
    """Return votes of one model against a baseline that come to both rates, some without their answers."""
    n, expected = given["n_used"], given["n_expected"]
    strength = logit(given["adjusted"] / 100)
    longer, shorter = expit(strength + EFFECT), expit(strength - EFFECT)
    share = (given["raw_win_rate"] / 100 - shorter) / (longer - shorter)
    n_longer = round(share * n)
    won = np.concatenate([_wins(longer, n_longer), _wins(shorter, n - n_longer)])
    styles = np.zeros((expected, 2, len(FEATURES)))
    place = FEATURES.index("length")
    styles[:n, BASELINE, place] = 100.0
    styles[:n, OURS, place] = np.where(np.arange(n) < n_longer, LONGER, SHORTER)
    styles[n:] = np.nan
    outcome = np.where(np.append(won, _wins(given["raw_win_rate"] / 100, expected - n)), 0, 1)
    return SingleVotes(
        models=("ours", "baseline"),
        first=np.full(expected, OURS),
        second=np.full(expected, BASELINE),
        outcome=outcome,
        styles=styles,
    )


def _wins(share: float, n: int) -> np.ndarray:
    return np.arange(n) < round(share * n)
