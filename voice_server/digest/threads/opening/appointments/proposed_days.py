"""The day of an hour that is proposed without one."""

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta

from voice_server.digest.dates.dates import names_this_week, week_of_a_day
from voice_server.digest.threads.opening.appointments.times import SHORTLY, is_dated, repeats_the_hour
from voice_server.digest.threads.opening.appointments.wishes import is_no_wish, wishes_for_a_week
from voice_server.digest.threads.speech.due import (
    agreed_day,
    day_of_week,
    due_day,
    next_possible_day,
    weeks_named,
    whole_day,
)
from voice_server.digest.threads.speech.phrases import has_hour
from voice_server.digest.threads.speech.references import puts_right, says_when
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_A_WEEK = 7  # days
_NEAR = 6  # sentences before a date that is to be another


def other_date(talk: ThreadTalk, asked: Remark) -> date | None:
    """“I'm down for the fifth of December.” – “Yes, at ten.” – “On the fifth I'm working, could it be the
    seventh?” is the seventh of December."""
    found = talk.find("another_date", asked.marked)
    numbers = talk.phrases.numbers(asked.plain[slice(*found.span())]) if found else frozenset[int]()
    near = reversed(talk.remarks[max(0, asked.place - _NEAR) : asked.place])
    named = (agreed_day((one,), talk.phrases) for one in near)
    first = next((day for day in named if day is not None and day.day in numbers), None)
    other = numbers - {first.day} if first else numbers
    if first is None or len(other) != 1:
        return None
    [number] = other
    return first.replace(day=number) if number <= monthrange(first.year, first.month)[1] else None


def day_just_said(talk: ThreadTalk, remark: Remark) -> date | None:
    """“I work on Saturday.” – “Thursday we're open late. Half past seven?”, not “Thursday is full. Half past
    seven?”, nor “Can I come tomorrow?” – “Thursday is my day off. Half past seven?”"""
    told = (one for one in talk.before(remark) if not talk.asks(one))
    if not any(talk.phrases.weekdays(one.plain) for one in told):
        return None
    said = talk.sentence_before(remark)
    if said is None or not has_hour(remark.marked) or is_dated(talk, remark):
        return None
    is_busy = said.said_by == "user" and talk.has(said, "unplanned", "has_on")  # “Saturday I work.”
    if is_busy or talk.asks(said) or talk.has(said, "cancelled", "refused", "no"):
        return None
    return whole_day(said, talk.phrases) or due_day(said, talk.phrases)


def day_wished(talk: ThreadTalk, remark: Remark) -> date | None:
    """“Next week would be better.” – “Thursday at nine?”, not “I'm away next week.” Behind “Is there
    anything sooner?” or “This Thursday?” it is the coming one."""
    if remark.before.week is None:
        return agreed_day(talk.before(remark), talk.phrases)
    said = _since_the_week(talk, remark)
    if any(talk.has(one, "sooner") or names_this_week(one.text, talk.phrases.tag) for one in said):
        return next_possible_day(remark, talk.phrases)
    return day_of_week(remark, talk.phrases) if wishes_for_a_week(talk, said[0]) else None


def day_chosen(talk: ThreadTalk, remark: Remark, answer: Remark) -> date | None:
    """“Could we do next week?” – “I've got Tuesday at ten or Thursday at four.” – “Thursday, please.”"""
    offered = talk.phrases.weekdays(remark.plain)
    chosen = offered & talk.phrases.weekdays(answer.plain)
    week = week_of_the_offer(talk, remark) if len(offered) > 1 and len(chosen) == 1 else None
    return week + timedelta(days=min(chosen)) if week is not None else None


def week_of_the_offer(talk: ThreadTalk, remark: Remark) -> date | None:
    """Return the Monday of the week named in it, or wished for before it."""
    weeks = weeks_named(remark, talk.phrases)
    if weeks or remark.before.week is None or _is_of_this_week(talk, remark):
        return weeks[0] if len(weeks) == 1 else None
    said = _since_the_week(talk, remark)
    is_off = any(talk.has(one, "sooner", "refused") for one in said)
    return remark.before.week if wishes_for_a_week(talk, said[0]) and not is_off else None


def _since_the_week(talk: ThreadTalk, remark: Remark) -> Sequence[Remark]:
    """Return the remark that named the week spoken of, and those behind it."""
    named = next(one for one in reversed(talk.remarks[: remark.place]) if weeks_named(one, talk.phrases))
    return talk.remarks[named.place : remark.place]


def day_countered(talk: ThreadTalk, remark: Remark) -> date | None:
    """“Next week, Tuesday at eight?” – “I work on Tuesday. Wednesday?” – “Wednesday works too.”"""
    before = talk.before(remark)
    if not before or _is_of_this_week(talk, remark):
        return None
    week = week_of_a_day(before[-1].text, remark.said_on, talk.phrases.tag)
    if week is not None:
        return _other_day_of(talk, week, before[-1], remark)
    countered = _repeated(talk, remark)
    return day_countered(talk, countered) if countered is not None else None


def _is_of_this_week(talk: ThreadTalk, remark: Remark) -> bool:
    until = (one for one in talk.message(remark) if one.place <= remark.place)
    return names_this_week(remark.text, talk.phrases.tag) or any(talk.has(one, "sooner") for one in until)


def _other_day_of(talk: ThreadTalk, week: date, offer: Remark, remark: Remark) -> date | None:
    """Return the only other weekday that the user names where they do not take the one offered."""
    others = talk.phrases.weekdays(remark.plain) - talk.phrases.weekdays(offer.plain)
    is_taken = remark.said_by == "agent" or talk.phrases.opens("yes", talk.message(remark)[0].marked)
    return None if is_taken or len(others) != 1 else week + timedelta(days=min(others))


def _repeated(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return what the user said of the same weekday before."""
    weekdays = talk.phrases.weekdays(remark.plain)
    said = (one for one in talk.before(remark) if one.said_by == "user")
    return next((one for one in said if talk.phrases.weekdays(one.plain) & weekdays), None)


def day_kept(talk: ThreadTalk, remark: Remark) -> date | None:
    """“I can't make ten tomorrow. Could we do half past four?”"""
    earlier = [r for r in talk.message(remark) if r.place < remark.place and says_when(talk, r)]
    kept = [r for r in earlier[-1:] if has_hour(r.marked) or not talk.has(r, "refused")]  # “Friday is full.”
    return whole_day(kept[0], talk.phrases) if kept else None


def hours_given_up(talk: ThreadTalk, remark: Remark) -> list[Remark]:
    """Return what says before it that an hour will not do."""
    given_up = (one for one in talk.before(remark) if talk.has(one, "unplanned", "cancelled", "refused"))
    return [one for one in given_up if has_hour(one.marked)]


def day_of_the_hour(talk: ThreadTalk, remark: Remark) -> date | None:
    """“About tomorrow, we can't make ten. Is there another time?” – “Half past eleven.”"""
    if not has_hour(remark.marked) or is_dated(talk, remark):
        return None
    days = (whole_day(one, talk.phrases) for one in hours_given_up(talk, remark))
    return next((day for day in days if day), None)


def day_put_right(talk: ThreadTalk, remark: Remark, answer: Remark) -> date | None:
    """“Saturday morning?” – “Saturday at ten.” – “Saturday the fifth, then, I'm away this Saturday.”"""
    weekdays = talk.phrases.weekdays(remark.plain) | talk.phrases.weekdays(answer.plain)
    reply = next((one for one in talk.after(answer)[:2] if talk.phrases.weekdays(one.plain)), None)
    if reply is None or talk.asks(reply) or talk.phrases.wants_more(reply.plain):
        return None
    day = due_day(reply, talk.phrases) if talk.has(reply, "concluded") else None
    return day if day and talk.phrases.weekdays(reply.plain) == weekdays == {day.weekday()} else None


def day_offered(talk: ThreadTalk, remark: Remark) -> date | None:
    """“Can you come today at five?” – “I can't at five.” – “Half past six?”, “Tuesday at ten?” – “Ten's too
    early.”, or “In the afternoon?” – “Half past eleven?”"""
    between = talk.before(remark)
    if not has_hour(remark.marked) or any(is_dated(talk, one) for one in (remark, *between)):
        return None
    earlier = [one for r in between[:1] for one in talk.before(r) if has_hour(one.marked)]
    offered = [one for one in earlier if talk.asks(one) or talk.has(one, "concluded")]
    if not offered:
        return None
    minds_the_hour = any(
        repeats_the_hour(talk, offered[-1], one) or talk.has(one, "other_time") for one in between
    )
    day = whole_day(offered[-1], talk.phrases)
    return day or (due_day(offered[-1], talk.phrases) if minds_the_hour else None)


def day_spoken_of(talk: ThreadTalk, remark: Remark, answer: Remark) -> date | None:
    """“I can do Wednesday the ninth.” – “What time?” – “Quarter past two?”"""
    if not has_hour(remark.marked) or any(talk.phrases.weekdays(one.plain) for one in (remark, answer)):
        return None
    said = [one for one in talk.remarks[: remark.place] if remark.position - one.position <= SHORTLY]
    named = next((one for one in reversed(said) if _names_one(talk, one)), None)
    if named is None or is_no_wish(talk, named):
        return None
    between = [one for one in said if one.place > named.place]
    only_asks = all(talk.asks(one) or talk.phrases.opens("yes", one.marked) for one in between)
    return due_day(named, talk.phrases) if only_asks else None


def _names_one(talk: ThreadTalk, remark: Remark) -> bool:
    """Count a weekday that may be of two weeks, too: no day before it is meant."""
    return bool(talk.phrases.weekdays(remark.plain)) or due_day(remark, talk.phrases) is not None


def day_in_week_given_up(talk: ThreadTalk, remark: Remark, answer: Remark) -> date | None:
    """“For Saturday the fifth, please. Oh no, wait, that's too tight.” – “The Friday evening, then?” is of
    that week, however far ahead."""
    weekdays = talk.phrases.weekdays(remark.plain) or talk.phrases.weekdays(answer.plain)
    before = talk.remarks[max(0, remark.place - 2 * _NEAR) : remark.place] if len(weekdays) == 1 else ()
    dated = ((one, due_day(one, talk.phrases)) for one in before)
    far = [(one, day) for one, day in dated if day is not None and (day - one.said_on).days > _A_WEEK]
    numbered = any(talk.phrases.numbers_of_days(one.plain, one.marked) for one in (remark, answer))
    if numbered or not far:
        return None
    named, given_up = far[-1]
    behind = (one for one in before if one.said_by == "user" and one.place > named.place)
    if not any(puts_right(talk, one) for one in behind):
        return None
    day = given_up + timedelta(days=min(weekdays) - given_up.weekday())
    return day if day != given_up and day > remark.said_on else None
