"""Another hour of the day that was offered or agreed on, where only the hour will not do.

“We have Friday at three.” – “At three, no, I pick up the kids.” – “Half past eleven.” – “That's good.” is of
Friday, and so is “Thursday morning, from ten.” – “In the afternoon?” – “At five.” – “Fine.” So is the hour of
an appointment that the caller moves: “It's about Saturday. Could we push it to eight?”
"""

from collections.abc import Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from voice_server.digest.language.manner import manner
from voice_server.digest.threads.opening.appointments.assents import agrees, is_mere_yes, takes_nothing
from voice_server.digest.threads.opening.appointments.other_hours import other_hour
from voice_server.digest.threads.opening.appointments.settled_times import is_left_open
from voice_server.digest.threads.opening.appointments.times import (
    BRIEF_ANSWER,
    LONGEST_AGAIN,
    begins_with_a_time,
    is_dated,
    repeats_the_hour,
    words_of_hours,
)
from voice_server.digest.threads.opening.appointments.wishes import wish_gone_into, wish_of_the_hour
from voice_server.digest.threads.opening.candidate import Candidate, of_exchange
from voice_server.digest.threads.opening.purposes import led_by
from voice_server.digest.threads.speech.due import due_day, whole_day
from voice_server.digest.threads.speech.phrases import Kind, has_hour, names_a_time
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place

_NO_OFFER: tuple[Kind, ...] = ("opens_at", "waiting", "doubt")
_MOVES: tuple[Kind, ...] = ("moved", "preferred", "correction", "other_time")
_AGAINST: tuple[Kind, ...] = ("refused", "cancelled", "unplanned", "waiting")
_FEW_MATTERS = 1  # of “Half past five is the last one.”


class OtherOffer(Struct, frozen=True):
    """The day, where its first hour was offered, and what was said against that."""

    day: date
    offer: Remark
    against: tuple[Remark, ...]


def hour_instead(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read the agent's other hour, or one of the day that was asked for, and the yes to it."""
    found = offered_instead(talk, remark)
    day = found.day if found is not None else _day_asked_for(talk, remark) or _day_kept(talk, remark)
    replies = talk.after(remark)[:1] if day is not None else ()
    taken = next((yes for reply in replies if (yes := _yes_to(talk, remark, reply)) is not None), None)
    if day is None or taken is None or (found is None and not repeats_the_hour(talk, remark, taken)):
        return None
    made = of_exchange(talk, remark, taken, "plan", appointment=True)
    return replace(made, thread=replace(made.thread, due=day))


def hour_for_the_wish(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “A table on Friday, please.” – “What time?” – “About half past seven.” – “I can do quarter to
    eight.” – “Go on, then.”"""
    if remark.said_by != "agent" or is_dated(talk, remark) or talk.has(remark, *_NO_OFFER):
        return None
    if not names_a_time(remark.marked) and talk.undated(remark) - words_of_hours(talk, remark):
        return None  # “Then three men will come.”
    wished = talk.before(remark)[-1:]
    wish = next((wish_of_the_hour(talk, one) or wish_gone_into(talk, one) for one in wished), None)
    if wish is None or len(talk.clocks(remark) - talk.clocks(wished[0])) != 1:
        return None
    taken = next((one for one in talk.after(remark)[:1] if agrees(talk, remark, one)), None)
    if taken is None or (takes_nothing(talk, taken) and not is_mere_yes(talk, taken)):
        return None
    made = of_exchange(talk, remark, taken, "plan", appointment=True)
    return replace(made, thread=replace(led_by(made.thread, wish), due=due_day(wish, talk.phrases)))


def hour_of_the_same_day(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read another hour of an appointment that was made in an earlier call, whose day nobody names: “I can't
    make half eight. Anything in the afternoon that day?” – “Quarter past four is free.” – “Lovely.” Nor does
    “Could it be a bit later?” where no day was spoken of."""
    wishes, replies = talk.before(remark), talk.after(remark)[:1]
    is_hour = len(talk.clocks(remark)) == 1 and not is_dated(talk, remark)
    if remark.said_by != "agent" or not is_hour or talk.has(remark, "opens_at", "refused"):
        return None
    said = [*talk.before(wishes[0]), *wishes, remark] if wishes else [remark]
    is_same = any(talk.has(one, "same_day") for one in (*wishes, remark))
    is_same = is_same or _is_to_be_at_another_hour(talk, remark)
    if not is_same or any(talk.phrases.weekdays(one.plain) for one in said):
        return None
    taken = next((yes for one in replies if (yes := _yes_to(talk, remark, one)) is not None), None)
    return of_exchange(talk, remark, taken, "plan", appointment=True) if taken else None


def hour_moved(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “It's about Saturday. Could we push it to eight?” – “Eight's fine.”: the hour is told alone, and
    the day is named before it."""
    about = talk.sentence_before(remark)
    is_hour = len(talk.clocks(remark)) == 1 and not is_dated(talk, remark) and talk.asks(remark)
    if remark.said_by != "user" or about is None or talk.asks(about) or not is_hour:
        return None
    beside = talk.undated(remark) - words_of_hours(talk, remark)
    most = _FEW_MATTERS if talk.has(remark, "pointer") else 0
    if not talk.has(remark, *_MOVES) or len(beside) > most:
        return None  # “Could you move my pill alarm to eight?”
    day = due_day(about, talk.phrases)
    against = talk.has(about, *_AGAINST) or talk.phrases.is_recurring(about.plain)
    if day is None or against or _wants_one_more(talk, remark):
        return None
    reply = next((one for one in talk.after(remark)[:1] if _yes_to(talk, remark, one)), None)
    if reply is None:
        return None
    made = of_exchange(talk, remark, reply, "plan", appointment=True)
    return replace(made, thread=replace(made.thread, due=day))


def _is_to_be_at_another_hour(talk: ThreadTalk, remark: Remark) -> bool:
    wishes = talk.before(remark)
    if not any(wishes_it_at_another_hour(talk, one) for one in wishes):
        return False
    is_first = not any(is_dated(talk, one) for one in talk.remarks[: remark.place])
    return is_first and not any(_wants_one_more(talk, one) for one in wishes)


def wishes_it_at_another_hour(talk: ThreadTalk, wish: Remark) -> bool:
    """“Could it be a bit later?”, not “Could I pick up my glasses later?”"""
    found = talk.find("other_time", wish.marked) if wish.said_by == "user" else None
    if any(talk.has(one, "calling") for one in talk.message(wish)):
        return False  # “Could you call a bit later?”
    return found is not None and not talk.matters(between(wish, 0, found.start()))


def _day_asked_for(talk: ThreadTalk, remark: Remark) -> date | None:
    """“Any chance of Thursday?” – “This Thursday? I've got twenty past three.”"""
    again = talk.sentence_before(remark)
    if remark.said_by != "agent" or again is None or not talk.asks(again):
        return None
    asked = [one for one in talk.before(remark) if talk.asks(one)]
    day = due_day(again, talk.phrases)
    is_brief = len(again.text.split()) <= BRIEF_ANSWER
    is_asked = is_brief and any(day is not None and day == due_day(one, talk.phrases) for one in asked)
    return day if is_asked and _is_bare_hour(talk, remark) else None


def _day_kept(talk: ThreadTalk, remark: Remark) -> date | None:
    """“Ann works till five on Thursday, can we make it later?” – “Half past five is the last one.”"""
    wishes = talk.before(remark)
    wants_another = any(talk.has(one, "other_time") for one in wishes)
    if remark.said_by != "agent" or not wants_another or talk.has(remark, "opens_at", "refused"):
        return None
    beside = talk.undated(remark) - words_of_hours(talk, remark)
    is_hour = len(talk.clocks(remark)) == 1 and not is_dated(talk, remark) and len(beside) <= _FEW_MATTERS
    days = {due_day(one, talk.phrases) for one in wishes} - {None}
    is_sure = len(days) == 1 and not any(_wants_one_more(talk, one) for one in wishes)
    return days.pop() if is_hour and is_sure else None


def wishes_for_another(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether the agent answers it with another hour of the day."""
    return any(_day_kept(talk, reply) for reply in talk.after(remark)[:1])


def _wants_one_more(talk: ThreadTalk, wish: Remark) -> bool:
    """“And one for Ann, a bit later?”, not “a bit more early”"""
    return talk.phrases.wants_more(talk.phrases.plain_besides("other_time", wish.plain, wish.marked))


def own_hour_instead(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Wednesday at five.” – “Five's tight, better half past.” – “Half past five, okay.”"""
    is_hour = has_hour(remark.marked) and len(remark.text.split()) <= LONGEST_AGAIN
    if remark.said_by != "agent" or not is_hour or talk.asks(remark) or is_dated(talk, remark):
        return None
    if talk.undated(remark) - words_of_hours(talk, remark) or talk.phrases.opens("no", remark.marked):
        return None  # “Then I'll tell him half past four.”
    wishes = talk.before(remark)
    wish = next((one for one in wishes if repeats_the_hour(talk, one, remark)), None)
    day = _day_of_another_hour(talk, wishes[0], remark) if wish is not None else None
    if wish is None or day is None or talk.has(remark, "refused", "no", "doubt", "waiting"):
        return None
    if any(other_hour(talk, one) for one in (*talk.before(wish), *wishes)):
        return None
    if any(is_left_open(talk, reply) and not talk.asks(reply) for reply in talk.after(remark)[:1]):
        return None
    made = of_exchange(talk, wish, remark, "plan", appointment=True)
    return replace(made, thread=replace(made.thread, due=day))


def _day_of_another_hour(talk: ThreadTalk, wish: Remark, remark: Remark) -> date | None:
    """Return the day of the hour offered before: of “Thursday's full, Friday at half past eight.” Friday."""
    offers = (one for one in reversed(talk.before(wish)) if has_hour(one.marked) and is_dated(talk, one))
    offer = next((one for one in offers if talk.clocks(one).isdisjoint(talk.clocks(remark))), None)
    if offer is None or talk.has(offer, "opens_at"):
        return None
    last = from_place(offer, offer.plain.rfind(",") + 1)
    is_last = len(talk.phrases.weekdays(offer.plain)) > 1 and is_dated(talk, last)
    return due_day(last if is_last else offer, talk.phrases)


def offered_instead(talk: ThreadTalk, remark: Remark) -> OtherOffer | None:
    against = talk.before(remark)
    if remark.said_by != "agent" or not against or talk.asks(remark) or not _is_bare_hour(talk, remark):
        return None
    offers = (one for one in talk.before(against[0]) if _offers_an_hour_of_a_day(talk, one))
    offer = next((one for one in offers if talk.clocks(one).isdisjoint(talk.clocks(remark))), None)
    day = (whole_day(offer, talk.phrases) or due_day(offer, talk.phrases)) if offer is not None else None
    if offer is None or day is None or not _is_only_of_the_hour(talk, offer, against, day):
        return None
    return OtherOffer(day, offer, tuple(against))


def _is_bare_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“Half past eleven.”, “In the afternoon, at five.”, not “Till six.”"""
    if not has_hour(remark.marked) or len(remark.text.split()) > LONGEST_AGAIN:
        return False
    is_one = len(talk.clocks(remark)) == 1 and talk.has(remark, "time")
    if not is_one or is_dated(talk, remark) or talk.has(remark, "opens_at", "refused"):
        return False
    return talk.undated(remark) <= words_of_hours(talk, remark) | _parts_named(talk, remark)


def _parts_named(talk: ThreadTalk, remark: Remark) -> frozenset[str]:
    """Return what was wished for just before: “Lieber nachmittags.” – “Nachmittags, um fünf.”"""
    return talk.matters(*(one for one in talk.before(remark) if talk.has(one, "preferred")))


def _offers_an_hour_of_a_day(talk: ThreadTalk, offer: Remark) -> bool:
    """“We have Friday at three.”, “Thursday morning, from ten.”, not “We close on Friday at three.”"""
    is_time = has_hour(offer.marked) and is_dated(talk, offer) and talk.has(offer, "proposal")
    is_offer = talk.has(offer, "slot", "opens_at") or begins_with_a_time(offer)
    return is_time and is_offer and not talk.has(offer, "refused", "cancelled", "doubt")


def _is_only_of_the_hour(talk: ThreadTalk, offer: Remark, against: Sequence[Remark], day: date) -> bool:
    days = {whole_day(one, talk.phrases) or due_day(one, talk.phrases) for one in against} - {None, day}
    asks_otherwise = any(talk.asks(one) and not talk.has(one, "other_time") for one in against)
    is_taken = talk.phrases.opens("yes", against[0].marked) or asks_otherwise
    more = (one for one in against if talk.phrases.wants_more(one.plain))
    wants_more = any(not talk.has(one, "other_time") for one in more)  # “mais cedo”
    if days or is_taken or wants_more or any(talk.has(one, "cancelled") for one in against):
        return False
    return any(talk.has(one, "preferred", "other_time") or _says_no_to(talk, offer, one) for one in against)


def _says_no_to(talk: ThreadTalk, offer: Remark, said: Remark) -> bool:
    """“friday at three no i pick up the kids”, “At three I work.”, not “Friday at three is fine for Ann.”"""
    if not repeats_the_hour(talk, offer, said) or talk.has(said, "yes", "taken", "stays", "booked"):
        return False
    yes_no = manner(talk.phrases.tag).yes_no
    is_no = any(yes_no.match(word) is not None for word in said.plain.split())
    beside = talk.undated(said) - words_of_hours(talk, said)
    return is_no or bool(beside) or talk.has(said, "unplanned", "has_on", "duty")


def _yes_to(talk: ThreadTalk, hour: Remark, reply: Remark) -> Remark | None:
    """Return the yes, without the question behind it: “half eleven's good do i have to fast”, “Ten it is.”"""
    found = talk.find("yes", reply.marked) or talk.find("booked", reply.marked)
    if found is None or talk.has(reply, "refused", "cancelled", "doubt"):
        return None
    head = between(reply, 0, found.end())
    beside = talk.beside(head, "yes") & talk.beside(head, "booked") - words_of_hours(talk, head)
    says_it_again = repeats_the_hour(talk, hour, head) and not beside
    is_yes = talk.phrases.opens("yes", reply.marked) and (
        agrees(talk, hour, head) or _says_no_more(talk, hour, reply)
    )
    return head if says_it_again or is_yes else None


def _says_no_more(talk: ThreadTalk, hour: Remark, reply: Remark) -> bool:
    """“Oh schön, halb fünf dann.”"""
    beside = talk.undated(reply) - words_of_hours(talk, reply)
    return repeats_the_hour(talk, hour, reply) and not beside - talk.matters(hour)
