"""How the answers of votes are dressed: as numbers beside the votes, and as columns of a fit."""

from collections.abc import Sequence

import numpy as np

from arena.evaluation.style import FEATURES, style_of
from arena.formats.answers import Answers
from ranking import StyleColumns, style_columns
from ranking.battles import Flags, Floats

# What a vote is left out for under a style fit.
NO_ANSWERS = "answers not kept"
UNKNOWN_STYLE = (None,) * (2 * len(FEATURES))

FeatureRow = Sequence[int | None]


def features_of(answers: Answers | None) -> FeatureRow:
    """Return the features of the answer shown first, then of the second; None throughout if they are not there."""
    if answers is None:
        return UNKNOWN_STYLE
    return [getattr(style_of(text), name) for text in answers for name in FEATURES]


def as_styles(rows: Sequence[FeatureRow]) -> Floats:
    """Return (n, 2, features) float64: of both answers of each vote, NaN where they are not known."""
    return np.array(rows, np.float64).reshape(-1, 2, len(FEATURES))


def has_answers(styles: Floats) -> Flags:
    """Return (n,): whether both answers of a vote are known."""
    return np.asarray(np.isfinite(styles).all(axis=(1, 2)), np.bool_)


def columns_of(styles: Floats, features: tuple[str, ...]) -> StyleColumns:
    """Return the columns of a fit for these features of votes whose answers are all known."""
    chosen = [FEATURES.index(name) for name in features]
    return style_columns(features, styles[:, 0, chosen], styles[:, 1, chosen])
