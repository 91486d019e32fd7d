"""The coming week and the days that two people speak of: a weekday that is named beside a week may be that
week's, and one that was named with its date is that day.

"Can we do next week?" – "Thursday at two?"      Thursday of the next week
"I'm away next week." – "Then Thursday at two."   Thursday of this one
"Thursday the 26th?" – "Thursday is perfect."     Thursday the 26th
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, tzinfo

from voice_server.digest.dates.dates import NamedDay, named_days, named_weeks
from voice_server.digest.language.sentences import spoken
from voice_server.domain.conversation import Message

_REACH = 6  # messages for which a week is spoken of
_ANSWERS = 3  # messages within which a weekday is the day just named; later it may be that one


def weeks_at(messages: Sequence[Message], timezone: tzinfo, language: str) -> dict[int, date]:
    """Of each message, by its position, the week that was spoken of before it; none where none was."""
    said = spoken(messages)
    texts = ((one.position, one.content, one.said_at.astimezone(timezone).date()) for one in said)
    weeks = weeks_before(texts, language)
    return {one.position: week for one, week in zip(said, weeks, strict=True) if week}


def weeks_before(said: Iterable[tuple[int, str, date]], language: str) -> Iterator[date | None]:
    """The same of each text, which comes with the position of its message and the day on which it was
    said: a week's Monday."""
    week, named_at = None, 0
    for position, text, said_on in said:
        yield week if position - named_at <= _REACH else None
        if named := named_weeks(text, said_on, language):
            week, named_at = (named[-1] if named[-1] > said_on else None), position


def days_at(messages: Sequence[Message], timezone: tzinfo, language: str) -> dict[int, tuple[NamedDay, ...]]:
    """Of each message, by its position, the days to come that were named before it with their dates."""
    named: list[tuple[int, date]] = []
    known: dict[int, tuple[NamedDay, ...]] = {}
    for place, one in enumerate(spoken(messages)):
        if named:
            known[one.position] = tuple(NamedDay(day, place - at <= _ANSWERS) for at, day in named)
        said_on = one.said_at.astimezone(timezone).date()
        found = named_days(one.content, said_on, language)
        named = [(at, day) for at, day in named if day not in found] + [(place, day) for day in found]
    return known
