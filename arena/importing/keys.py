"""The keys by which what comes in again is known again."""

import hashlib

from arena.hygiene import match_key

LENGTH = 32


def prompt_digest(prompt: str) -> str:
    """Return the digest by which one question is one row, however its ends are spaced."""
    return hashlib.sha256(match_key(prompt).encode()).hexdigest()


def completion_digest(text: str) -> str:
    """Return the digest by which one answer of a model to a prompt is one row. Its spaces are part of it."""
    return hashlib.sha256(text.encode()).hexdigest()


def key_of(*parts: str) -> str:
    """Return 128 bits, in hex, that stand for these texts in this order."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:LENGTH]
