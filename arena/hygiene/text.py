"""Text that Postgres takes and that compares as it looks: NFC, without NUL or lone surrogates."""

import math
import re
import unicodedata
from typing import Any

REPLACEMENT = "\ufffd"
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Return the text in NFC, with U+FFFD for what no database stores."""
    if text.isascii():
        return text.replace("\x00", REPLACEMENT) if "\x00" in text else text
    return unicodedata.normalize("NFC", UNSTORABLE.sub(REPLACEMENT, text))


def match_key(text: str) -> str:
    """Return what two texts are compared by: cleaned, and without white space at the ends."""
    return clean_text(text).strip()


# The shape of a foreign JSON document belongs to whoever wrote it: `Any` is the honest type here.
def clean_document(value: Any) -> Any:
    """Return a JSON document that strict JSON can hold: texts cleaned, NaN and infinities as their names."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {clean_text(str(key)): clean_document(each) for key, each in value.items()}
    if isinstance(value, list):
        return [clean_document(each) for each in value]
    return value
