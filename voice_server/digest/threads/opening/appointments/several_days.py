"""What is fixed for several days in one sentence is a matter for each: one may be moved or called off alone.

“Tuesday at three for you and Thursday at four for your husband, both booked.” is two appointments.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from msgspec.structs import replace

from voice_server.digest.dates.dates import names_a_bound
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import Kind, has_hour
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between
from voice_server.domain.digest import OpenThread

_MOST = 3  # days of one sentence: more are a timetable
_WORD = re.compile(r",|[^\s,]+")
_NONE: tuple[Kind, ...] = (
    "unplanned", "refused", "cancelled", "moved", "correction", "other_day", "elsewhere", "doubt", "unable",
)  # fmt: skip


def each_by_its_day(talk: ThreadTalk, thread: OpenThread, one: Candidate) -> tuple[OpenThread, ...]:
    """Return a thread for each day; the one there is where there is no more than one."""
    said = talk.remarks[one.place]
    parts = _parts(talk, said) if thread.kind == "plan" else ()
    if not parts or thread.due not in (None, *(day for _, day in parts)):
        return (thread,)
    asked = talk.remarks[one.places[0]] if ANSWERED in thread.text and len(one.places) > 1 else None
    lead = _lead(talk, parts[0][0])
    told = ((_told(talk, asked, part, day), part, day) for part, day in parts)
    return tuple(
        replace(
            thread, text=_led(lead, text) if number and not (asked or talk.undated(part)) else text, due=day
        )
        for number, (text, part, day) in enumerate(told)
    )


def _lead(talk: ThreadTalk, first: Remark) -> str:
    """Return what is said once of all: “Physio's on” of “Physio's on Monday at ten and Thursday at ten.”"""
    return first.text[: next(talk.phrases.days_marked(first.marked)).start()].strip()


def _led(lead: str, text: str) -> str:
    return quoting.joined(quoting.together(lead), text.strip('"')) if lead else text


def _told(talk: ThreadTalk, asked: Remark | None, part: Remark, day: date) -> str:
    """Quote a part with what was asked for that day, or for none."""
    own = _excerpt(talk, part)
    if asked is None:
        return quoting.together(own)
    of_its_day = next((one for one, due in _parts(talk, asked) if due == day), None)
    named = of_its_day or (None if talk.days(asked) else asked)
    return quoting.exchange(_excerpt(talk, named), own) if named else quoting.together(own)


def _excerpt(talk: ThreadTalk, part: Remark) -> str:
    """Leave out the “and” that joins it to the part before."""
    first, _, rest = part.text.strip(" ,").partition(" ")
    joins = rest and first.lower() in talk.phrases.adding
    return rest if joins else part.text.strip(" ,")


def _parts(talk: ThreadTalk, said: Remark) -> Sequence[tuple[Remark, date]]:
    """Return the parts of a remark with the day of each, if each can stand for itself."""
    cuts = [0, *_cuts(talk, said), len(said.text)]
    if not 1 < len(cuts) - 1 <= _MOST:
        return ()
    parts = [between(said, start, end) for start, end in pairwise(cuts)]
    days = [due_day(part, talk.phrases) for part in parts]
    dated = [(part, day) for part, day in zip(parts, days, strict=True) if day and day > said.said_on]
    weekdays = {day.weekday() for _, day in dated}  # “on the 5th of December, that's a Saturday”
    is_each = len(dated) == len(parts) == len(weekdays)
    return dated if is_each and _stand_alone(talk, parts) else ()


def _stand_alone(talk: ThreadTalk, parts: Sequence[Remark]) -> bool:
    """Tell so of what names an hour each time: not of “She comes on Friday and goes home on Monday”, nor of
    “from Monday at ten”."""
    if any(talk.has(part, *_NONE) or names_a_bound(part.text, talk.phrases.tag) for part in parts):
        return False
    return all(has_hour(part.marked) for part in parts)


def _cuts(talk: ThreadTalk, said: Remark) -> Iterator[int]:
    """Yield where “and” or a comma begins what holds the next day: the last one before it."""
    days = [*talk.phrases.days_marked(said.marked)]
    for before, behind in pairwise(days):
        gap = _WORD.finditer(said.plain, before.end(), behind.start())
        joints = [word.start() for word in gap if word[0] == "," or word[0] in talk.phrases.adding]
        if joints:
            yield joints[-1] + (said.plain[joints[-1]] == ",")
