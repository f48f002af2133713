"""Numbers on pages: what is absent stays absent, and a sign is never lost."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from web.pages.numbers import (
    between,
    chance,
    counted,
    iso,
    percent,
    points,
    ranks,
    short_digest,
    signed,
    utc,
    value,
)


@pytest.mark.parametrize("shown", [points, signed, percent, chance, value])
def test_what_is_absent_is_a_dash(shown: Callable[[None], str]) -> None:
    """A 0 in its place would be a number that nobody measured."""
    assert shown(None) == "–"


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((1103.4, 1240.6), "1103–1241"),
        ((None, 5), "up to 5"),
        ((5, None), "from 5"),
        ((None, None), "–"),
    ],
)
def test_an_open_end_is_said(ends: tuple[float | None, float | None], text: str) -> None:
    """An interval with one end must not read as a point."""
    assert between(ends) == text


@pytest.mark.parametrize(("ends", "text"), [((1, 29), "1–29"), ((3, 3), "3"), ((None, None), "–")])
def test_a_range_of_one_rank_is_that_rank(ends: tuple[int | None, int | None], text: str) -> None:
    """3–3 reads like a slip."""
    assert ranks(ends) == text


@pytest.mark.parametrize(
    ("difference", "text"), [(202.4, "+202"), (-34.6, "−35"), (0.2, "0"), (-0.2, "0"), (0.0, "0")]
)
def test_a_difference_has_its_sign_and_nothing_has_none(difference: float, text: str) -> None:
    """+0 and −0 would say that there is a direction."""
    assert signed(difference) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0.00"),
        (0.9634, "0.96"),
        (1.0, "1.00"),
        (9.23, "9.23"),
        (-0.5, "−0.50"),
        (42.31, "42.3"),
        (1234.5, "1,234"),
        (0.00084, "0.00084"),
        (0.00001234, "1.2e−05"),
    ],
)
def test_a_cell_has_as_many_digits_as_help(number: float, text: str) -> None:
    """Seventeen digits hide the second one; 0.00 for a small number would hide it all."""
    assert value(number) == text


def test_counts_and_shares_read_as_written() -> None:
    """Thousands are parted, and a percent sign never stands alone on a line."""
    assert counted(8931) == "8,931"
    assert percent(0.784) == "78\u00a0%"


def test_times_are_told_in_utc() -> None:
    """A reader elsewhere must not have to guess the zone."""
    moment = datetime(2026, 11, 9, 1, 5, tzinfo=timezone(timedelta(hours=2)))

    assert utc(moment) == "8 Nov 2026, 23:05 UTC"
    assert iso(moment) == "2026-11-08T23:05:00+00:00"
    assert utc(moment.astimezone(UTC)) == utc(moment)


def test_a_digest_is_cut_where_eyes_stop() -> None:
    """What is short already is left alone."""
    assert short_digest("sha256:" + "a" * 64) == "sha256:" + "a" * 12 + "…"
    assert short_digest("abc") == "abc"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "<1 %"), (0.004, "<1 %"), (0.62, "62 %"), (0.999, ">99 %"), (1.0, ">99 %")],
)
def test_a_chance_from_draws_is_never_none_or_all(share: float, text: str) -> None:
    """A thousand draws without the model first do not say that it cannot be."""
    assert chance(share).replace("\u00a0", " ") == text
