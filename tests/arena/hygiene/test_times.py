"""A time means one instant, or it is refused."""

from datetime import UTC, datetime

import pytest

from arena.hygiene import Instant, RefusedError, read_instant

NOW = datetime(2026, 11, 29, tzinfo=UTC)


def test_a_naive_time_is_utc_and_says_so() -> None:
    """Comparing naive with aware times raises; assuming in silence misleads."""
    instant = read_instant("2024-04-19T10:00:00", now=NOW)

    assert instant == Instant(datetime(2024, 4, 19, 10, tzinfo=UTC), "tz_assumed")


@pytest.mark.parametrize(
    "value",
    [1714000000, 1714000000000, 1714000000000000, 1714000000000000000, "1714000000.0",
     "2024-04-24T23:06:40Z", "2024-04-25T01:06:40+02:00", "2024-04-25T01:06:40 Europe/Paris",
     datetime(2024, 4, 24, 23, 6, 40, tzinfo=UTC)],
)  # fmt: skip
def test_one_instant_in_many_spellings(value: object) -> None:
    """Public files give seconds, milliseconds, microseconds and texts."""
    assert read_instant(value, now=NOW).at == datetime(2024, 4, 24, 23, 6, 40, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (-1, "bad_time"),
        (float("nan"), "bad_time"),
        (True, "bad_time"),
        ("yesterday", "bad_time"),
        ("1969-12-31T23:59:59Z", "bad_time"),
        (32503680000000, "future_time"),
        ("2024-03-31T02:30 Europe/Paris", "bad_time"),
        ("2024-03-31T02:30 Europe/Atlantis", "bad_time"),
        ("2024-03-31T02:30 Europe", "bad_time"),
        ("0001-01-01T00:00 Europe/Paris", "bad_time"),
        (1e30, "bad_time"),
        ("2024-03-31T02:30+02:00 Europe/Paris", "bad_time"),
    ],
)
def test_what_is_no_instant_is_refused(value: object, reason: str) -> None:
    """A wrong time puts a vote into the wrong window for ever."""
    with pytest.raises(RefusedError) as refused:
        read_instant(value, now=NOW)
    assert refused.value.reason == reason


def test_a_time_that_clocks_showed_twice_is_the_first_and_says_so() -> None:
    """Only an offset could tell the two apart."""
    instant = read_instant("2024-10-27T02:30 Europe/Paris", now=NOW)

    assert instant == Instant(datetime(2024, 10, 27, 0, 30, tzinfo=UTC), "first_occurrence")
