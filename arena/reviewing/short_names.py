"""Short names for voters: enough to speak of one, and nothing that leads back to a person."""

from collections.abc import Iterable

from arena.errors import UnknownVoterError
from arena.keys import keyed_hash

PURPOSE = "voter on a list"
LENGTH = 12


def short_name(key: bytes, voter: str) -> str:
    """Return the first characters of the voter's keyed hash. Imported voters were hashed without the key before."""
    return keyed_hash(key, PURPOSE, voter)[:LENGTH]


def find_voter(key: bytes, voters: Iterable[str], typed: str) -> str:
    """Return the one voter whose short name begins as typed.

    Raises
    ------
    UnknownVoterError
        If no voter's name begins so, or several voters' names do.
    """
    typed = typed.strip().lower()
    found = [voter for voter in voters if typed and short_name(key, voter).startswith(typed)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UnknownVoterError(
            f"No voter of this board is listed as {typed!r}. `arena board voters` lists those to look at.",
            voter=typed,
        )
    raise UnknownVoterError(
        f"{len(found)} voters of this board begin with {typed!r}. Type all {LENGTH} characters.",
        voter=typed,
    )
