"""Spans of calendar days, and how to count back to them."""

import calendar
from datetime import date, timedelta

from msgspec import Struct

_WEEK = 7


class Span(Struct, frozen=True):
    """Calendar days, both included."""

    first: date
    last: date


def on(year: int, month: int, day: int) -> Span | None:
    try:
        return Span(date(year, month, day), date(year, month, day))
    except ValueError:
        return None


def days_before(today: date, days: int) -> Span:
    """The day so many days before. Raises OverflowError before the year 1."""
    return Span(today - timedelta(days=days), today - timedelta(days=days))


def week_before(today: date, weeks: int) -> Span:
    monday = today - timedelta(days=today.weekday() + _WEEK * weeks)
    return Span(monday, monday + timedelta(days=6))


def weekend_before(today: date, weeks: int) -> Span:
    sunday = week_before(today, weeks).last
    return Span(sunday - timedelta(days=1), sunday)


def about_weeks_before(today: date, weeks: int) -> Span:
    """So many weeks before, give or take three days."""
    about = today - timedelta(days=_WEEK * weeks)
    return Span(about - timedelta(days=3), about + timedelta(days=3))


def months(year: int, first: int, last: int) -> Span:
    """From the beginning of one month to the end of another in the same year. Raises ValueError for a year or
    month that there is not."""
    return Span(date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1]))


def months_before(today: date, count: int) -> Span:
    """The month so many months before; not before the year 1."""
    year, month = divmod(today.year * 12 + today.month - 1 - count, 12)
    return months(max(1, year), month + 1, month + 1)


def years_before(today: date, count: int) -> Span:
    """The year so many years before; not before the year 1."""
    return months(max(1, today.year - count), 1, 12)


def weekday_before(today: date, weekday: int) -> Span:
    """The latest day that is this weekday (0 is Monday) and is over."""
    return days_before(today, (today.weekday() - weekday) % _WEEK or _WEEK)
