"""A wish for an appointment, and what grants it."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec.structs import replace

from voice_server.digest.threads.opening.appointments.times import (
    BRIEF_ANSWER,
    LONGEST_CHOICE,
    SHORTLY,
    dictates_a_number,
)
from voice_server.digest.threads.opening.candidate import (
    Candidate,
    of_exchange,
    of_remark,
    of_remarks,
)
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import Kind, has_hour
from voice_server.digest.threads.speech.references import puts_right, says_when
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

LOOKED_FOR: tuple[Kind, ...] = ("wants_a_visit", "vacancy")
WISHES: tuple[Kind, ...] = ("proposal", "preferred", "request", *LOOKED_FOR)
_NOT_YET: tuple[Kind, ...] = ("refused", "refusal", "no", "waiting", "doubt", "deferral")  # grant no wish
_UNDECIDED: tuple[Kind, ...] = ("no", "cancelled", "waved_off", "doubt", "deferral", "waiting", "promise")


def granted_wish(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “I'd like a table on Saturday at eight.” – “Yes, that's fine. What name?”"""
    if remark.said_by != "user" or not talk.has(remark, "wants_a_visit"):
        return None
    day, replies = due_day(remark, talk.phrases), talk.after(remark)
    is_complaint = talk.has(remark, "not_done", "missed")
    if day is None or day < remark.said_on or is_complaint or is_no_wish(talk, remark):
        return None
    is_other = any(talk.clocks(one) - talk.clocks(remark) for one in replies)
    if is_other or is_put_off(talk, replies) or is_refused_later(talk, remark):
        return None  # “Sure, at eight?” only offers
    granted = next((one for one in replies if _grants_it(talk, one)), None)
    if granted is not None:
        return of_exchange(talk, remark, granted, "plan", appointment=True)
    if not _is_gone_into(talk, replies) or _ends_with(talk, remark, "call_back", "deferral"):
        return None
    return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)


def hour_of_the_wish(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “We'd like to come on Saturday.” – “What time?” – “Around seven.” – “Lovely, and the name?”"""
    asked = talk.before(remark)[-1:] if remark.said_by == "user" and not talk.asks(remark) else ()
    wish = wish_of_the_hour(talk, remark) if any(_asks_the_hour(talk, one) for one in asked) else None
    is_errand = wish is not None and talk.has(wish, "request") and not talk.has(wish, *LOOKED_FOR)
    if wish is None or is_errand or talk.has(remark, *_UNDECIDED):
        return None
    replies = talk.after(remark)
    is_other = any(talk.clocks(one) - talk.clocks(remark) for one in replies)
    if not replies or is_other or is_put_off(talk, replies) or is_refused_later(talk, wish):
        return None
    text = quoting.sentences(wish, remark)
    made = of_remarks(talk, (wish, remark), "plan", "user", text, appointment=True)
    return replace(made, thread=replace(made.thread, due=due_day(wish, talk.phrases)))


def _asks_the_hour(talk: ThreadTalk, asked: Remark) -> bool:
    return talk.asks(asked) and talk.has(asked, "asked_hour")


def _is_gone_into(talk: ThreadTalk, replies: Sequence[Remark]) -> bool:
    """“I'd like a table on Friday.” – “For how many?” – “Four.”: who asks for that refuses nothing."""
    asked = next((one for one in replies if talk.has(one, "asked_detail")), None)
    answers = talk.after(asked) if asked is not None else ()
    is_off = any(talk.asks(one) or talk.has(one, *_UNDECIDED) for one in answers)
    return bool(answers) and not is_off


def is_refused_later(talk: ThreadTalk, wish: Remark) -> bool:
    """Tell whether it ends so: “A table on Friday, please.” – “For how many?” – “Sorry, we're full.”, or “We
    close on Fridays.”"""
    days = talk.phrases.weekdays(wish.plain)
    return any(
        talk.has(one, "refused")
        or (talk.has(one, "unplanned") and not days.isdisjoint(talk.phrases.weekdays(one.plain)))
        for one in _answers(talk, wish)
    )


def _ends_with(talk: ThreadTalk, wish: Remark, *kinds: Kind) -> bool:
    return any(talk.has(one, *kinds) for one in _answers(talk, wish))


def _answers(talk: ThreadTalk, wish: Remark) -> Iterator[Remark]:
    later = takewhile(lambda one: one.position - wish.position <= SHORTLY, talk.remarks[wish.place + 1 :])
    return (one for one in later if one.said_by != wish.said_by)


def _grants_it(talk: ThreadTalk, reply: Remark) -> bool:
    if talk.has(reply, "call_back"):
        return False  # "Of course, I'll ring you by Friday."
    is_brief = len(reply.text.split()) <= BRIEF_ANSWER and talk.has(reply, "done", "noted")
    return talk.phrases.opens("yes", reply.marked) or is_brief


def tells_when_open(talk: ThreadTalk, remark: Remark) -> bool:
    """“Are you open on Friday?” – “Friday until one.”, of which the question proposes nothing, either."""
    asked = talk.before(remark) if remark.said_by == "agent" else (remark,)
    return any(talk.has(one, "asked_opening") and not talk.has(one, *LOOKED_FOR) for one in asked)


def is_put_off(talk: ThreadTalk, replies: Sequence[Remark]) -> bool:
    return any(talk.has(one, *_NOT_YET) for one in replies)


def wish_of_the_hour(talk: ThreadTalk, hour: Remark) -> Remark | None:
    """Return the wish of which the hour alone is told to who asks: “I'd like a table on Saturday.” – “For
    what time?” – “Eight o'clock.”"""
    is_alone = has_hour(hour.marked) and not talk.days(hour) and len(hour.text.split()) <= LONGEST_CHOICE
    return _wish_of_a_day(talk, hour) if is_alone and talk.before(hour) else None


def wish_gone_into(talk: ThreadTalk, reply: Remark) -> Remark | None:
    """Return the wish of which only the part of the day is told: “I'd like to come on Saturday.” – “Morning
    or afternoon?” – “In the afternoon.”"""
    is_asked = any(talk.asks(one) for one in talk.before(reply))
    is_brief = not talk.days(reply) and len(reply.text.split()) <= LONGEST_CHOICE
    return _wish_of_a_day(talk, reply) if is_asked and is_brief else None


def _wish_of_a_day(talk: ThreadTalk, reply: Remark) -> Remark | None:
    said = (one for one in talk.remarks[: reply.place] if reply.position - one.position <= SHORTLY)
    own = (one for one in said if one.said_by == reply.said_by and talk.has(one, *WISHES))
    wishes = [one for one in own if not is_no_wish(talk, one)]
    if not wishes or due_day(wishes[-1], talk.phrases) is None or _is_countered(talk, wishes[-1], reply):
        return None
    return wishes[-1]


def _is_countered(talk: ThreadTalk, wish: Remark, reply: Remark) -> bool:
    """“Any chance today?” – “Tomorrow at nine?” – “Anything after ten?” is of tomorrow."""
    between = talk.remarks[wish.place + 1 : reply.place]
    offers = [one for one in between if one.said_by != wish.said_by and has_hour(one.marked)]
    days = {due_day(one, talk.phrases) for one in offers} - {None}
    return bool(days - {due_day(wish, talk.phrases)})


def is_no_wish(talk: ThreadTalk, remark: Remark) -> bool:
    """“I can't on the fifth.”, not “I'd like a table on the fifth.”"""
    is_none = talk.has(remark, "unplanned") and not talk.has(remark, *LOOKED_FOR)
    return is_none or talk.has(remark, "cancelled", "refused", "not_then", "moved")


def wishes_for_another(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.has(remark, "correction") and talk.has(remark, "preferred")


def wishes_for_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    if dictates_a_number(talk, remark):
        return False
    if talk.has(remark, "moved") and has_hour(remark.marked):
        return True
    wishes = says_when(talk, remark) and talk.has(remark, *WISHES)
    return wishes and not _is_when_to_ring(talk, remark)


def only_recurs(talk: ThreadTalk, remark: Remark) -> bool:
    """“He comes every Sunday.”, not “I'd like ten, as always.”"""
    is_wish = talk.asks(remark) or talk.has(remark, "preferred", "request") or has_hour(remark.marked)
    return talk.phrases.is_recurring(remark.plain) and not is_wish


def is_taken_back(talk: ThreadTalk, remark: Remark) -> bool:
    """“On Monday I do. No, sorry.”"""
    after = talk.sentence_after(remark)
    return after is not None and puts_right(talk, after)


def _is_when_to_ring(talk: ThreadTalk, remark: Remark) -> bool:
    """“I'll ring you back by five.” – “At work, please, I'm there until four.”"""
    return remark.said_by == "user" and any(talk.has(one, "promise") for one in talk.before(remark))


def wishes_for_a_week(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether an appointment is looked for in the week named."""
    before = talk.before(remark)
    agreed = talk.has(remark, "yes") and any(talk.asks(one) for one in before)
    asked = agreed or any(talk.has(one, "asked_when", "asked_which_day") for one in before)
    return asked or talk.asks(remark) or talk.has(remark, "preferred")
