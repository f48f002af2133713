"""What both models said, from the shapes in which public files of votes hold it."""

import json

from arena.formats.rows import Values
from arena.hygiene import RefusedError, clean_text

ASSISTANT = "assistant"

Answers = tuple[str, str]


def answers_of(values: Values, columns: tuple[str, str] | None) -> Answers | None:
    """Return the answers in slots A and B, or None if the row lacks one."""
    if columns is None:
        return None
    answer_a, answer_b = (answer_text(values.get(column)) for column in columns)
    return None if answer_a is None or answer_b is None else (answer_a, answer_b)


def answer_text(value: object) -> str | None:
    """Return all that the model said, turn after turn; None if nothing of it is there.

    A conversation is a list of messages with role and content, or a list of the model's turns as texts; either
    may be written as JSON in a text. Any other text is one turn.
    """
    turns = _turns(value)
    try:
        return clean_text("\n\n".join(turns)) if turns else None
    except RefusedError:
        return None


def _turns(value: object) -> list[str]:
    if isinstance(value, str):
        listed = _listed(value)
        return [value] if listed is None else _turns(listed)
    if not isinstance(value, list):
        return []
    said = [_content(message) for message in value]
    return [text for text in said if text is not None]


def _listed(text: str) -> list[object] | None:
    """Return the list that a text holds as JSON, if it does."""
    if not text.lstrip().startswith("["):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _content(message: object) -> str | None:
    """Return what a message of the model says; None for anybody else's, and for what is no text."""
    if isinstance(message, str):
        return message
    if not isinstance(message, dict) or message.get("role") != ASSISTANT:
        return None
    content = message.get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else None
