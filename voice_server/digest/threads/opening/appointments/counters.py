"""Another time than the one offered, behind the reason why that will not do."""

from voice_server.digest.threads.opening.appointments.times import (
    BRIEF_ANSWER,
    repeats,
    repeats_the_hour,
    words_of_hours,
)
from voice_server.digest.threads.speech.due import due_day, whole_day
from voice_server.digest.threads.speech.phrases import ends_a_sentence
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place

_FEW_MATTERS = 1  # beside a time that is asked for: “With Ann on Friday?”


def is_reason(talk: ThreadTalk, remark: Remark) -> bool:
    """“Can you come on Thursday at nine?” – “Thursday I drop the kids off at nine. Half past nine?”"""
    asked = _asked_behind(talk, remark)
    return asked is not None and any(_is_other(talk, offer, remark, asked) for offer in talk.before(remark))


def other_time(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return the end of “at four we close early today tomorrow morning”, which nobody punctuated, behind the
    time that was offered."""
    parts = _parts(talk, remark) if talk.before(remark) else None
    is_other = parts is not None and any(_is_other(talk, offer, *parts) for offer in talk.before(remark))
    return parts[1] if parts is not None and is_other else None


def counters(talk: ThreadTalk, offer: Remark, reply: Remark) -> bool:
    """Tell whether a reply does either to this offer."""
    asked, parts = _asked_behind(talk, reply), _parts(talk, reply)
    is_reason = asked is not None and _is_other(talk, offer, reply, asked)
    return is_reason or (parts is not None and _is_other(talk, offer, *parts))


def _asked_behind(talk: ThreadTalk, reason: Remark) -> Remark | None:
    asked = talk.sentence_after(reason)
    if asked is None or not talk.asks(asked) or talk.asks(reason) or not _says_something(talk, reason):
        return None
    is_brief = len(talk.undated(asked) - words_of_hours(talk, asked)) <= _FEW_MATTERS
    return asked if is_brief else None


def _parts(talk: ThreadTalk, remark: Remark) -> tuple[Remark, Remark] | None:
    """Part what nobody punctuated before the last time it names, if it ends with that."""
    last = None if ends_a_sentence(remark.text) else talk.phrases.last_time(remark.marked)
    if last is None:
        return None
    behind = from_place(remark, last.end())
    reason, asked = between(remark, 0, last.start()), from_place(remark, last.start())
    is_end = len(behind.text.split()) < BRIEF_ANSWER and not talk.undated(behind)
    return (reason, asked) if is_end and _says_something(talk, reason) else None


def _says_something(talk: ThreadTalk, reason: Remark) -> bool:
    """“At four we close early”, not “Thursday's fine”."""
    if talk.phrases.opens("yes", reason.marked) or talk.has(reason, "taken", "stays"):
        return False
    return bool(talk.undated(reason) - words_of_hours(talk, reason)) or talk.has(reason, "no", "unplanned")


def _is_other(talk: ThreadTalk, offer: Remark, reason: Remark, asked: Remark) -> bool:
    return _names_it(talk, offer, reason) and _is_another_time(talk, offer, asked)


def _names_it(talk: ThreadTalk, offer: Remark, reason: Remark) -> bool:
    if repeats(talk, offer, reason) or repeats_the_hour(talk, offer, reason):
        return True
    day = whole_day(reason, talk.phrases)
    return day is not None and day == whole_day(offer, talk.phrases)


def _is_another_time(talk: ThreadTalk, offer: Remark, asked: Remark) -> bool:
    hours, offered = talk.clocks(asked), talk.clocks(offer)
    is_other_hour = bool(hours and offered) and hours.isdisjoint(offered)
    weekdays, known = talk.phrases.weekdays(asked.plain), talk.phrases.weekdays(offer.plain)
    if weekdays:
        return is_other_hour or weekdays.isdisjoint(known)
    day = due_day(asked, talk.phrases)
    return is_other_hour or (day is not None and day != due_day(offer, talk.phrases))
