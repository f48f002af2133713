"""Whether this installation can take votes now."""

from functools import cache

from arena.errors import UnavailableError
from arena.store import schema
from arena.wiring import OUTAGES, Wiring


def check_ready(wiring: Wiring) -> None:
    """Raise unless Postgres answers and has the tables that this code wants.

    Raises
    ------
    UnavailableError
        With what is missing; never with an address or a password.
    """
    try:
        found = schema.current(wiring.engine)
    except OUTAGES as error:
        raise UnavailableError("Postgres does not answer.") from error
    wanted = _wanted()
    if found != wanted:
        raise UnavailableError(
            f"The database is at migration {found}, the code wants {wanted}: run `arena db upgrade`."
        )


@cache
def _wanted() -> str | None:
    """Return the newest migration of this code, which does not change while it runs."""
    return schema.head()
