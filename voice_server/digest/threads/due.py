"""The day that something is due, when that is certain."""

from datetime import date, timedelta

from voice_server.digest.dates import upcoming
from voice_server.digest.threads.phrases import Phrases
from voice_server.digest.threads.talk import Remark

_WEEK = 7


def named_day(remark: Remark, language: str) -> date | None:
    """The first day to come that a remark names for certain."""
    return upcoming(remark.text, remark.said_on, language)


def due_day(remark: Remark, phrases: Phrases) -> date | None:
    """The same for words that commit somebody: of these a weekday alone is the coming one."""
    if phrases.is_recurring(remark.plain):
        return None
    return named_day(remark, phrases.tag) or _coming(remark.said_on, phrases.weekday(remark.plain))


def _coming(said_on: date, weekday: int | None) -> date | None:
    if weekday is None:
        return None
    return said_on + timedelta(days=(weekday - said_on.weekday()) % _WEEK or _WEEK)
