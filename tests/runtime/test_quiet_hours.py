"""Quiet hours may go past midnight, and are those of their time zone."""

from datetime import UTC, datetime

import pytest

from voice_server.runtime.quiet_hours import quiet_hours


@pytest.mark.parametrize(
    ("written", "hour", "hold"),
    [
        ("22-6", 23, True),
        ("22-6", 5, True),
        ("22-6", 6, False),
        ("22-6", 21, False),
        ("1-5", 1, True),
        ("1-5", 5, False),
        ("18-24", 23, True),
        ("18-24", 0, False),
    ],
)
def test_they_hold_from_the_first_hour_to_the_last(written: str, hour: int, *, hold: bool) -> None:
    hours = quiet_hours(written, "UTC")

    assert hours is not None
    assert hours.hold(datetime(2026, 11, 17, hour, 30, tzinfo=UTC)) is hold


def test_they_are_those_of_the_time_zone() -> None:
    hours = quiet_hours("22-6", "America/New_York")

    assert hours is not None
    assert hours.hold(datetime(2026, 11, 17, 4, tzinfo=UTC))
    assert not hours.hold(datetime(2026, 11, 17, 23, tzinfo=UTC))


def test_none_are_written_as_nothing() -> None:
    assert quiet_hours("", "UTC") is None


@pytest.mark.parametrize("written", ["22", "25-3", "6-6", "night", "22-6-8"])
def test_what_is_no_two_hours_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="is not two hours of the day"):
        quiet_hours(written, "UTC")
