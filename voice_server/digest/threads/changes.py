"""What a conversation changes about threads: what it opens, what it settles, and what it says of the rest.

messages → remarks → opened, closed by it, followed up in it
"""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from voice_server.digest.dates.dates import names_a_day, undated
from voice_server.digest.language.calendar_names import MONTHS_OF_ALL
from voice_server.digest.language.stems import words
from voice_server.digest.threads.closing.closing import closed_by
from voice_server.digest.threads.closing.earlier import ThreadWords, thread_words
from voice_server.digest.threads.closing.follow_ups import follow_ups
from voice_server.digest.threads.closing.hanging import hung_on
from voice_server.digest.threads.closing.rescheduling.calling_off import is_agreed
from voice_server.digest.threads.opening.corrections.days_instead import after_today, in_week_of
from voice_server.digest.threads.opening.corrections.wished_days import (
    granted_instead,
    is_put_off_before,
    on_day_instead,
    wishes_that_week,
)
from voice_server.digest.threads.opening.opening import left_open
from voice_server.digest.threads.opening.purposes import with_purpose
from voice_server.digest.threads.speech.due import with_span
from voice_server.digest.threads.speech.phrases import Phrases, folded, has_hour, phrases_of
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import ThreadTalk
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, FollowUp, KeyMoment, OpenThread


class ThreadChanges(Struct, frozen=True):
    """`closes` are the ids of earlier threads, in their order."""

    opened: tuple[OpenThread, ...] = ()
    closes: tuple[int, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


def thread_changes(
    messages: Sequence[Message],
    language: str,
    timezone: ZoneInfo,
    *,
    open_before: Sequence[EarlierThread] = (),
    quotes: Sequence[KeyMoment] = (),
    names: frozenset[str] = frozenset(),
    is_call: bool = True,
) -> ThreadChanges:
    """Return what changes; nothing in a language (BCP 47) that has no phrases. `open_before` are threads that
    earlier conversations left open, `quotes` what is quoted of this one, `names` the words of those by which
    the two are known. `is_call`: the two speak, and do not write."""
    phrases = phrases_of(language)
    if phrases is None:
        return ThreadChanges()
    talk = ThreadTalk(messages, phrases, timezone)
    opened = left_open(talk)
    called = phrases.matters(folded(" ".join(names)))
    earlier = [thread_words(one, phrases, called) for one in open_before]
    opened = _without_what_holds(opened, earlier, phrases)
    opened = tuple(_off_a_day_put_off(one, talk) for one in opened)
    opened = tuple(_in_known_month(one, open_before, talk) for one in opened)
    closed = closed_by(earlier, talk, opened, is_call=is_call)
    given_up = [one.thread for one in earlier if one.thread.id in closed]
    opened = _with_wish_granted(opened, given_up, talk)
    opened = _with_old_day(opened, given_up, talk)
    opened = tuple(_later_in_old_month(one, given_up, talk) for one in opened)
    opened = _in_old_week(opened, given_up or _of_whose_week(earlier, talk), talk)
    still_open = [one for one in earlier if one.thread.id not in closed]
    opened = _without_todays_hour(opened, [one.thread for one in still_open], phrases)
    followed = [*follow_ups(still_open, quotes, names, phrases, timezone)]
    over = closed | _over(still_open, followed)
    over |= {one.thread.id for one in hung_on(over, earlier, opened, phrases)}
    told = _with_purposes(talk, opened, called)
    return ThreadChanges(
        tuple(with_span(thread, phrases) for thread in told),
        tuple(sorted(over)),
        tuple(one for one in followed if one.thread not in over),
    )


def _with_purposes(
    talk: ThreadTalk, opened: Sequence[OpenThread], names: frozenset[str]
) -> Iterator[OpenThread]:
    """Yield them, what was agreed on with its purpose; each turn is told once."""
    told = {position for one in opened for position in one.positions}
    for thread in opened:
        is_taken = thread.kind in ("plan", "request") and is_agreed(thread)
        is_taken = is_taken or _answers_of_it(thread, talk.phrases)
        made = with_purpose(talk, thread, names, told) if is_taken else thread
        told |= {*made.positions}
        yield made


def _answers_of_it(thread: OpenThread, phrases: Phrases) -> bool:
    """“You can send it until the 15th.” – “I'm back on the ninth, I'll send it then.”"""
    asked, is_exchange, own = thread.text.partition(ANSWERED)
    is_users = thread.kind == "promise" and thread.said_by == "user" and is_exchange != ""
    return is_users and all(
        phrases.has("pointer", phrases.marked(phrases.plain(one))) for one in (asked, own)
    )


def _over(threads: Sequence[ThreadWords], followed: Sequence[FollowUp]) -> frozenset[int]:
    """Return the ids of plans whose day had passed when they were spoken of: “I was at the doctor's
    yesterday.”"""
    plans = {one.thread.id: one.thread.due for one in threads if one.thread.kind == "plan"}
    spoken_of = ((one.thread, plans.get(one.thread), one.said_on) for one in followed)
    return frozenset(thread for thread, due, said_on in spoken_of if due is not None and due < said_on)


def _off_a_day_put_off(one: OpenThread, talk: ThreadTalk) -> OpenThread:
    """Let an hour that names no day not be of the one that will not do: “I can't on the ninth.” – “At ten?” –
    “Ten's fine.”"""
    is_hourly = is_agreed(one) and _names_an_hour_alone(one, talk.phrases)
    if not is_hourly or one.due is None or not is_put_off_before(talk, one, one.due):
        return one
    return on_day_instead(talk, replace(one, due=None), one.due)


def _in_known_month(one: OpenThread, known: Sequence[EarlierThread], talk: ThreadTalk) -> OpenThread:
    """Date “Two thirty on the 9th.” by the one appointment on a 9th, where it is to be changed: on the phone
    nobody repeats the month."""
    due, phrases = one.due, talk.phrases
    if one.kind != "plan" or due is None or not _is_of_a_change(talk, one):
        return one
    plain = phrases.plain(undated(one.text))
    is_bare = due.day in phrases.numbers_of_days(plain, phrases.marked(plain)) and not phrases.weekdays(plain)
    days = {earlier.due for earlier in known if earlier.kind == "plan" and is_bare}
    same = {day for day in days if day is not None and day.day == due.day}
    return replace(one, due=min(same)) if len(same) == 1 and min(same) > due else one


def _later_in_old_month(one: OpenThread, closed: Sequence[EarlierThread], talk: ThreadTalk) -> OpenThread:
    """Date “He's only coming on the 23rd after all.” by the one day that it puts off."""
    said = [r for r in talk.remarks if r.position in one.positions and talk.has(r, "comes_later")]
    days = {earlier.due for earlier in closed if earlier.kind == "plan" and earlier.due is not None}
    if one.kind != "plan" or not said or len(days) != 1:
        return one
    numbers, old = talk.phrases.numbers(said[-1].plain), max(days)
    later = [day for n in numbers if n > old.day and (day := _in_month_of(old, n)) is not None]
    return replace(one, due=later[0]) if len(later) == 1 else one


def _in_month_of(day: date, number: int) -> date | None:
    return day.replace(day=number) if number <= monthrange(day.year, day.month)[1] else None


def _is_of_a_change(talk: ThreadTalk, one: OpenThread) -> bool:
    """“Could we switch to the matinee, same day?”, not where a month is named: it may be of another."""
    wishes = [r for r in talk.remarks if r.said_by == "user" and r.position < one.positions[-1]]
    names_a_month = any(not MONTHS_OF_ALL.isdisjoint(words(r.text)) for r in talk.remarks)
    return not names_a_month and any(talk.has(r, "moved", "same_day") for r in wishes)


def _with_wish_granted(
    opened: Sequence[OpenThread], closed: Sequence[EarlierThread], talk: ThreadTalk
) -> tuple[OpenThread, ...]:
    """Add what is granted on a day told by the one appointment that it takes the place of, where nothing else
    is agreed on: “Could we do a week later?” – “Yes, same time.”"""
    days = _days_agreed(closed)
    is_settled = len(days) != 1 or any(is_agreed(one) for one in opened)
    granted = None if is_settled else granted_instead(talk, max(days))
    return tuple(opened) if granted is None else (*opened, granted)


def _with_old_day(
    opened: Sequence[OpenThread], closed: Sequence[EarlierThread], talk: ThreadTalk
) -> tuple[OpenThread, ...]:
    """Let what has another hour, and no day, be on the day of the one appointment it takes the place of, or
    on the one that was asked for by it."""
    days = _days_agreed(closed)
    without_day = [one for one in opened if one.due is None and is_agreed(one)]
    hourly = [one for one in without_day if _names_an_hour_alone(one, talk.phrases)]
    is_dated_anew = any(one.kind == "plan" and one.due is not None for one in opened)
    if len(days) != 1 or len(hourly) != 1 or is_dated_anew:
        return tuple(opened)
    instead = on_day_instead(talk, hourly[0], max(days))
    return tuple(instead if one is hourly[0] else one for one in opened)


def _days_agreed(threads: Sequence[EarlierThread]) -> set[date]:
    return {one.due for one in threads if is_agreed(one) and one.due is not None}


def _without_todays_hour(
    opened: Sequence[OpenThread], before: Sequence[EarlierThread], phrases: Phrases
) -> tuple[OpenThread, ...]:
    """Let what the caller does at an hour be of no day where an appointment is ahead, whose day it may be:
    “Can I drop it off in the morning already?” – “From eight.” – “I'll drop it off at eight.”"""
    agreed = [one.due for one in before if one.due is not None and is_agreed(one)]
    return tuple(
        replace(one, due=None) if agreed and _may_be_then(one, max(agreed), phrases) else one
        for one in opened
    )


def _without_what_holds(
    opened: Sequence[OpenThread], before: Sequence[ThreadWords], phrases: Phrases
) -> tuple[OpenThread, ...]:
    """Leave out what only says that an appointment holds: “And Friday's still on?” – “Yes.”"""
    agreed = [one for one in before if one.thread.due is not None and is_agreed(one.thread)]
    return tuple(one for one in opened if not _holds(one, agreed, phrases))


def _holds(one: OpenThread, agreed: Sequence[ThreadWords], phrases: Phrases) -> bool:
    plain = phrases.plain(one.text.partition(ANSWERED)[0])
    marked = phrases.marked(plain)
    found = phrases.find("still_on", marked) if one.kind == "plan" else None
    if found is None:
        return False
    beside = phrases.matters(plain[: found.start()] + plain[found.end() :])
    weekdays = phrases.weekdays(plain)
    if phrases.days(plain, marked):
        its = [known for known in agreed if _is_of_its_day(known.thread.due, one.due, weekdays)]
        days = phrases.matters(" ".join(phrases.days(plain, marked)))
        return len(its) == 1 and not beside - days
    hours = phrases.clocks(plain, marked)
    its = [known for known in agreed if hours and hours <= _clocks(known.thread, phrases)]
    return len(its) == 1 and beside <= its[0].own | phrases.numbers_in_words(plain)


def _is_of_its_day(known: date | None, due: date | None, weekdays: frozenset[int]) -> bool:
    return known is not None and (due == known or (not due and weekdays == {known.weekday()}))


def _clocks(thread: EarlierThread, phrases: Phrases) -> frozenset[str]:
    plain = phrases.plain(thread.text)
    return phrases.clocks(plain, phrases.marked(plain))


def _may_be_then(one: OpenThread, day: date, phrases: Phrases) -> bool:
    is_of_today = one.kind == "promise" and one.said_by == "user" and one.due == one.said_on < day
    calls = is_of_today and phrases.has("call_back", phrases.marked(phrases.plain(one.text)))
    names_today = names_a_day(one.text, phrases.tag)
    return is_of_today and not (calls or names_today) and _names_an_hour_alone(one, phrases)


def _of_whose_week(before: Sequence[ThreadWords], talk: ThreadTalk) -> list[EarlierThread]:
    """Return the appointment that stays, of “Could you see my daughter in that same week, too?”"""
    agreed = [one.thread for one in before if is_agreed(one.thread)]
    return [one for one in agreed if one.due is not None and wishes_that_week(talk, one.due)]


def _in_old_week(
    opened: Sequence[OpenThread], closed: Sequence[EarlierThread], talk: ThreadTalk
) -> tuple[OpenThread, ...]:
    """Let the weekday that takes the place of the one appointment there is be of its week; “The dentist is on
    Friday actually” is of the coming one."""
    moved = {one.position for one in talk.remarks if talk.has(one, "moved") and not talk.has(one, "is_on")}
    plans = [one for one in opened if one.kind == "plan" and one.due is not None]
    plans = [one for one in plans if is_agreed(one) or not moved.isdisjoint(one.positions)]
    if len(plans) != 1:
        return tuple(opened)
    today = talk.remarks[0].said_on
    days = {one.due for one in closed if one.kind == "plan" and one.due and one.due >= today}
    if len(days) != 1:
        return tuple(opened)
    day = max(days)
    dated = after_today(talk, plans[0]) if day == today else in_week_of(talk, plans[0], day)
    return tuple(dated if one is plans[0] else one for one in opened)


def _names_an_hour_alone(thread: OpenThread, phrases: Phrases) -> bool:
    plain = phrases.plain(thread.text)
    marked = phrases.marked(plain)
    return has_hour(marked) and not phrases.days(plain, marked) and not phrases.is_recurring(plain)
