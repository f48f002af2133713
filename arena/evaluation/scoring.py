"""Whether an answer is right, and what share of a set of answers is. Text in, numbers out."""

import re
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from ranking import wilson

ARTICLES = re.compile(r"\b(a|an|the)\b")
WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
# A comma separates thousands only in front of three digits; a sign belongs to a number that nothing stands before.
NUMBER = re.compile(r"(?:(?<!\w)[-\u2212])?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?")


def exact_match(reference: str, answer: str) -> bool:
    """Return whether the two are the same text, but for space around it."""
    return bool(answer) and reference.strip() == answer.strip()


def quasi_exact_match(reference: str, answer: str) -> bool:
    """Return whether the two are the same text without case, ASCII punctuation, English articles and extra space.

    This is HELM's definition, word for word, with what follows from it: an inverted exclamation mark
    is no ASCII punctuation, so "¡Lima!" does not match "Lima".
    """
    return bool(answer) and plain(reference) == plain(answer)


def plain(text: str) -> str:
    """Return a text in lower case without ASCII punctuation, English articles and extra space, in that order."""
    bare = text.lower().translate(WITHOUT_PUNCTUATION)
    return " ".join(ARTICLES.sub(" ", bare).split())


def final_number_match(reference: str, answer: str) -> bool:
    """Return whether the last number of each is the same number: 6.5 is 6.50, and 1,440 is 1440.

    HELM's `final_number_exact_match` compares digits as text, takes any sign for a decimal point and a lone
    comma for a number; the two differ on such answers, so they do not share a name.
    """
    expected, found = final_number(reference), final_number(answer)
    return expected is not None and expected == found


def final_number(text: str) -> Decimal | None:
    """Return the last number in a text, None if there is none."""
    numbers = NUMBER.findall(text)
    if not numbers:
        return None
    return Decimal(numbers[-1].replace(",", "").replace("\u2212", "-"))


Score = Callable[[str, str], bool]
SCORES: dict[str, Score] = {
    "exact_match": exact_match,
    "quasi_exact_match": quasi_exact_match,
    "final_number_match": final_number_match,
}


def is_right(score: Score, references: Sequence[str], answer: str) -> bool:
    """Return whether an answer matches the best of its references."""
    return any(score(reference, answer) for reference in references)


@dataclass(frozen=True)
class Share:
    """A share of n items with its Wilson interval."""

    value: float
    lower: float
    upper: float
    n: int


def share_right(marks: Sequence[bool], *, level: float = 0.95) -> Share:
    """Return the share of marks that are true, with its interval.

    Raises
    ------
    ValueError
        If there are no marks: a share of nothing is undefined.
    """
    right, n = sum(marks), len(marks)
    if n == 0:
        raise ValueError("no answer was marked; a share needs at least one")
    lower, upper = wilson(right, n, level=level)
    return Share(right / n, lower, upper, n)
