"""Cases of times, told apart by the shape of their input."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from arena import clock
from arena.formats.vote_records import VoteRecord
from arena.hygiene import Instant, RefusedError, read_instant
from arena.rating_runs.selecting import Selection
from arena.terms import Outcome
from tests.case_bank.place import Place

Case = dict[str, Any]
Given = Mapping[str, Any]
FLAGS = {"UTC with flag tz_assumed": "tz_assumed"}


def run_case(case: Case, place: Place) -> str | None:
    """Run one case by the shape of its input."""
    given, expected = case["input"], case["expected"]
    for word, check in CHECKS.items():
        if word in given:
            return check(given, expected)
    raise AssertionError(f"no check for an input of {', '.join(given)}")


def check_zones(given: Given, expected: Given) -> None:
    """Times with and without a zone compare without an exception; an assumed zone is flagged."""
    read = {each: read_instant(each, now=clock.now()) for each in given["timestamps"]}
    assert expected["no_exception"]
    assert sorted(each.at for each in read.values())
    for each, instant in read.items():
        is_naive = datetime.fromisoformat(each).tzinfo is None
        assert instant.assumed == (FLAGS[expected["naive_read_as"]] if is_naive else None)
        if is_naive:
            assert instant.at == datetime.fromisoformat(each).replace(tzinfo=UTC)
    for same in expected["equal"]:
        assert len({read[each].at for each in same}) == 1


def check_epochs(given: Given, expected: Given) -> None:
    """Seconds, milliseconds and microseconds are told apart; what is no time that has passed is refused."""
    for count, wanted in zip(given["tstamps"], expected["instants"], strict=True):
        if wanted.startswith("rejected"):
            with pytest.raises(RefusedError) as refused:
                read_instant(count, now=clock.now())
            assert ("future" in wanted) == (refused.value.reason == "future_time")
        else:
            assert read_instant(count, now=clock.now()).at == datetime.fromisoformat(wanted)


def check_local_times(given: Given, expected: Given) -> None:
    """A local time that never was, or was twice, is refused or flagged, as the case allows."""
    for local, wanted in zip(given["local"], expected.values(), strict=True):
        try:
            instant: Instant | None = read_instant(local, now=clock.now())
        except RefusedError:
            instant = None
        if instant is None:
            assert "rejected" in wanted
        else:
            assert "flag" in wanted
            assert instant.assumed is not None


def check_window(given: Given, expected: Given) -> None:
    """A vote at the end of a window is the next one's."""
    since, until = (datetime.fromisoformat(given["window"][end]) for end in ("from", "to"))
    window = Selection(since=since, until=until)
    taken = [
        vote["id"]
        for vote in given["votes"]
        if window.against(
            VoteRecord(
                1, "ash", "birch", Outcome.A, cast_at=datetime.fromisoformat(vote["voted_at"])
            )
        )
        is None
    ]
    assert taken == expected["included"]


CHECKS = {
    "timestamps": check_zones,
    "tstamps": check_epochs,
    "local": check_local_times,
    "window": check_window,
}
