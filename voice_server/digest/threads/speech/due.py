"""The day that something is due, when that is certain."""

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec.structs import replace

from voice_server.digest.dates.date_language import day_digits
from voice_server.digest.dates.dates import (
    SpokenDate,
    coming_dates,
    named_weeks,
    names_a_day,
    names_a_feast,
    names_this_week,
    numbers_a_weekday,
    possible_days,
    spoken_dates,
    taken_back,
    unsaid,
)
from voice_server.digest.language.manner import manner
from voice_server.digest.threads.speech.phrases import Kind, Phrases, times_named
from voice_server.digest.threads.speech.talk import Remark, between, without
from voice_server.domain.digest import OpenThread

_WEEK = 7
_TAKEN_BACK: tuple[Kind, ...] = ("refused", "no")
_FRIDAY, _SUNDAY = 4, 6
_LONGEST_WEEKEND = timedelta(days=3)
_SUNDAYS_OF_ADVENT = 4
_LONGEST_SECOND_THOUGHT = 5  # words
_REASONS: tuple[Kind, ...] = ("unplanned", "refused", "cancelled")
_DONE_THEN: tuple[Kind, ...] = ("promise", "call_back", "to_fetch", "in_present")


def named_day(remark: Remark, phrases: Phrases) -> date | None:
    """Return the first day to come that is named for certain and not given up (“not Thursday, it's Friday”),
    else the first of a span (“in a month”)."""
    ahead = named_ahead(remark, phrases)
    return max(ahead.first, remark.said_on) if ahead else None


def _standing(text: str, remark: Remark, phrases: Phrases) -> str:
    """Blank out the days given up, also for one behind (“Thursday, no, Friday”), at the same length. `text`
    is the remark's, or that in small letters."""
    text = phrases.standing(text, remark.marked)
    for start, end in taken_back(remark.text, phrases.tag):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def without_day_taken_back(remark: Remark, phrases: Phrases) -> Remark:
    """Read it without a day that another takes the place of at once: “on Friday the fourth, no wait,
    Saturday”. Its text stays as it was said, and so does all of it where that day is spoken of again."""
    read = remark
    for start, end in taken_back(remark.text, phrases.tag):
        behind = next((one.start() for one in times_named(remark.marked) if one.start() >= end), end)
        gap = remark.marked[end:behind]
        is_idle = any(phrases.has(kind, gap) for kind in _REASONS)
        again = names_its_weekday(remark.plain[start:end], remark.plain[behind:], phrases)
        if len(gap.split()) <= _LONGEST_SECOND_THOUGHT and not (is_idle or again):
            read = without(read, start, behind)
    return replace(remark, plain=read.plain, marked=read.marked) if read is not remark else remark


def names_its_weekday(day: str, plain: str, phrases: Phrases) -> bool:
    return not phrases.weekdays(day).isdisjoint(phrases.weekdays(plain))


def named_ahead(remark: Remark, phrases: Phrases) -> SpokenDate | None:
    """Return the same with where it is said."""
    if not names_a_day(remark.text, phrases.tag):
        return None
    standing = _standing(remark.text, remark, phrases)
    said = spoken_dates(standing, remark.said_on, phrases.tag, remark.before)
    ahead = [day for day in said if day.last >= remark.said_on]
    days = [day for day in ahead if day.first == day.last]
    return next(iter(days or ahead), None)


def due_day(remark: Remark, phrases: Phrases) -> date | None:
    """Return the day of a commitment: a mere weekday or date is the coming one, unless another week is spoken
    of."""
    if phrases.is_recurring(remark.plain):
        return None
    remark = _without_reason(remark, phrases)
    month = phrases.month_beside(remark.plain)  # “on a Tuesday in December”, “dinsdag één december”
    named = named_day(remark, phrases)
    if named is not None and month not in (None, named.month):
        return None
    is_sure = named is not None and named > remark.said_on
    if is_sure or names_a_feast(remark.text, phrases.tag) or (named is None and _is_over(remark, phrases)):
        return named
    is_numbered = numbers_a_weekday(remark.text, phrases.tag)
    weekday = None if is_numbered else phrases.weekday(_standing(remark.plain, remark, phrases))
    is_open = (
        weekday is None
        or _may_be_another(remark, weekday, phrases)
        or _is_of_a_date(remark, weekday, phrases)
    )
    coming = None if weekday is None or is_open else _coming(remark.said_on, weekday)
    if coming is not None and month not in (None, coming.month):
        return None
    return coming or _only_one_after(remark, phrases) or named or _only_one_ahead(remark, phrases)


def _without_reason(remark: Remark, phrases: Phrases) -> Remark:
    """Keep “I'll come on Monday” of “I'll come on Monday, because tomorrow I'm away”."""
    first = next(times_named(remark.marked), None)
    reason = first and phrases.find("day_of_reason", remark.marked[first.end() :])
    if not first or not reason:
        return remark
    lead = between(remark, 0, first.end() + reason.start())
    is_done_then = any(phrases.has(kind, lead.marked) for kind in _DONE_THEN)
    return lead if is_done_then and not _is_taken_back(lead, phrases) else remark


def _is_taken_back(lead: Remark, phrases: Phrases) -> bool:
    """“On Monday, no, Thursday I'm near you”, “Thursday or Friday, because tomorrow I can't”."""
    known, clauses = manner(phrases.tag), [clause.strip() for clause in lead.text.split(",")[1:]]
    if len(phrases.weekdays(lead.plain)) > 1 or any(phrases.has(kind, lead.marked) for kind in _TAKEN_BACK):
        return True
    return known.corrections.search(lead.text) is not None or any(map(known.yes_no.match, clauses))


def _may_be_another(remark: Remark, weekday: int, phrases: Phrases) -> bool:
    is_of_that_week = bool(remark.before.week) and not names_this_week(remark.text, phrases.tag)
    return is_of_that_week or any(one.day.weekday() == weekday for one in remark.before.days)


def _is_of_a_date(remark: Remark, weekday: int, phrases: Phrases) -> bool:
    """“On the fifth of December that's a Saturday”, not “on Saturday, and on the fifth of December”."""
    joints = manner(phrases.tag).joints
    spans = phrases.clauses(remark.plain.replace(",", " "), joints)
    parts = [(remark.text[start:end], remark.plain[start:end]) for start, end in spans]
    both = (text for text, plain in parts if weekday in phrases.weekdays(plain))
    return any(
        weekday == day.weekday() for text in both for day in coming_dates(text, remark.said_on, phrases.tag)
    )


def _is_over(remark: Remark, phrases: Phrases) -> bool:
    """“I posted it on Tuesday.”"""
    said = spoken_dates(remark.text, remark.said_on, phrases.tag, remark.before)
    is_asked = remark.text.rstrip().endswith("?")
    return not is_asked and any(day.first == day.last < remark.said_on for day in said)


def put_right(day: date, remark: Remark, phrases: Phrases) -> date | None:
    """Correct a day's number: “On the 17th of April. No, 18, that's a Sunday.” None unless the weekday
    fits."""
    numbers = {*day_digits(remark.plain)} - {day.day}
    weekdays = phrases.weekdays(remark.plain)
    if len(numbers) != 1 or not weekdays:
        return None
    try:
        other = day.replace(day=numbers.pop())
    except ValueError:
        return None
    return other if other.weekday() in weekdays else None


def agreed_day(remarks: Sequence[Remark], phrases: Phrases) -> date | None:
    """Return the day of the latest remark that names any, in the month named before: “The 19th of December?”
    – “The 19th, yes.” “On Tuesday?” – “Every Tuesday.” is none."""
    if remarks and phrases.is_weekly(remarks[-1].plain):
        return None
    days = [day for remark in reversed(remarks) if (day := due_day(remark, phrases)) is not None]
    if not days:
        return None
    whole = (day for day in days[1:] if day.day == days[0].day and day > days[0])
    return next(whole, days[0])


def whole_day(remark: Remark, phrases: Phrases) -> date | None:
    """Return the first day to come that is named for certain, given up or not."""
    said = spoken_dates(remark.text, remark.said_on, phrases.tag, remark.before)
    return next((day.first for day in said if day.first == day.last >= remark.said_on), None)


def days_named(remark: Remark, phrases: Phrases) -> frozenset[date]:
    """Return the days that are named for certain, past or to come."""
    said = spoken_dates(remark.text, remark.said_on, phrases.tag, remark.before)
    return frozenset(day.first for day in said if day.first == day.last)


def feast_day(remark: Remark, phrases: Phrases) -> date | None:
    """Return the next day of a feast that is named: “at Christmas”."""
    named = phrases.feast(remark.plain)
    years = (remark.said_on.year, remark.said_on.year + 1)
    days = [_feast_in(year, named) for year in years] if named else []
    return next((day for day in days if day >= remark.said_on), None)


def _feast_in(year: int, named: str) -> date:
    month, _, number = named.partition("-")
    if month != "advent":
        return date(year, int(month), int(number))
    eve = date(year, 12, 24)  # the fourth Sunday of Advent is the last up to it
    return eve - timedelta(days=(eve.weekday() + 1) % _WEEK + _WEEK * (_SUNDAYS_OF_ADVENT - int(number)))


def weekend_ahead(remark: Remark, phrases: Phrases) -> date | None:
    """Return the Sunday of the one weekend to come that a remark may mean: who says what will be done “at the
    weekend” means the next."""
    named = possible_days(remark.text, remark.said_on, phrases.tag, remark.before)
    ahead = {last for first, last in named if _is_weekend(first, last) and last >= remark.said_on}
    return ahead.pop() if len(ahead) == 1 else None


def friday_ahead(said_on: date) -> date:
    return said_on + timedelta(days=(_FRIDAY - said_on.weekday()) % _WEEK)


def _is_weekend(first: date, last: date) -> bool:
    return last.weekday() == _SUNDAY and timedelta() < last - first < _LONGEST_WEEKEND


def weeks_named(remark: Remark, phrases: Phrases) -> list[date]:
    """Return the Mondays of the weeks that a remark names."""
    return named_weeks(remark.text, remark.said_on, phrases.tag)


def day_of_week(remark: Remark, phrases: Phrases) -> date | None:
    """Return the one day that a remark may mean in the week spoken of."""
    there = {day for day in _possible_days(remark, phrases) if _is_in(day, remark.before.week)}
    return there.pop() if len(there) == 1 else None


def next_possible_day(remark: Remark, phrases: Phrases) -> date | None:
    """Return the first day to come that a remark may mean."""
    return min(_possible_days(remark, phrases), default=None)


def _possible_days(remark: Remark, phrases: Phrases) -> set[date]:
    standing = _standing(remark.text, remark, phrases)
    named = possible_days(standing, remark.said_on, phrases.tag, remark.before)
    return {first for first, last in named if first == last and first >= remark.said_on}


def _is_in(day: date, monday: date | None) -> bool:
    return monday is not None and monday <= day < monday + timedelta(days=_WEEK)


def with_span(thread: OpenThread, phrases: Phrases) -> OpenThread:
    """Make a thread of a span (“next week”) due on its last day, with the span in brackets."""
    if phrases.has("before_weekend", phrases.marked(phrases.plain(thread.text))):
        return thread
    for named in spoken_dates(thread.text, thread.said_on, phrases.tag):
        is_ahead = named.first < named.last and named.last >= thread.said_on
        if is_ahead and max(named.first, thread.said_on) == thread.due and named.written:
            text = f"{thread.text[: named.end]} ({unsaid(named, thread.text)}){thread.text[named.end :]}"
            return replace(thread, text=text, due=named.last)
    return thread


def _coming(said_on: date, weekday: int) -> date:
    return said_on + timedelta(days=(weekday - said_on.weekday()) % _WEEK or _WEEK)


def _only_one_after(remark: Remark, phrases: Phrases) -> date | None:
    """“It's the 19th of December, they rang this morning.”"""
    standing = _standing(remark.text, remark, phrases)
    after = [day for day in coming_dates(standing, remark.said_on, phrases.tag) if day > remark.said_on]
    return after[0] if len(set(after)) == 1 else None


def _only_one_ahead(remark: Remark, phrases: Phrases) -> date | None:
    ahead = _possible_days(remark, phrases)
    return ahead.pop() if len(ahead) == 1 else None
