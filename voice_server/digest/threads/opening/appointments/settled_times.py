"""A day and hour with which the agent ends the search for a time, whatever words it was looked for in.

“Then between two and four tomorrow.” – “Great.” stands, and so does “Tuesday at ten?” – “Make it half past.”
– “Half past ten on Tuesday.”
"""

from datetime import date, timedelta

from voice_server.digest.threads.opening.appointments.assents import is_mere_yes, takes_nothing
from voice_server.digest.threads.opening.appointments.times import (
    LONGEST_AGAIN,
    LONGEST_CHOICE,
    repeats,
    words_of_hours,
)
from voice_server.digest.threads.opening.appointments.wishes import WISHES, tells_when_open
from voice_server.digest.threads.opening.candidate import Candidate, of_exchange, of_remark
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day, whole_day
from voice_server.digest.threads.speech.phrases import Kind, has_hour
from voice_server.digest.threads.speech.references import says_when
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_A_PLACE = 2  # matters of “Back room, …”
_OTHERWISE: tuple[Kind, ...] = (
    "refused", "cancelled", "doubt", "waiting", "unplanned", "opens_at", "promise", "farewell",
)  # fmt: skip


def settled_time(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    if _is_noted(talk, remark):
        return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)
    if remark.said_by != "agent" or not _is_all_of_a_time(talk, remark) or tells_when_open(talk, remark):
        return None
    replies, said = talk.after(remark), talk.before(remark)
    if any(is_left_open(talk, reply) for reply in replies[:1]):
        return None
    wish = _wish_for_another_hour(talk, remark)
    if wish is not None:
        return of_exchange(talk, wish, remark, "plan", appointment=True)
    if said and not (talk.has(remark, "concluded") or any(_is_of_a_time(talk, one) for one in said)):
        return None
    yes = replies[0] if replies and is_mere_yes(talk, replies[0]) else None
    return of_exchange(talk, remark, yes, "plan", appointment=True) if yes is not None else None


def _is_noted(talk: ThreadTalk, remark: Remark) -> bool:
    """“I've only got that on Wednesday the sixteenth.” – “Do that. Same time.” – “Back room, Wednesday the
    sixteenth of December, seven o'clock.”"""
    said = talk.before(remark) if remark.said_by == "agent" and not talk.asks(remark) else ()
    goes_ahead = any(talk.phrases.opens("yes", one.marked) or talk.has(one, "taken") for one in said)
    numbers = talk.phrases.numbers_of_days(remark.plain, remark.marked) if goes_ahead else frozenset()
    is_full = bool(numbers) and bool(talk.phrases.weekdays(remark.plain)) and has_hour(remark.marked)
    if not is_full or len(remark.text.split()) > LONGEST_AGAIN + LONGEST_CHOICE:
        return False
    beside = talk.undated(remark) - words_of_hours(talk, remark) - talk.phrases.numbers_in_words(remark.plain)
    is_open = any(is_left_open(talk, reply) for reply in talk.after(remark)[:1])
    return len(beside) <= _A_PLACE and not (is_open or talk.has(remark, *_OTHERWISE))


def is_left_open(talk: ThreadTalk, reply: Remark) -> bool:
    return talk.asks(reply) or (takes_nothing(talk, reply) and not is_mere_yes(talk, reply))


def _is_of_a_time(talk: ThreadTalk, said: Remark) -> bool:
    """Tell whether somebody looks for one: not “When's the market?”, nor “Tell me when the funeral is.”"""
    is_wish = talk.has(said, *WISHES, "asked_when", "permission", "errand") or says_when(talk, said)
    return is_wish or talk.phrases.opens("yes", said.marked)


def _is_all_of_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    """“Then between two and four tomorrow.”, not “The bus goes at ten tomorrow.”"""
    if not has_hour(remark.marked) or len(remark.text.split()) > LONGEST_AGAIN or talk.asks(remark):
        return False
    day = whole_day(remark, talk.phrases) or due_day(remark, talk.phrases)
    if day is None or day < remark.said_on or not _is_sure(talk, remark, day):
        return False
    window = talk.find("window", remark.marked)
    hours = talk.phrases.matters(remark.plain[slice(*window.span())]) if window else frozenset[str]()
    beside = talk.undated(remark) - words_of_hours(talk, remark) - hours
    return not beside and not talk.has(remark, *_OTHERWISE)


def _is_sure(talk: ThreadTalk, remark: Remark, day: date) -> bool:
    """“Tuesday at ten”, “tomorrow at ten”, not “in a fortnight, the fourth”, or “Thursday 26” a week before
    it."""
    numbers = talk.phrases.numbers(remark.plain)
    is_near = day - remark.said_on <= timedelta(days=1)
    is_named = is_near or bool(talk.phrases.weekdays(remark.plain)) or day.day in numbers
    others = len(talk.clocks(remark)) > 1 and not talk.has(remark, "window")
    return is_named and (not others or day.day in numbers) and not talk.phrases.is_recurring(remark.plain)


def _wish_for_another_hour(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return “Make it half past.” between the offer of an hour and another of the same day."""
    wishes = talk.before(remark)
    is_brief = sum(len(one.text.split()) for one in wishes) <= LONGEST_CHOICE
    offers = talk.before(wishes[0]) if wishes and is_brief else ()
    of_its_day = [one for one in offers if has_hour(one.marked) and repeats(talk, one, remark)]
    is_other = any(talk.clocks(one).isdisjoint(talk.clocks(remark)) for one in of_its_day)
    return wishes[-1] if is_other and not talk.phrases.opens("no", wishes[0].marked) else None
