"""What was said of days before: a weekday may be a coming week's, and one named with its date is that day.

“Can we do next week?” – “Thursday at two?”       Thursday of the next week
“I'm away next week.” – “Then Thursday at two.”   Thursday of this one
“Thursday the 26th?” – “Thursday is perfect.”     Thursday the 26th
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, tzinfo

from msgspec.structs import replace

from voice_server.digest.dates.dates import (
    DateContext,
    NamedDay,
    coming_dates,
    coming_weekdays,
    named_days,
    named_month,
    named_weeks,
    names_a_day,
    names_another_week,
)
from voice_server.digest.language.sentences import spoken
from voice_server.domain.conversation import Message

_REACH, _MONTH_REACH = 6, 12  # messages for which a week, or a month, is spoken of
_ANSWERS = 3  # messages within which a weekday is the day just named; later it may be that one
_NEXT = 8  # texts after one, sentences of its message, among which the reply begins
_BEGIN = 80  # characters of a reply in which it says a day again, in a brief one of its first clauses
_CLAUSES, _BRIEF = 2, 6  # clauses, and words of one
_PAUSE = re.compile(r"[,!?;:]|(?<!\d)\.")
_LOOKED_FOR = 24  # characters by which a text is found in its message: fillers may be left out of it
_KEPT = 8  # days named last: more would cost each message as much as all before it


def contexts_at(messages: Sequence[Message], timezone: tzinfo, language: str) -> dict[int, DateContext]:
    """Return what was said of days before each message, by its position."""
    said = spoken(messages)
    texts = ((one.position, one.content, one.said_at.astimezone(timezone).date()) for one in said)
    contexts = contexts_before(texts, language)
    return {one.position: context for one, context in zip(said, contexts, strict=True)}


def within(message: str, text: str, before: DateContext, said_on: date, language: str) -> DateContext:
    """Return what was said of days before a text that stands in a message. A month named in it may be of
    another matter: “The wedding is in June. The fitting is on the 27th.”"""
    start = message.find(text[:_LOOKED_FOR]) if names_a_day(text, language) else 0
    month = named_month(message[:start], said_on, language) if start > 0 else 0
    return replace(before, other_month=month) if month else before


def contexts_before(said: Iterable[tuple[int, str, date]], language: str) -> Iterator[DateContext]:
    """Yield the context of each text, given with its message's position and day."""
    week, week_at, other_at = None, 0, -_REACH - 1
    month, month_at = 0, 0
    days: list[tuple[int, date, bool]] = []
    weekdays: list[tuple[int, date]] = []
    texts = list(said)
    for number, (position, text, said_on) in enumerate(texts):
        named = tuple(NamedDay(day, position - at <= _ANSWERS, by_weekday) for at, day, by_weekday in days)
        is_dated = names_a_day(text, language)
        near = texts[number + 1 : number + 1 + _NEXT] if is_dated else ()
        reply = next((one for one in near if one[0] == position + 1), None)
        spoken_of, other = _months(month, position - month_at)
        yield DateContext(
            week if position - week_at <= _REACH else None,
            named,
            spoken_of,
            _confirmed(reply[1], reply[2], language) if reply else (),
            other_month=other,
            weekdays=tuple(day for at, day in weekdays if position - at <= _ANSWERS),
            is_other_week=position - other_at <= _REACH,
        )
        if names_another_week(text, language):
            other_at = position
        if found_month := named_month(text, said_on, language):
            month, month_at = found_month, position
        if not is_dated:
            continue
        weekdays = [one for one in weekdays if position - one[0] <= _ANSWERS]
        weekdays += [(position, day) for day in coming_weekdays(text, said_on, language)]
        if weeks := named_weeks(text, said_on, language):
            week, week_at = (weeks[-1] if weeks[-1] > said_on else None), position
        spoken_of, other = _months(month, position - month_at)
        just_named = tuple(day for _, day in weekdays)
        before = DateContext(month=spoken_of, other_month=other, weekdays=just_named)
        if found := named_days(text, said_on, language, before):
            others = [one for one in days if one[1] not in found]
            days = [*others, *((position, day, by_weekday) for day, by_weekday in found.items())][-_KEPT:]


def _months(month: int, ago: int) -> tuple[int, int]:
    """Return the month that a bare number is of, and one that it may be of, by how long ago it was named:
    “The kittens come in December.” … “I'll ask you after the 24th.”"""
    return (month, 0) if ago <= _ANSWERS else (0, month if ago <= _MONTH_REACH else 0)


def _confirmed(reply: str, said_on: date, language: str) -> tuple[date, ...]:
    """“It's moved to the 19th.” – “Yes, the 19th of January.”"""
    clauses = _PAUSE.split(reply[:_BEGIN])[:_CLAUSES]
    brief = (clause for clause in clauses if len(clause.split()) <= _BRIEF)
    return tuple(day for clause in brief for day in coming_dates(clause, said_on, language))
