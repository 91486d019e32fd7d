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
    """Return one day. Raises OverflowError before the year 1."""
    return Span(today - timedelta(days=days), today - timedelta(days=days))


def week_before(today: date, weeks: int) -> Span:
    monday = today - timedelta(days=today.weekday() + _WEEK * weeks)
    return Span(monday, monday + timedelta(days=6))


def weekend_before(today: date, weeks: int) -> Span:
    sunday = week_before(today, weeks).last
    return Span(sunday - timedelta(days=1), sunday)


def about_weeks_before(today: date, weeks: int) -> Span:
    """Give or take three days."""
    about = today - timedelta(days=_WEEK * weeks)
    return Span(about - timedelta(days=3), about + timedelta(days=3))


def months(year: int, first: int, last: int) -> Span:
    """Return whole months, `last` included. Raises ValueError for a year or month that there is not."""
    return Span(date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1]))


def months_before(today: date, count: int) -> Span:
    """Return a month, never before the year 1."""
    year, month = divmod(today.year * 12 + today.month - 1 - count, 12)
    return months(max(1, year), month + 1, month + 1)


def years_before(today: date, count: int) -> Span:
    """Return a year, never before the year 1."""
    return months(max(1, today.year - count), 1, 12)


def weekday_before(today: date, weekday: int) -> Span:
    """Return the latest such day that is over; 0 is Monday."""
    return days_before(today, (today.weekday() - weekday) % _WEEK or _WEEK)
