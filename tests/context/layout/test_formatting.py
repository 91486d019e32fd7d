"""Moments in words, the same for everyone."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.context.layout import formatting

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def test_a_date_is_absolute_and_in_full() -> None:
    assert formatting.long_date(date(2026, 11, 17)) == "Tuesday 17 November 2026"
    assert formatting.short_date(date(2026, 9, 1)) == "1 Sep 2026"


def test_a_time_of_day_has_two_digits_each() -> None:
    assert formatting.time_of_day(datetime(2026, 11, 17, 9, 5, tzinfo=UTC)) == "09:05"


@pytest.mark.parametrize(
    ("hour", "part"),
    [(0, "night"), (4, "night"), (5, "morning"), (11, "morning"), (12, "afternoon"), (17, "afternoon"),
     (18, "evening"), (21, "evening"), (22, "night"), (23, "night")],
)  # fmt: skip
def test_the_day_has_four_parts(hour: int, part: str) -> None:
    assert formatting.part_of_day(datetime(2026, 11, 17, hour, 59, tzinfo=UTC)) == part


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "a moment"), (59.9, "a moment"), (_MINUTE, "1 minute"), (59 * _MINUTE, "59 minutes"),
        (_HOUR, "1 hour"), (1.9 * _HOUR, "2 hours"), (59.7 * _MINUTE, "1 hour"), (23 * _HOUR, "23 hours"),
        (23.7 * _HOUR, "1 day"), (33 * _HOUR, "1 day"), (42 * _HOUR, "2 days"), (2 * _DAY, "2 days"),
        (13 * _DAY, "13 days"), (14 * _DAY, "2 weeks"), (27.8 * _DAY, "4 weeks"), (59 * _DAY, "8 weeks"),
        (60 * _DAY, "2 months"), (700 * _DAY, "23 months"), (730 * _DAY, "2 years"),
        (3650 * _DAY, "10 years"),
    ],
)  # fmt: skip
def test_a_span_is_said_as_a_person_says_it(seconds: float, said: str) -> None:
    assert formatting.span(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "a moment"),
        (1, "1 second"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (360, "6 minutes"),
        (7000, "117 minutes"),
        (13_000, "4 hours"),
    ],
)
def test_a_call_is_as_long_as_a_person_would_say(seconds: int, said: str) -> None:
    assert formatting.duration(seconds) == said


@pytest.mark.parametrize(
    ("zone", "day", "begins"),
    [
        ("Europe/Berlin", date(2026, 11, 17), "2026-11-17T23:00+00:00"),
        ("Europe/Berlin", date(2026, 3, 28), "2026-03-28T23:00+00:00"),  # the night before clocks go forward
        ("Europe/Berlin", date(2026, 3, 29), "2026-03-29T22:00+00:00"),
        ("Europe/Berlin", date(2026, 10, 24), "2026-10-24T22:00+00:00"),
        ("Europe/Berlin", date(2026, 10, 25), "2026-10-25T23:00+00:00"),  # a day of 25 hours
        ("America/Santiago", date(2026, 9, 5), "2026-09-06T04:00+00:00"),  # its midnight does not exist
        ("Pacific/Kiritimati", date(2026, 11, 17), "2026-11-17T10:00+00:00"),
        ("Pacific/Pago_Pago", date(2026, 11, 17), "2026-11-18T11:00+00:00"),
        ("Pacific/Apia", date(2011, 12, 29), "2011-12-30T10:00+00:00"),  # the 30th never was
    ],
)
def test_a_day_ends_when_the_next_one_begins_there(zone: str, day: date, begins: str) -> None:
    assert formatting.midnight_after(day, ZoneInfo(zone)) == datetime.fromisoformat(begins)


@given(
    st.sampled_from(["Europe/Berlin", "America/Santiago", "Africa/Cairo", "America/Havana", "Asia/Beirut"]),
    st.dates(date(2015, 1, 1), date(2030, 1, 1)),
)
def test_just_before_midnight_it_is_the_day_and_just_after_it_is_not(zone: str, day: date) -> None:
    there = ZoneInfo(zone)

    midnight = formatting.midnight_after(day, there).astimezone(UTC)

    assert (midnight - timedelta(seconds=1)).astimezone(there).date() == day
    assert midnight.astimezone(there).date() == day + timedelta(days=1)
