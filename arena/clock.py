"""The one clock. Nothing else in the house asks what time it is."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present instant, with its zone."""
    return datetime.now(UTC)
