"""Instants from whatever a file calls a time: epochs in four units, ISO 8601, local time with a zone."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from arena.hygiene.refusal import RefusedError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# A count below the first limit is seconds, below the next milliseconds, and so on. As seconds, the first
# limit is the year 5138; as milliseconds it is 1973.
UNITS = ((1e11, 1), (1e14, 1_000), (1e17, 1_000_000), (1e20, 1_000_000_000))
# Clocks differ; a time further ahead than this is a mistake.
TOLERANCE = timedelta(days=1)
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
ZONED = re.compile(
    r"(?P<local>\S+(?: \d\S*)?) (?P<zone>[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*)"
)

TZ_ASSUMED = "tz_assumed"
FIRST_OCCURRENCE = "first_occurrence"


@dataclass(frozen=True, slots=True)
class Instant:
    """A time in UTC; `assumed` names what the file left open and had to be read into it."""

    at: datetime
    assumed: str | None = None


def read_instant(value: object, *, now: datetime) -> Instant:
    """Return the instant that a number, a text or a datetime means.

    A time without a zone is read as UTC and flagged `tz_assumed`. A local time that a clock showed twice is
    the first of the two, flagged `first_occurrence`.

    Raises
    ------
    RefusedError
        If it cannot be read, lies before 1970 or ahead of now, or is a local time that never was.
    """
    instant = _read(value)
    if instant.at < EPOCH:
        raise RefusedError("bad_time", found=value, expected="a time after 1970")
    if instant.at > now + TOLERANCE:
        raise RefusedError("future_time", found=value, expected="a time that has passed")
    return instant


def _read(value: object) -> Instant:
    if isinstance(value, datetime):
        return _from_datetime(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_epoch(value)
    if isinstance(value, str):
        text = value.strip()
        return _from_epoch(float(text)) if NUMBER.fullmatch(text) else _from_text(text)
    raise RefusedError("bad_time", found=value, expected="a time")


def _from_epoch(count: float) -> Instant:
    for limit, per_second in UNITS:
        if 0 <= count < limit:
            return Instant(EPOCH + timedelta(seconds=count / per_second))
    raise RefusedError(
        "bad_time", found=count, expected="seconds since 1970, or a fraction of them"
    )


def _from_text(text: str) -> Instant:
    zoned = ZONED.fullmatch(text)
    if zoned is not None and zoned["zone"] != "UTC":
        return _in_zone(_parsed(zoned["local"]), zoned["zone"])
    return _from_datetime(_parsed(text.removesuffix(" UTC") + "Z" * text.endswith(" UTC")))


def _parsed(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise RefusedError(
            "bad_time", found=text, expected="ISO 8601 or seconds since 1970"
        ) from None


def _from_datetime(time: datetime) -> Instant:
    if time.tzinfo is None:
        return Instant(time.replace(tzinfo=UTC), TZ_ASSUMED)
    try:
        return Instant(time.astimezone(UTC))
    except OverflowError:
        raise RefusedError("bad_time", found=time, expected="a time after 1970") from None


def _in_zone(local: datetime, name: str) -> Instant:
    if local.year < EPOCH.year:
        raise RefusedError("bad_time", found=local, expected="a time after 1970")
    if local.tzinfo is not None:
        raise RefusedError(
            "bad_time", found=(local, name), expected="an offset or a zone, not both"
        )
    try:
        first = local.replace(tzinfo=ZoneInfo(name), fold=0)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise RefusedError("bad_time", found=name, expected="a zone of the IANA list") from None
    second = first.replace(fold=1)
    if first.astimezone(UTC).astimezone(first.tzinfo).replace(tzinfo=None) != local:
        raise RefusedError(
            "bad_time", found=f"{local} {name}", expected="a time that its clocks showed"
        )
    is_doubled = first.utcoffset() != second.utcoffset()
    return Instant(first.astimezone(UTC), FIRST_OCCURRENCE if is_doubled else None)
