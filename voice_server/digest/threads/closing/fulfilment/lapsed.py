"""Small undertakings without a day that are over because their own day or call is: “I'll let the kitchen
know”, “I'll send it right now”, “She'll call you before six”; and plans whose day was not certain, once it
must be over: “my test is on Friday week”.

By the next call, on a later day, they are done or matter no more, unless the caller speaks of the matter.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from voice_server.digest.dates.dates import undated
from voice_server.digest.threads.closing.earlier import ThreadWords, last_said
from voice_server.digest.threads.speech.phrases import Phrases
from voice_server.digest.threads.speech.talk import ThreadTalk
from voice_server.domain.digest import EarlierThread

_BRIEF = 7  # words of what is done in passing
_LATEST_WEEKDAY = timedelta(weeks=3)  # before which a weekday is that is either of two: “Friday week”
_SOON = timedelta(weeks=1)  # in which an appointment is that is known by its hour alone


def lapsed(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    today = talk.remarks[0].said_on
    yield from (one for one in threads if _was_before_a_visit(one, today, talk.phrases))
    yield from (one for one in threads if _was_for_a_visit(one, today, talk))
    for one in threads:
        said_on = one.thread.said_on
        if said_on is None or one.thread.due is not None or said_on >= today:
            continue
        is_of_an_hour = _names_an_hour_alone(one.thread, talk.phrases)
        latest = _latest(one.thread, talk.phrases, is_of_an_hour=is_of_an_hour)
        was_then = latest is not None and one.thread.kind == "plan" and today - said_on >= latest
        is_over = _is_in_passing(one.thread, talk.phrases) or (is_of_an_hour and one.thread.kind == "promise")
        if was_then or (is_over and not _is_spoken_of(one, talk)):
            yield one


def _was_before_a_visit(one: ThreadWords, today: date, phrases: Phrases) -> bool:
    """“He'll ring you half an hour before”, when the day of the visit is over."""
    due = one.thread.due
    is_over = one.thread.kind == "promise" and due is not None and due < today
    said = phrases.marked(last_said(one.thread, phrases))
    return is_over and (phrases.has("beforehand", said) or phrases.has("day_before", said))


def _was_for_a_visit(one: ThreadWords, today: date, talk: ThreadTalk) -> bool:
    """“I'll bring the tyres along”, when the day of the visit is over and nobody speaks of them; not “I'll
    bring it on Monday”."""
    thread, phrases = one.thread, talk.phrases
    if thread.kind != "promise" or thread.said_by != "user" or thread.due is None or thread.due >= today:
        return False
    plain = last_said(thread, phrases)
    marked = phrases.marked(plain)
    names_a_day = bool(phrases.days(plain, marked) or phrases.weekdays(plain))
    return phrases.has("brings_along", marked) and not names_a_day and not _is_spoken_of(one, talk)


def _is_in_passing(thread: EarlierThread, phrases: Phrases) -> bool:
    """“I'll tell her”, not “I'll tell the landlord that it needs a repair.”"""
    said = last_said(thread, phrases).strip('"')
    if thread.kind != "promise":
        return False
    marked = phrases.marked(said)
    is_brief = len(said.split()) <= _BRIEF
    is_now = phrases.has("at_once", marked) and not (phrases.awaits(said) or phrases.has("call_back", marked))
    return is_now or (is_brief and phrases.has("in_passing", marked))


def _latest(thread: EarlierThread, phrases: Phrases, *, is_of_an_hour: bool) -> timedelta | None:
    """Return after how long a plan is over whose day is not certain."""
    plain = phrases.plain(undated(thread.text))
    names_one = len(phrases.weekdays(plain)) == 1 and not phrases.is_recurring(plain)
    return _SOON if is_of_an_hour else _LATEST_WEEKDAY if names_one else None


def _names_an_hour_alone(thread: EarlierThread, phrases: Phrases) -> bool:
    plain = phrases.plain(undated(thread.text))
    marked = phrases.marked(plain)
    names_more = phrases.days(plain, marked) or phrases.weekdays(plain) or phrases.is_recurring(plain)
    return thread.kind in ("promise", "plan") and phrases.has("time", marked) and not names_more


def _is_spoken_of(one: ThreadWords, talk: ThreadTalk) -> bool:
    """Nobody can list how people complain: “I'm waiting for that invoice.”"""
    said = (remark for remark in talk.remarks if remark.said_by == "user")
    return not talk.matters(*said).isdisjoint(one.own | one.around)
