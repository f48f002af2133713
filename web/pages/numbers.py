"""Numbers as people read them: true minus signs, ranges with an en dash, nothing invented for what is absent."""

from collections.abc import Callable
from datetime import UTC, datetime

NOTHING = "–"
MINUS = "−"
DIGEST_SHOWN = 19
# Below it two decimals would show a number that is not 0 as 0, or nearly so.
SMALL = 0.01
# A chance nearer to none or all than this is not counted out: it rests on a thousand draws or so.
SURE = 0.01


def counted(number: int) -> str:
    """Return a whole number: 8,931."""
    return f"{number:,}".replace("-", MINUS)


def points(rating: float | None) -> str:
    """Return a rating or a difference in whole points."""
    return NOTHING if rating is None else f"{round(rating)}".replace("-", MINUS)


def signed(difference: float | None) -> str:
    """Return a difference in points with its sign."""
    if difference is None:
        return NOTHING
    whole = round(difference)
    return f"+{whole}" if whole > 0 else points(difference)


def between(ends: tuple[float | None, float | None]) -> str:
    """Return an interval of ratings; an end that is not known is left open."""
    low, high = ends
    if low is None and high is None:
        return NOTHING
    if low is None:
        return f"up to {points(high)}"
    if high is None:
        return f"from {points(low)}"
    return f"{points(low)}–{points(high)}"


def ranks(ends: tuple[int | None, int | None]) -> str:
    """Return a range of ranks: 1–29, or 3 if it is only one."""
    low, high = ends
    if low is None or high is None:
        return NOTHING
    return f"{low}" if low == high else f"{low}–{high}"


def percent(share: float | None) -> str:
    """Return a share in percent, with a space that does not break."""
    return NOTHING if share is None else f"{100 * share:.0f}\u00a0%"


def chance(share: float | None) -> str:
    """Return a chance in percent; one that rounds to none or to all is said to be less or more."""
    if share is None:
        return NOTHING
    if 0 <= share < SURE:
        return f"<{percent(SURE)}"
    return f">{percent(1 - SURE)}" if share > 1 - SURE else percent(share)


def value(number: float | None) -> str:
    """Return a number of a cell with as many digits as a reader can use."""
    if number is None:
        return NOTHING
    size = abs(number)
    digits = ",.0f" if size >= 100 else ".1f" if size >= 10 else ".2f"
    if 0 < size < SMALL:
        digits = ".2g"
    return f"{number:{digits}}".replace("-", MINUS)


def utc(moment: datetime) -> str:
    """Return a time in UTC, to the minute."""
    there = moment.astimezone(UTC)
    return f"{there.day} {there:%b %Y, %H:%M} UTC"


def iso(moment: datetime) -> str:
    """Return a time as programs read it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def short_digest(digest: str) -> str:
    """Return the beginning of a digest, enough to compare by eye."""
    return digest if len(digest) <= DIGEST_SHOWN else f"{digest[:DIGEST_SHOWN]}…"


FILTERS: dict[str, Callable[..., str]] = {
    "count": counted,
    "points": points,
    "signed": signed,
    "between": between,
    "ranks": ranks,
    "percent": percent,
    "chance": chance,
    "value": value,
    "utc": utc,
    "iso": iso,
    "short_digest": short_digest,
}
