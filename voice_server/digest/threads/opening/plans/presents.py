"""The day of what is told in plain present: “I'm talking to my boss on Monday”, “er kommt am Sonntag”.

Of a day that may be past or to come, a verb in the present says that it is to come.
"""

import re
from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from voice_server.digest.dates.dates import tells_of_the_past
from voice_server.digest.threads.opening.candidate import Candidate, of_exchange, of_remark
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day, feast_day, whole_day
from voice_server.digest.threads.speech.phrases import Kind
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place

_IN_PRESENT: tuple[Kind, ...] = ("visits", "in_present")
_NOT_SAID: tuple[Kind, ...] = ("doubt", "agreed_on", "reminding")  # “You said he comes on Friday.”
_NO_PLAN: tuple[Kind, ...] = ("not_done", "missed", "unplanned", "cancelled", "refused")
_NEAR = 4  # remarks before, in which a day may be spoken of


def told_in_present(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read it as a plan, also for today where somebody else comes; a day that the question names is told with
    it."""
    found = _found(talk, remark)
    if found is None or talk.asks(remark) or talk.has(remark, *_NOT_SAID) or _is_for_a_case(talk, remark):
        return None
    said = from_place(remark, found.start())
    is_corrected = talk.has(said, "correction") and not talk.has(remark, "after_all")
    if is_corrected or talk.has(said, *_NO_PLAN) or talk.phrases.is_recurring(said.plain):
        return None
    if not _names_its_day(talk, said):
        return _on_the_day_asked_for(talk, remark)
    day = _day_of(talk, said, remark)
    first = remark.said_on if talk.has(remark, "visits") else None
    if day is None or day < remark.said_on or (day == remark.said_on != first):
        return None
    if _is_why_not(talk, between(remark, 0, found.start()), day):
        return None
    made = of_remark(talk, remark, "plan", quoting.quote(remark, found.start()), appointment=True)
    return replace(made, thread=replace(made.thread, due=day))


def _is_why_not(talk: ThreadTalk, lead: Remark, day: date) -> bool:
    """Find it in “The blood test on Monday we can't make on Monday we're driving the kids to the station”"""
    is_off = talk.has(lead, "unplanned", "cancelled", "refused")
    return is_off and day.weekday() in talk.phrases.weekdays(lead.plain)


def _day_of(talk: ThreadTalk, said: Remark, remark: Remark) -> date | None:
    """Return the day from the subject on, or its date before: “on the twelfth, a Saturday, they come”."""
    day = due_day(said, talk.phrases) or feast_day(said, talk.phrases)
    dated = due_day(remark, talk.phrases)
    return dated if day and dated and dated.weekday() == day.weekday() else day


def _found(talk: ThreadTalk, remark: Remark) -> re.Match[str] | None:
    """Return the words from the subject to the day, unless their verb is of the past after all: “parlò”."""
    put_right = talk.has(remark, "after_all", "mistaken")  # “I got it wrong, the play's on Thursday.”
    kinds: tuple[Kind, ...] = (*_IN_PRESENT, "is_on") if put_right else _IN_PRESENT
    found = next((one for kind in kinds if (one := talk.find(kind, remark.marked))), None)
    if found is None:
        return None
    is_over = tells_of_the_past(between(remark, *found.span()).text, talk.phrases.tag)
    return None if is_over else found


def _is_for_a_case(talk: ThreadTalk, remark: Remark) -> bool:
    """“We're at my sister's for Christmas if she's well.”"""
    said = (word.strip(".,;:!?") for word in remark.text.lower().split())
    return not {*talk.phrases.file.conditions.split()}.isdisjoint(said)


def _names_its_day(talk: ThreadTalk, remark: Remark) -> bool:
    names_a_feast = talk.phrases.feast(remark.plain) is not None
    return names_a_feast or bool(talk.days(remark)) or whole_day(remark, talk.phrases) is not None


def _on_the_day_asked_for(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """“Any plans for today?” – “My granddaughter is coming at four.”"""
    asked = (one for one in talk.before(remark) if talk.asks(one) and talk.has(one, "asked_plans"))
    named = ((one, due_day(one, talk.phrases) or whole_day(one, talk.phrases)) for one in asked)
    return next((_told_on(talk, one, remark, day) for one, day in named if day), None)


def comes_at_an_hour(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “From four today.” – “Okay, I'll come about five.”; where no day was spoken of, it is today.
    Read the agent's hour, too: “I can come tomorrow, between eight and ten.” – “I leave at nine.” – “I'll be
    there at eight then.”"""
    found = talk.find("comes_then", remark.marked)
    if found is None or _names_its_day(talk, remark) or talk.asks(remark):
        return None
    if talk.has(remark, "doubt") or talk.has(from_place(remark, found.start()), "correction", *_NO_PLAN):
        return None
    said = talk.before(remark)
    if remark.said_by == "agent":
        offer = _own_window(talk, said, remark)
    else:
        offer = next((one for one in reversed(said) if _leaves_the_hour(talk, one, remark)), None)
    if offer is None:
        return None
    day = due_day(offer, talk.phrases) or whole_day(offer, talk.phrases)
    is_of_today = talk.has(offer, "opens_at") and not _speaks_of_days(talk, offer)
    day = day or (remark.said_on if is_of_today else None)
    return _told_on(talk, offer, remark, day) if day and day >= remark.said_on else None


def _own_window(talk: ThreadTalk, said: Sequence[Remark], remark: Remark) -> Remark | None:
    """Return “Tomorrow, between eight and ten”, said by who comes, where only its hours are minded."""
    minds_it = any(talk.has(one, "cancelled", "refused") or talk.days(one) for one in said)
    before = talk.before(said[0]) if said and not minds_it else ()
    comes = (one for one in reversed(before) if talk.has(one, "window") and talk.has(one, "proposal"))
    is_of_it = (one for one in comes if not talk.has(one, "opens_at", "refused", "cancelled", "has_on"))
    return next((one for one in is_of_it if talk.clocks(remark) <= talk.clocks(one)), None)


def _leaves_the_hour(talk: ThreadTalk, offer: Remark, remark: Remark) -> bool:
    """“You can come this afternoon at three”, “from four”, not “Could you come at four?” – “I'll come at
    six.”"""
    if talk.has(offer, "refused", "cancelled", "unplanned"):
        return False
    hours, is_open = talk.clocks(offer), talk.has(offer, "opens_at")
    is_day = bool(talk.days(offer)) or whole_day(offer, talk.phrases) is not None
    return is_open or bool(hours and hours <= talk.clocks(remark)) or (is_day and not hours)


def _speaks_of_days(talk: ThreadTalk, offer: Remark) -> bool:
    near = talk.remarks[max(0, offer.place - _NEAR) : offer.place + 1]
    return any(talk.days(one) or talk.phrases.weekdays(one.plain) for one in near)


def _told_on(talk: ThreadTalk, asked: Remark, remark: Remark, day: date) -> Candidate:
    made = of_exchange(talk, asked, remark, "plan", appointment=True)
    return replace(made, thread=replace(made.thread, due=day))
