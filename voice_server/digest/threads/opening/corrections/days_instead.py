"""A weekday that takes the place of a day that will not do.

“Thursday the 3rd of December?” – “I can't. Friday?” is the 4th of December. Who cannot come on Monday does
not mean tomorrow by “Wednesday, then”.
"""

from datetime import date, timedelta
from itertools import takewhile

from msgspec.structs import replace

from voice_server.digest.dates.dates import names_this_week, tells_of_the_past
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.corrections.objections import OBJECTIONS
from voice_server.digest.threads.opening.corrections.wished_days import (
    BY_ANOTHER_DAY,
    wished_instead,
    wishes_that_week,
)
from voice_server.digest.threads.speech.due import due_day, weeks_named, whole_day
from voice_server.digest.threads.speech.phrases import Kind
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk
from voice_server.domain.digest import OpenThread

_WEEK, _MONTH = 7, 31  # days
_SHORTLY_BEFORE, _LONG_BEFORE = 2, 4  # days
_PUT_OFF: tuple[Kind, ...] = (*OBJECTIONS, "moved")
_KEEPS_AWAY: tuple[Kind, ...] = (*OBJECTIONS, "duty", "has_on")  # “Wednesday I've got to work.”
_FEW_MATTERS = 1  # of what only names the day: “Wednesday instead”
_NAMED_BEFORE = 2  # times
_FAR_OFF = timedelta(days=8)  # from when on a bare weekday is not of the days to come
_NEAR = 8  # remarks before, of which one names the day in full


def with_day_instead(talk: ThreadTalk, one: Candidate) -> Candidate:
    """Date a matter by the week of the day whose place its weekday takes; nothing where that may be two."""
    due = one.thread.due if one.thread.kind != "promise" else None  # “I'll ring you on Friday.”
    wished = _wished_before(talk, one) if one.appointment else None
    if wished is not None:
        return replace(one, thread=replace(one.thread, due=wished))
    named = next((r for r in _said(talk, one) if _is_bare(talk, r, due)), None)
    if named is None or due is None:
        return one
    put_off = _put_off_before(talk, named, due) or _far_off(talk, named, due)
    if put_off is None:
        return one
    day = _instead(put_off, due, named.said_on)
    if day is None and talk.undated(named):
        return one  # “I can't on Monday.” – “Will I see you at the party on Saturday?”
    return replace(one, thread=replace(one.thread, due=day))


def in_week_of(talk: ThreadTalk, thread: OpenThread, put_off: date) -> OpenThread:
    """Date what takes the place of an earlier appointment: “Still Friday the 27th?” – “No, Saturday.” is the
    28th. Who asks for a day before it means the coming one; “Could you move it up to Saturday?” is either."""
    due, said = thread.due, [one for one in talk.remarks if one.position in thread.positions]
    named = next((one for one in said if _is_bare(talk, one, due)), None)
    if named is not None and due is not None and wishes_that_week(talk, put_off):
        return replace(thread, due=put_off + timedelta(due.weekday() - put_off.weekday()))
    is_coming = any(talk.has(one, "sooner") or _says_which_week(talk, one) for one in talk.remarks)
    if named is None or due is None or due >= put_off or is_coming:
        return thread
    if due.weekday() == put_off.weekday():  # “It's about Saturday. Could we push it to eight?”
        return replace(thread, due=put_off)
    put_off_days = (one for one in talk.remarks if one.said_by == "user" and talk.has(one, *_KEEPS_AWAY))
    is_put_off = any(put_off.weekday() in talk.phrases.weekdays(one.plain) for one in put_off_days)
    return replace(thread, due=_instead(put_off, due, named.said_on) if is_put_off else None)


def after_today(talk: ThreadTalk, thread: OpenThread) -> OpenThread:
    """Date what takes the place of today's appointment by the coming weekday: on a Monday, “I can't on
    Monday. Wednesday?” is of the next week only where nothing was agreed on for today."""
    coming = thread.due - timedelta(_WEEK) if thread.due is not None else None
    said = [one for one in talk.remarks if one.position in thread.positions]
    is_said = any(whole_day(one, talk.phrases) == thread.due for one in said)  # “Wednesday next week”
    is_bare = not is_said and any(_is_bare(talk, one, coming) for one in said)
    return replace(thread, due=coming) if is_bare else thread


def _said(talk: ThreadTalk, one: Candidate) -> list[Remark]:
    return [talk.remarks[place] for place in one.places]


def _is_bare(talk: ThreadTalk, remark: Remark, due: date | None) -> bool:
    """Tell whether a mere weekday names the coming one."""
    if due is None or not timedelta() < due - remark.said_on <= timedelta(_WEEK):
        return False
    is_numbered = due.day in talk.phrases.numbers_of_days(remark.plain, remark.marked)
    is_said = is_numbered or _says_which_week(talk, remark)
    return due.weekday() in talk.phrases.weekdays(remark.plain) and not is_said


def _says_which_week(talk: ThreadTalk, remark: Remark) -> bool:
    return names_this_week(remark.text, talk.phrases.tag) or bool(weeks_named(remark, talk.phrases))


def _wished_before(talk: ThreadTalk, one: Candidate) -> date | None:
    """“I'm down for the eighth.” – “Tuesday, yes.” – “Could it be a day later?” – “Wednesday at nine.”"""
    first = _said(talk, one)[0]
    near = talk.remarks[max(0, first.place - _NEAR) : first.place]
    wish = next((said for said in reversed(near) if talk.has(said, *BY_ANOTHER_DAY)), None)
    before = near[: near.index(wish)] if wish is not None else ()
    named = (day for said in reversed(before) if (day := whole_day(said, talk.phrases)))
    days = (wished_instead(talk, wish, old) for old in named) if wish is not None else ()
    weekdays = talk.phrases.weekdays(first.plain)
    return next((day for day in days if day and {day.weekday()} == weekdays), None)


def _put_off_before(talk: ThreadTalk, named: Remark, due: date) -> date | None:
    """“I can't. Friday?” – “Friday at nine.” – “Great.”: the day may have been named once or twice before."""
    for _ in range(_NAMED_BEFORE + 1):
        day = _put_off(talk, named, due)
        again = next((one for one in talk.before(named)[-_NEAR:] if _is_bare(talk, one, due)), None)
        if day is not None or again is None:
            return day
        named = again
    return None


def _put_off(talk: ThreadTalk, named: Remark, due: date) -> date | None:
    """Return the day of which the same message, or the one before, says that it will not do."""
    near = talk.remarks[max(0, named.place - _NEAR) : named.place + 1]
    said = [one for one in near if named.position - one.position <= 1]
    is_soon = any(talk.has(one, "sooner") or _says_which_week(talk, one) for one in said)
    if is_soon or len(talk.undated(named)) > _FEW_MATTERS:
        return None
    objections = (one for one in reversed(said) if _will_not_do(talk, one) and _other(talk, one, due))
    objection = next(objections, None) or _countered(talk, named, due)
    if objection is None or _was_offered_first(talk, objection, due):
        return None
    return _day_of(talk, objection, _other(talk, objection, due))


def _far_off(talk: ThreadTalk, named: Remark, due: date) -> date | None:
    """Return the day weeks ahead that was offered last, whatever was said against it: “Wednesday in two
    weeks?” – “I mind my grandson then, is Thursday possible?” – “Thursday at two.”"""
    near = talk.remarks[max(0, named.place - _NEAR) : named.place]
    offers = [one for one in near if one.said_by == "agent" and talk.has(one, "proposal")]
    offers = [one for one in offers if talk.asks(one) or talk.has(one, "slot")]
    day = due_day(offers[-1], talk.phrases) if offers else None
    if day is None or day < named.said_on + _FAR_OFF:
        return None
    since = talk.remarks[offers[-1].place + 1 : named.place + 1]
    is_soon = any(talk.has(one, "sooner", "other_time") or _says_which_week(talk, one) for one in since)
    first = next((one for one in since if due.weekday() in talk.phrases.weekdays(one.plain)), named)
    if first.said_by == "agent":
        return None  # “It's bleeding now.” – “Then come in on Thursday.”
    names_both = day.weekday() in talk.phrases.weekdays(named.plain)
    is_instead = names_both or len(talk.undated(named)) <= _FEW_MATTERS
    return day if is_instead and not is_soon else None


def _was_offered_first(talk: ThreadTalk, objection: Remark, due: date) -> bool:
    """“Come on Wednesday.” – “Monday?” – “Not Monday, I said Wednesday.” goes back to the day before."""
    other = _other(talk, objection, due)
    near = talk.remarks[max(0, objection.place - _NEAR) : objection.place]
    earlier = takewhile(lambda one: other.isdisjoint(talk.phrases.weekdays(one.plain)), near)
    return any(_is_bare(talk, one, due) for one in earlier)


def _will_not_do(talk: ThreadTalk, remark: Remark) -> bool:
    """“I can't on Monday.”, “El lunes no, mejor el miércoles.”, not “I was ill on Monday.”"""
    is_rather = talk.has(remark, "correction") and talk.has(remark, "preferred")
    is_over = tells_of_the_past(remark.text, talk.phrases.tag)
    is_idle = is_over or talk.phrases.is_recurring(remark.plain)
    return (is_rather or talk.has(remark, *_PUT_OFF)) and not is_idle


def _countered(talk: ThreadTalk, named: Remark, due: date) -> Remark | None:
    """Return the offer before “That's difficult, I'm at work. Friday?”."""
    is_counter = talk.asks(named) and not talk.undated(named)
    offers = reversed(talk.before(named)[-_NEAR:]) if is_counter else ()
    proposed = (one for one in offers if talk.asks(one) or talk.has(one, "slot"))
    return next((one for one in proposed if _other(talk, one, due)), None)


def _other(talk: ThreadTalk, remark: Remark, due: date) -> frozenset[int]:
    """Return the weekday that a remark names beside the one in question, or that of its date."""
    weekdays = talk.phrases.weekdays(remark.plain) - {due.weekday()}
    day = None if weekdays else _in_full(talk, remark)
    return frozenset({day.weekday()} - {due.weekday()}) if day else weekdays


def _in_full(talk: ThreadTalk, remark: Remark) -> date | None:
    """Return the day of “Thursday the 3rd of December”, and of “I can't make the 3rd” the next one."""
    numbers = talk.phrases.numbers_of_days(remark.plain, remark.marked)
    day = whole_day(remark, talk.phrases)
    if day is not None or len(numbers) != 1:
        return day
    ahead = (remark.said_on + timedelta(days) for days in range(1, _MONTH + 1))
    return next((one for one in ahead if one.day in numbers), None)


def _day_of(talk: ThreadTalk, objection: Remark, weekdays: frozenset[int]) -> date | None:
    """Return the day put off as it was named in full, just now or before, else the coming one."""
    if len(weekdays) != 1:
        return None
    near = talk.remarks[max(0, objection.place - _NEAR) : objection.place + 1]
    days = (day for one in reversed(near) if (day := _in_full(talk, one)))
    in_full = next((day for day in days if day.weekday() in weekdays), None)
    ahead = (min(weekdays) - objection.said_on.weekday() - 1) % _WEEK + 1
    return in_full or objection.said_on + timedelta(ahead)


def _instead(put_off: date, coming: date, said_on: date) -> date | None:
    """Choose between the coming weekday and that of the week of the day put off; None where either may be
    meant. Shortly before a day its week is meant, long before it the week behind it may be, and nobody calls
    tomorrow by its name who has just put off a later day."""
    day = put_off + timedelta(coming.weekday() - put_off.weekday())
    before = (put_off - day).days
    if day == coming or day <= said_on:
        return coming if before <= _LONG_BEFORE or day <= said_on else None
    if before > 0:
        return day if before <= _SHORTLY_BEFORE else None
    if (coming - said_on).days == 1 or (put_off - said_on).days >= _WEEK:
        return day
    return coming if (put_off - coming).days <= _SHORTLY_BEFORE else None
