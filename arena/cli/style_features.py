"""Names of style features, as they are typed."""

from dataclasses import dataclass

import typer

from arena.evaluation.style import FEATURES

NONE = "none"
KNOWN = ",".join(FEATURES)


@dataclass(frozen=True)
class Features:
    """Features of answers whose effects are taken out."""

    names: tuple[str, ...] = ()


def read_features(text: str) -> Features:
    """Read names with commas between them, each once."""
    names = tuple(name.strip() for name in text.split(","))
    if set(names) <= set(FEATURES) and len(set(names)) == len(names):
        return Features(names)
    raise typer.BadParameter(f"found {text!r}; expected some of {KNOWN}, each once")


def read_features_or_none(text: str) -> Features:
    """Read the same, or "none"."""
    return Features() if text == NONE else read_features(text)
