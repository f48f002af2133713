"""Names that people and file systems can tell apart."""

import hashlib
import re
import unicodedata

from arena.hygiene.refusal import RefusedError
from arena.hygiene.text import match_key

LONGEST_NAME = 200
LONGEST_FILE_NAME = 80
# Marks that reorder what stands beside them: with one, a name can show itself as another.
BIDI_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
# Names that a Windows file system keeps for devices, with any ending.
DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{k}{n}" for k in ("com", "lpt") for n in range(10)}
)
DIGESTED = re.compile(r"-[0-9a-f]{12}$")
UNSAFE = re.compile(r"[^a-z0-9._-]+")


def clean_name(text: str) -> str:
    """Return a name as it is stored: cleaned and stripped. Case is kept: `Ash` is not `ash`.

    Raises
    ------
    RefusedError
        If nothing is left, it is over 200 characters, or holds control or direction characters.
    """
    name = match_key(text)
    if not name:
        raise RefusedError("empty_name", found=text, expected="1 to 200 characters")
    if len(name) > LONGEST_NAME:
        raise RefusedError("long_name", found=name, expected=f"at most {LONGEST_NAME} characters")
    if not (name.isascii() and name.isprintable()):
        for character in name:
            _refuse_control(character)
    return name


def safe_file_name(name: str) -> str:
    """Return a file name that every file system takes; two names never share one, even if case is lost."""
    plain = UNSAFE.sub("-", name.lower()).strip(".-")[:LONGEST_FILE_NAME] or "name"
    if plain.partition(".")[0] in DEVICES:
        plain = "name"
    if plain == name and not DIGESTED.search(name):
        return plain
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{plain}-{digest}"


def _refuse_control(character: str) -> None:
    if character in BIDI_CONTROLS or unicodedata.category(character) == "Cc":
        raise RefusedError(
            "control_in_name", found=f"U+{ord(character):04X}", expected="printable characters"
        )
