"""The day of what is to be done the day before: before the appointment that was made, not before any day that
was named.
"""

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec.structs import replace

from voice_server.digest.threads.opening.candidate import Candidate, near
from voice_server.digest.threads.speech.due import agreed_day, due_day
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_A_DAY = timedelta(days=1)


def with_days_before(talk: ThreadTalk, found: Sequence[Candidate]) -> list[Candidate]:
    """“On the second at nine?” – “Fine.” – “Shall I remind you the day before?” – “Yes.”: on the first."""
    return [_dated(talk, one, found) for one in found]


def _dated(talk: ThreadTalk, one: Candidate, found: Sequence[Candidate]) -> Candidate:
    said = [talk.remarks[place] for place in one.places]
    wishes = [remark for remark in said if talk.has(remark, "day_before")]
    if one.thread.kind not in ("request", "promise") or not wishes:
        return one
    asked = wishes[-1]
    own = agreed_day([remark for remark in said if remark.place > asked.place], talk.phrases)
    if own is not None:  # “Yes please, on the first.”
        return one
    day = _day_of_the_appointment(found, asked) or _day_named(talk, asked)
    is_ahead = day is not None and day > asked.said_on
    return replace(one, thread=replace(one.thread, due=day - _A_DAY)) if day and is_ahead else one


def _day_of_the_appointment(found: Sequence[Candidate], asked: Remark) -> date | None:
    """Return the day agreed on last before it, else the first behind: it was moved since."""
    plans = [one for one in found if one.thread.kind == "plan" and one.thread.due is not None]
    agreed = [one for one in plans if ANSWERED in one.thread.text or one.thread.said_by == "agent"] or plans
    before = [one for one in agreed if one.place < asked.place]
    return next((one.thread.due for one in (*before[-1:], *agreed[:1])), None)


def _day_named(talk: ThreadTalk, asked: Remark) -> date | None:
    days = {due_day(remark, talk.phrases) for remark in (*near(talk, asked), asked)} - {None}
    return days.pop() if len(days) == 1 else None
