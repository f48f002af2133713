"""What text, numbers, names and times must be before they come in. Pure; every border calls it."""

from arena.hygiene.names import clean_name, safe_file_name
from arena.hygiene.numbers import read_finite, read_integer, read_share
from arena.hygiene.refusal import RefusedError, shorten
from arena.hygiene.text import clean_document, clean_text, match_key
from arena.hygiene.times import Instant, read_instant

__all__ = [
    "Instant",
    "RefusedError",
    "clean_document",
    "clean_name",
    "clean_text",
    "match_key",
    "read_finite",
    "read_instant",
    "read_integer",
    "read_share",
    "safe_file_name",
    "shorten",
]
