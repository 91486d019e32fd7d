"""The days that an expression may mean, said on a given day: several when people differ.

“next Friday”, said on a Wednesday   →   the Friday of this week, the Friday of the next
“on 3 May”                           →   the latest one, the next one
"""

from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from itertools import islice

from msgspec import Struct

from voice_server.context.layout.formatting import MONTHS
from voice_server.digest.dates.date_language import Kind, Unit

_FRIDAY, _SATURDAY, _SUNDAY = 4, 5, 6
_YEAR_OF_MONTHS = 12
_MOST_OF_A_MONTH = 5  # of one weekday
_MONTH_AND_A_HALF = timedelta(days=45)  # around a day, within which a weekday and a number agree once
_NEAR = timedelta(days=330)  # beyond, "on 3 May" is as likely another year's
_FAR = timedelta(days=500)  # within which a weekday and a date agree once
_MONTHS_AHEAD, _MONTHS_BACK = 10, 11
_ONE_MONTH, _TWO_MONTHS, _THREE_MONTHS = 31, 62, 92  # days; within two months every number of a day comes


class Reading(Struct, frozen=True):
    """The days meant (the same for one day). `written` is "" when the words are absolute already."""

    first: date
    last: date
    written: str


class DateParts(Struct, frozen=True):
    """What an expression names. A span begins on `first` of `first_month` (0: not named). `sundays`: for
    some, weeks begin on Sundays. “This week”, said on a Sunday, may be the next one to anybody."""

    weekday: int | None = None
    month: int = 0
    day: int = 0
    first: int = 0
    first_month: int = 0
    number: int = 0
    unit: Unit = "day"
    year: int | None = None
    year_shift: int | None = None
    shift: int = 0
    sundays: bool = False


def readings(kind: Kind, parts: DateParts, said: date) -> list[Reading]:
    try:
        return list(dict.fromkeys(_READERS[kind](parts, said)))
    except (OverflowError, ValueError):  # beyond the calendar
        return []


def written(day: date) -> str:
    """Write a day in full: “18 November 2026”."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _one_day(day: date) -> Reading:
    return Reading(day, day, written(day))


def _day(parts: DateParts, said: date) -> Iterator[Reading]:
    yield _one_day(said + timedelta(days=parts.shift))


def _weekday(parts: DateParts, said: date) -> Iterator[Reading]:
    """On a Friday, nobody knows whether “Friday” is today."""
    if parts.weekday != said.weekday():
        yield from _past_weekday(parts, said)
        yield from _coming_weekday(parts, said)


def _coming_weekday(parts: DateParts, said: date) -> Iterator[Reading]:
    yield _one_day(said + timedelta(days=((parts.weekday or 0) - said.weekday()) % 7 or 7))


def _weekday_to_come(parts: DateParts, said: date) -> Iterator[Reading]:
    """“El miércoles que viene” is not said of tomorrow."""
    coming = next(_coming_weekday(parts, said)).first
    yield _one_day(coming + timedelta(weeks=coming == said + timedelta(days=1)))


def _past_weekday(parts: DateParts, said: date) -> Iterator[Reading]:
    yield _one_day(said - timedelta(days=(said.weekday() - (parts.weekday or 0)) % 7 or 7))


def _next_weekday(parts: DateParts, said: date) -> Iterator[Reading]:
    """People differ: the coming one, or the one in the next week. Nobody calls tomorrow so."""
    yield from (one for one in _coming_weekday(parts, said) if one.first > said + timedelta(days=1))
    yield from _in_week(parts, said, 1)


def _last_weekday(parts: DateParts, said: date) -> Iterator[Reading]:
    yield from _past_weekday(parts, said)
    yield from _in_week(parts, said, -1)


def _weekday_in_week(parts: DateParts, said: date) -> Iterator[Reading]:
    yield from _in_week(parts, said, parts.shift)


def _weekday_beyond(parts: DateParts, said: date) -> Iterator[Reading]:
    """“Friday week”. On a Friday, nobody knows from which Friday it is."""
    weeks = timedelta(weeks=parts.shift)
    yield _one_day(next(_coming_weekday(parts, said)).first + weeks)
    if parts.weekday == said.weekday():
        yield _one_day(said + weeks)


def _weekday_in_weeks(parts: DateParts, said: date) -> Iterator[Reading]:
    """“In three weeks, on the Wednesday”."""
    yield _one_day(_monday(said) + timedelta(days=7 * max(parts.number, parts.shift) + (parts.weekday or 0)))


def _in_week(parts: DateParts, said: date, weeks: int) -> Iterator[Reading]:
    weekday = parts.weekday or 0
    yield _one_day(_monday(said) + timedelta(days=7 * weeks + weekday))
    if parts.sundays:
        sunday = said - timedelta(days=(said.weekday() + 1) % 7)
        yield _one_day(sunday + timedelta(days=7 * weeks + (weekday + 1) % 7))


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _weekday_and_number(parts: DateParts, said: date) -> Iterator[Reading]:
    """“Saturday the 16th”: near the day it is said, or else the first such day of the coming months. “The
    first Monday” may be that of a month."""
    near = range(-_MONTH_AND_A_HALF.days, _MONTH_AND_A_HALF.days + 1)
    ahead = range(near.stop, _THREE_MONTHS) if parts.day > _MOST_OF_A_MONTH else ()
    found = [day for n in near if _is_both(parts, day := said + timedelta(days=n))]
    later = (day for n in ahead if _is_both(parts, day := said + timedelta(days=n)))
    yield from map(_one_day, found or islice(later, 1))


def _is_both(parts: DateParts, day: date) -> bool:
    return (day.day, day.weekday()) == (parts.day, parts.weekday)


def _date(parts: DateParts, said: date) -> Iterator[Reading]:
    """“20 November”: a weekday settles the year."""
    if parts.year is not None:
        yield from _in_year(parts, parts.year, is_written=True)
    elif parts.year_shift is not None:
        yield from _in_year(parts, said.year + parts.year_shift)
    else:
        reach = _NEAR if parts.weekday is None else _FAR
        around = (one for n in (-2, -1, 0, 1, 2) for one in _in_year(parts, said.year + n))
        yield from (one for one in around if abs(one.first - said) <= reach)


def _date_span(parts: DateParts, said: date) -> Iterator[Reading]:
    for end in _date(parts, said):
        yield _days(_span_begins(parts, end.first), end.last)


def _span_begins(parts: DateParts, end: date) -> date:
    same = (end.year, end.month) if parts.first < end.day else _months_on(end, -1)
    named = (end.year - (parts.first_month > end.month), parts.first_month)
    return date(*(named if parts.first_month else same), parts.first)


def _number_span(parts: DateParts, said: date) -> Iterator[Reading]:
    for first in _number(DateParts(day=parts.first), said):
        yield from _until_number(first.first, parts.day)


def _span_from_month(parts: DateParts, said: date) -> Iterator[Reading]:
    """“From the 30th to the 1st”, begun in the month: the next one to come."""
    begins = date(said.year, parts.month, parts.first)
    yield from _until_number(begins if begins >= said else begins.replace(year=said.year + 1), parts.day)


def _until_number(first: date, number: int) -> Iterator[Reading]:
    days = (first + timedelta(days=n) for n in range(1, _ONE_MONTH))
    yield from islice((_days(first, day) for day in days if day.day == number), 1)


def _in_year(parts: DateParts, year: int, *, is_written: bool = False) -> Iterator[Reading]:
    if not 1 <= parts.month <= _YEAR_OF_MONTHS or not 1 <= parts.day <= monthrange(year, parts.month)[1]:
        return
    day = date(year, parts.month, parts.day)
    if parts.weekday in {None, day.weekday()}:
        yield Reading(day, day, "") if is_written else _one_day(day)


def _number(parts: DateParts, said: date) -> Iterator[Reading]:
    for step in (-1, 1):
        days = (said + timedelta(days=step * n) for n in range(_TWO_MONTHS))
        yield from islice((_one_day(day) for day in days if day.day == parts.day), 1)


def _number_of_a_month(parts: DateParts, said: date) -> Iterator[Reading]:
    """Read “the eighth of next month”."""
    yield _one_day(date(*_months_on(said, parts.shift), parts.day))


def _month(parts: DateParts, said: date) -> Iterator[Reading]:
    if parts.year is not None:
        whole = _whole_month(parts.year, parts.month)
        yield Reading(whole.first, whole.last, "")
    elif parts.year_shift is not None:
        yield _whole_month(said.year + parts.year_shift, parts.month)
    else:
        yield from _months_around(parts.month, said)


def _months_around(month: int, said: date) -> Iterator[Reading]:
    back, ahead = (said.month - month) % _YEAR_OF_MONTHS, (month - said.month) % _YEAR_OF_MONTHS
    if back <= _MONTHS_BACK:
        yield _whole_month(said.year - (month > said.month), month)
    if ahead <= _MONTHS_AHEAD:
        yield _whole_month(said.year + (month < said.month), month)


def _next_month(parts: DateParts, said: date) -> Iterator[Reading]:
    """People differ: the coming one, or next year's."""
    yield _whole_month(said.year + (parts.month <= said.month), parts.month)
    yield _whole_month(said.year + 1, parts.month)


def _last_month(parts: DateParts, said: date) -> Iterator[Reading]:
    yield _whole_month(said.year - (parts.month >= said.month), parts.month)
    yield _whole_month(said.year - 1, parts.month)


def _whole_month(year: int, month: int) -> Reading:
    first, days = date(year, month, 1), monthrange(year, month)[1]
    return Reading(first, date(year, month, days), f"{MONTHS[month - 1]} {year}")


def _whole_year(year: int) -> Reading:
    return Reading(date(year, 1, 1), date(year, 12, 31), str(year))


def _unit(parts: DateParts, said: date) -> Iterator[Reading]:
    if parts.unit == "month":
        yield _whole_month(*_months_on(said, parts.shift))
    elif parts.unit == "year":
        yield _whole_year(said.year + parts.shift)
    elif parts.unit == "week":
        monday = _monday(said) + timedelta(days=7 * parts.shift)
        yield Reading(monday, monday + timedelta(days=6), f"week of {written(monday)}")
        if said.weekday() == _SUNDAY and (parts.sundays or not parts.shift):
            later = monday + timedelta(days=7)
            yield Reading(later, later + timedelta(days=6), f"week of {written(later)}")


def _months_on(day: date, months: int) -> tuple[int, int]:
    years, month = divmod(day.month - 1 + months, _YEAR_OF_MONTHS)
    return day.year + years, month + 1


def _away(parts: DateParts, said: date) -> Iterator[Reading]:
    """“Three days ago” is exact; weeks and months are about, years are a guess."""
    count = parts.number * parts.shift
    if parts.unit == "day":
        yield _one_day(said + timedelta(days=count))
    elif parts.unit == "week":
        day = said + timedelta(weeks=count)
        yield Reading(day, day, f"around {written(day)}")
    elif parts.unit == "month":
        whole = _whole_month(*_months_on(said, count))
        yield Reading(whole.first, whole.last, f"around {whole.written}")
    else:
        yield from (_whole_year(said.year + count + step) for step in (-1, 0, 1))


def _weekend(parts: DateParts, said: date) -> Iterator[Reading]:
    """People differ on “next weekend” before Saturday."""
    this = _weekend_of(said, 0)
    is_weekend = said.weekday() >= _SATURDAY
    if parts.shift == 0:
        yield from (this,) if is_weekend else (_weekend_of(said, -1), this)
    elif parts.shift < 0 or is_weekend:
        yield _weekend_of(said, parts.shift)
    else:
        yield from (this, _weekend_of(said, 1))


def _weekend_of(said: date, weeks: int) -> Reading:
    saturday = _monday(said) + timedelta(days=_SATURDAY + 7 * weeks)
    return _days(saturday, saturday + timedelta(days=1))


def _days(first: date, last: date) -> Reading:
    month = "" if first.month == last.month else f" {MONTHS[first.month - 1]}"
    return Reading(first, last, f"{first.day}{month} to {written(last)}")


def _end(parts: DateParts, said: date) -> Iterator[Reading]:
    if parts.unit == "month":
        yield _one_day(_whole_month(*_months_on(said, parts.shift)).last)
    elif parts.unit == "year":
        yield _one_day(date(said.year + parts.shift, 12, 31))
    elif parts.unit == "week":
        friday = _monday(said) + timedelta(days=_FRIDAY + 7 * parts.shift)
        sunday = friday + timedelta(days=_SUNDAY - _FRIDAY)
        if said < sunday:
            yield _days(max(friday, said), sunday)


_READERS: Mapping[Kind, Callable[[DateParts, date], Iterator[Reading]]] = {
    "day": _day,
    "weekday": _weekday,
    "coming weekday": _coming_weekday,
    "weekday to come": _weekday_to_come,
    "past weekday": _past_weekday,
    "next weekday": _next_weekday,
    "last weekday": _last_weekday,
    "weekday in week": _weekday_in_week,
    "weekday beyond": _weekday_beyond,
    "weekday in weeks": _weekday_in_weeks,
    "weekday and number": _weekday_and_number,
    "date": _date,
    "date span": _date_span,
    "numeric date": _date,
    "number": _number,
    "number span": _number_span,
    "span from month": _span_from_month,
    "number of a month": _number_of_a_month,
    "month": _month,
    "next month": _next_month,
    "last month": _last_month,
    "unit": _unit,
    "away": _away,
    "weekend": _weekend,
    "end": _end,
    "never": lambda _parts, _said: iter(()),
}
