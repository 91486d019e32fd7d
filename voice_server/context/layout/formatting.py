"""Moments in words: dates, times of day, spans. English, absolute, the same for everyone, and without a
clock."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_PARTS_OF_DAY = ((5, "night"), (12, "morning"), (18, "afternoon"), (22, "evening"), (24, "night"))
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_WEEK, _MONTH, _YEAR = 7 * _DAY, 30 * _DAY, 365 * _DAY
# Units of a span, and the length from which the next one is said: nobody counts 42 hours.
_SPANS = (
    ("minute", _MINUTE, _HOUR),
    ("hour", _HOUR, _DAY),
    ("day", _DAY, 14 * _DAY),
    ("week", _WEEK, 60 * _DAY),
    ("month", _MONTH, 24 * _MONTH),
)
_MANY = 120  # minutes


def long_date(day: date) -> str:
    """`Tuesday 17 November 2026`."""
    return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"


def short_date(day: date) -> str:
    """`17 Nov 2026`."""
    return f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}"


def full_date(day: date) -> str:
    """`17 November 2026`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def month(day: date) -> str:
    """`Nov 2026`."""
    return f"{MONTHS[day.month - 1][:3]} {day.year}"


def time_of_day(moment: datetime) -> str:
    """`09:12`."""
    return f"{moment.hour:02}:{moment.minute:02}"


def part_of_day(moment: datetime) -> str:
    return next(name for until, name in _PARTS_OF_DAY if moment.hour < until)


def span(seconds: float) -> str:
    """Say `a moment`, `12 minutes`, `2 days`, `3 weeks`, `2 years`. Rounded."""
    if seconds < _MINUTE:
        return "a moment"
    for unit, length, until in _SPANS:
        count = round(seconds / length)
        if count * length < until:
            return _plural(max(1, count), unit)
    return _plural(round(seconds / _YEAR), "year")


def duration(seconds: int) -> str:
    """`40 seconds`, `6 minutes`, `3 hours`; a chat of one message no time at all."""
    if seconds < 1:
        return "a moment"
    if seconds < _MINUTE:
        return _plural(seconds, "second")
    minutes = round(seconds / _MINUTE)
    return _plural(minutes, "minute") if minutes < _MANY else _plural(round(minutes / _MINUTE), "hour")


def midnight_after(day: date, zone: ZoneInfo) -> datetime:
    """Return the instant (UTC) at which the local day after `day` begins, also when the clocks change."""
    following = day + timedelta(days=1)
    midnight = datetime(following.year, following.month, following.day, tzinfo=zone)
    return midnight.astimezone(UTC)  # a midnight the clocks skip equals nothing in its own zone (PEP 495)


def _plural(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
