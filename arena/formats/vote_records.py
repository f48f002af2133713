"""What a row of any file of votes says, and how its fields are read: declared words only, nothing guessed."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from arena.formats.answers import Answers
from arena.formats.rows import Row, Values
from arena.hygiene import Instant, RefusedError, clean_name, clean_text, read_instant
from arena.terms import Outcome

# Both vocabularies of the public arena files; everything else is refused.
WINNERS: Mapping[str, Outcome] = {
    "model_a": Outcome.A,
    "model_b": Outcome.B,
    "tie": Outcome.TIE,
    "tie (bothbad)": Outcome.BOTH_BAD,
    "both_bad": Outcome.BOTH_BAD,
}


class VoteRecord(NamedTuple):
    """One vote as its file has it; what the file lacks is None. A tuple, since there are millions.

    `voter` and the keys are the file's own. `judge` is the name of a language model that judged, if the file
    names one. `cast_at_assumed` says what had to be read into the time. `answers` are those of both slots, in a
    file that holds them and where they were asked for.
    """

    line: int
    model_a: str
    model_b: str
    outcome: Outcome
    voter: str | None = None
    judge: str | None = None
    prompt: str | None = None
    prompt_key: str | None = None
    battle_key: str | None = None
    language: str | None = None
    category: str | None = None
    cast_at: datetime | None = None
    cast_at_assumed: str | None = None
    answers: Answers | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What one pass over a file shares: the time it is, and the names it has cleaned already."""

    now: datetime
    names: dict[str, str] = field(default_factory=dict)

    def name(self, value: object) -> str:
        """Return a cleaned name; refuse what is no name."""
        if not isinstance(value, str):
            raise RefusedError("bad_name", found=value, expected="a name")
        cleaned = self.names.get(value)
        if cleaned is None:
            cleaned = self.names[value] = clean_name(value)
        return cleaned

    def optional_name(self, value: object) -> str | None:
        """Return a cleaned name, or None where the file has nothing."""
        return None if value is None or value == "" else self.name(value)

    def models(self, values: Values, column_a: str, column_b: str) -> tuple[str, str]:
        """Return the two models of a row; a model does not battle itself."""
        model_a = self.name(required(values, column_a))
        model_b = self.name(required(values, column_b))
        if model_a == model_b:
            raise RefusedError("self_battle", found=model_a, expected="two different models")
        return model_a, model_b

    def instant(self, values: Values, *columns: str) -> Instant | None:
        """Return the time in the first of these columns that holds one."""
        value = first_of(values, *columns)
        return None if value is None else read_instant(value, now=self.now)


@dataclass(frozen=True)
class Layout:
    """One published shape of a file of votes: what tells it apart, and how a row is read.

    `marks` are columns of which one must be there, so that a richer layout is told from a plainer one.
    `names` are the columns of the two models and the winner where `winners` says it all, for the columnar
    path; `blind` names a column that is false for votes cast with the names in sight, `voters` one
    that every vote of a person fills. `answers` are the columns of what both models said.
    """

    format: str
    required: tuple[str, ...]
    read: Callable[[Row, Reading], VoteRecord]
    marks: frozenset[str] = frozenset()
    names: tuple[str, str, str] | None = None
    winners: Mapping[str, Outcome] = field(default_factory=dict)
    blind: str | None = None
    voters: str | None = None
    answers: tuple[str, str] | None = None

    def matches(self, columns: Collection[str]) -> bool:
        """Whether rows with these columns are of this layout."""
        is_marked = not self.marks or any(mark in columns for mark in self.marks)
        return is_marked and all(column in columns for column in self.required)


def required(values: Values, column: str) -> object:
    """Return the value of a column that a row must have."""
    if column not in values:
        raise RefusedError("missing_column", found=sorted(values), expected=column)
    return values[column]


def first_of(values: Values, *columns: str) -> object:
    """Return the first of these columns that holds something, or None."""
    for column in columns:
        value = values.get(column)
        if value is not None and value != "":
            return value
    return None


def text_of(values: Values, *columns: str) -> str | None:
    """Return the first of these columns that holds something, as clean text."""
    value = first_of(values, *columns)
    if value is None:
        return None
    return clean_text(value if isinstance(value, str) else str(value))


def outcome_of(value: object, winners: Mapping[str, Outcome]) -> Outcome:
    """Return what a declared winner label means; a label that is not declared is refused."""
    outcome = winners.get(value) if isinstance(value, str) else None
    if outcome is None:
        raise RefusedError("unknown_winner", found=value, expected=f"one of {', '.join(winners)}")
    return outcome


def first_message(conversation: object) -> str | None:
    """Return the text that the user said first, from the shapes of the public files; None if there is none."""
    if conversation is None:
        return None
    if isinstance(conversation, str) and conversation.lstrip().startswith("["):
        try:
            conversation = json.loads(conversation)
        except (ValueError, RecursionError):
            return None
    if not isinstance(conversation, list) or not conversation:
        return None
    return _message_text(conversation[0])


def _message_text(message: object) -> str | None:
    content = message.get("content") if isinstance(message, dict) else message
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    return clean_text(content) if isinstance(content, str) and content.strip() else None
