"""The days that a query speaks of: "last March", "on Tuesday", "7 May 2023", "two weeks ago".

What is looked for was said, so the days are past ones: "in March" is the latest March that has begun.
English only; a query in another language is searched by its words alone.
"""

import calendar
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo

from msgspec import Struct


class Span(Struct, frozen=True):
    """Calendar days, both included."""

    first: date
    last: date


def spans(text: str, today: date) -> list[Span]:
    """The days a query names, as somebody means them who asks on the day `today`; none when it names none."""
    found: list[Span] = []
    taken: list[tuple[int, int]] = []
    for pattern, read in _FORMS:
        for match in pattern.finditer(text):
            span = None if _overlaps(match.span(), taken) else _read(read, _named(match), today)
            if span is not None:
                found.append(span)
                taken.append(match.span())
    return found


def _overlaps(place: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    """Whether the place was read already: in "the 3rd of June" there is no "of June" as well."""
    return any(place[0] < end and begin < place[1] for begin, end in taken)


def _named(match: re.Match[str]) -> dict[str, str]:
    return {name: value.lower() for name, value in match.groupdict().items() if value}


_Reader = Callable[[Mapping[str, str], date], Span | None]


def _read(reader: _Reader, named: Mapping[str, str], today: date) -> Span | None:
    try:
        return reader(named, today)
    except (ValueError, OverflowError):  # before the year 1, or after 9999
        return None


def midnight(day: date, zone: tzinfo | None) -> int:
    """When a day begins there, in unix seconds."""
    return int(datetime.combine(day, time(), zone).timestamp())


_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_SHORT = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "a couple of": 2, "couple of": 2, "a few": 3,
}  # fmt: skip
_BETWEEN_LEAP_DAYS = 8  # years, at most
_COUNTS = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}

_MONTH = rf"(?P<month>(?:{'|'.join(_MONTHS)})\b|(?:{'|'.join(_SHORT)})\b\.?)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?!:)"
_OF_YEAR = r"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b)?"
# "May" and "March" are words too, and so is "Mar." in a name: by itself a month follows what leads to a time.
_LEADS = r"\b(?P<lead>in|of|since|during|until|till|by|before|after|from|last|this|past|early|late|mid)[\s-]+(?:the\s+)?"


def _iso(named: Mapping[str, str], _today: date) -> Span | None:
    return _on(int(named["year"]), int(named["month"]), int(named["day"]))


def _day_of_month(named: Mapping[str, str], today: date) -> Span | None:
    month, day = _number_of(named["month"]), int(named["day"])
    if "year" in named:
        return _on(int(named["year"]), month, day)
    return next(
        (
            span
            for year in range(today.year, today.year - _BETWEEN_LEAP_DAYS - 1, -1)
            if (span := _on(year, month, day)) and span.first <= today
        ),
        None,
    )


def _month(named: Mapping[str, str], today: date) -> Span:
    month = _number_of(named["month"])
    if "year" in named:
        return _months(int(named["year"]), month, month)
    is_before = month < today.month or (month == today.month and named.get("lead") not in {"last", "past"})
    return _months(today.year - (not is_before), month, month)


def _weekday(named: Mapping[str, str], today: date) -> Span:
    back = (today.weekday() - _WEEKDAYS[named["weekday"]]) % 7 or 7
    return _days_before(today, back)


def _yesterday(named: Mapping[str, str], today: date) -> Span:
    return _days_before(
        today,
        {"today": 0, "tonight": 0, "this morning": 0, "yesterday": 1, "last night": 1}.get(named["day"], 2),
    )


def _period(named: Mapping[str, str], today: date) -> Span:
    before = 0 if named["which"] == "this" else 1
    if named["unit"] in {"week", "weekend"}:
        monday = today - timedelta(days=today.weekday() + 7 * before)
        return Span(
            monday + timedelta(days=5 if named["unit"] == "weekend" else 0), monday + timedelta(days=6)
        )
    if named["unit"] == "month":
        return _months_before(today, before)
    return _months(today.year - before, 1, 12)


def _ago(named: Mapping[str, str], today: date) -> Span:
    count = _count(named)
    if named["unit"] == "month":
        return _months_before(today, count)
    if named["unit"] == "year":
        return _months(max(1, today.year - count), 1, 12)
    if named["unit"] == "week":
        about = _days_before(today, 7 * count).first
        return Span(about - timedelta(days=3), about + timedelta(days=3))
    return _days_before(today, count)


def _season(named: Mapping[str, str], today: date) -> Span | None:
    """The latest that has begun; "last" one: the latest that is over."""
    begins, ends = _SEASONS[named["season"]]
    years = [int(named["year"])] if "year" in named else [today.year, today.year - 1, today.year - 2]
    over = named.get("which") == "last"
    found = (Span(date(year, begins, 1), _months(year + (ends < begins), ends, ends).last) for year in years)
    return next((one for one in found if "year" in named or (one.last if over else one.first) <= today), None)


def _past_days(named: Mapping[str, str], today: date) -> Span:
    return Span(_days_before(today, _count(named)).first, today)


def _count(named: Mapping[str, str]) -> int:
    written = named["count"]
    return int(written) if written.isdecimal() else _NUMBERS[written]


def _year(named: Mapping[str, str], _today: date) -> Span:
    return _months(int(named["year"]), 1, 12)


_FORMS: tuple[tuple[re.Pattern[str], _Reader], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.ASCII), read)  # ASCII: else "s" is met by "\u017f" too
    for pattern, read in (
        (r"\b(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)-(?P<day>[0-3]\d)\b", _iso),
        (rf"\b(?<!:){_DAY}(?:\s+of)?\s+{_MONTH}{_OF_YEAR}", _day_of_month),
        (rf"\b{_MONTH}\s+(?:the\s+)?{_DAY}{_OF_YEAR}", _day_of_month),
        (rf"{_LEADS}{_MONTH}(?!\s+\d\d?\b){_OF_YEAR}", _month),
        (rf"(?<!\d\s)(?<!\d\w\w\s)\b(?P<month>{'|'.join(_MONTHS)}),?\s+(?P<year>(?:19|20)\d\d)\b", _month),
        (rf"\b(?P<weekday>{'|'.join(_WEEKDAYS)})\b", _weekday),
        (r"\b(?P<day>the day before yesterday|(?<!before )yesterday|today|tonight|this morning|last night)\b", _yesterday),
        (r"\b(?P<which>last|past|this) (?P<unit>week|weekend|month|year)\b", _period),
        (rf"\b(?:last|past) (?P<count>\d{{1,3}}|{_COUNTS}) days\b", _past_days),
        (rf"\b(?P<count>\d{{1,3}}|{_COUNTS}) (?P<unit>day|week|month|year)s? ago\b", _ago),
        (rf"\b(?P<which>in|of|during|last|this)\s+(?:the\s+)?(?P<season>{'|'.join(_SEASONS)})\b{_OF_YEAR}", _season),
        (r"\b(?P<year>(?:19|20)\d\d)\b", _year),
    )
)  # fmt: skip


def _number_of(month: str) -> int:
    return _MONTHS.get(month) or _SHORT[month.rstrip(".")]


def _on(year: int, month: int, day: int) -> Span | None:
    try:
        return Span(date(year, month, day), date(year, month, day))
    except ValueError:  # the 31st of a shorter month
        return None


def _days_before(today: date, days: int) -> Span:
    return Span(today - timedelta(days=days), today - timedelta(days=days))


def _months(year: int, first: int, last: int) -> Span:
    return Span(date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1]))


def _months_before(today: date, months: int) -> Span:
    year, month = divmod(today.year * 12 + today.month - 1 - months, 12)
    return _months(max(1, year), month + 1, month + 1)
