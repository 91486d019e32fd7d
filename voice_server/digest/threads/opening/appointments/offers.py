"""What of a remark offers a time, or asks for one, rather than speaks of it."""

import re
from collections.abc import Sequence

from voice_server.digest.language.manner import manner
from voice_server.digest.threads.opening.appointments.assents import (
    echoes,
    is_mere_yes,
    offers_an_hour,
    takes_nothing,
)
from voice_server.digest.threads.opening.appointments.counters import is_reason, other_time
from voice_server.digest.threads.opening.appointments.other_hours import offers_a_time
from voice_server.digest.threads.opening.appointments.proposed_days import day_of_the_hour, hours_given_up
from voice_server.digest.threads.opening.appointments.times import (
    BRIEF_ANSWER,
    LONGEST_AGAIN,
    LONGEST_CHOICE,
    begins_with_a_time,
    names_its_day,
    names_its_hour,
    repeats,
    repeats_the_hour,
    says_its_date,
    words_of_hours,
)
from voice_server.digest.threads.speech.due import due_day, named_ahead, weeks_named, whole_day
from voice_server.digest.threads.speech.phrases import Kind, ends_a_sentence, has_hour, times_named
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place

_FEW_MATTERS = 2  # of “Could my wife come in December?”
_GRANTING: tuple[Kind, ...] = ("promise", "bare_promise", "will_do", "beforehand", "day_before", "noted")


def day_before_the_hour(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return the day of “Tuesday the eighth?” – “What time?” – “Ten past nine.”"""
    if not has_hour(remark.marked) or talk.days(remark):
        return None
    asked = [one for one in talk.before(remark) if talk.has(one, "asked_detail") and talk.asks(one)]
    is_of_it = bool(asked) and len(asked[0].text.split()) <= BRIEF_ANSWER
    is_of_it = is_of_it and not any(talk.has(one, "no", "refused") for one in talk.message(asked[0]))
    offered = [one for one in talk.before(asked[0]) if talk.days(one)] if is_of_it else []
    offered = [one for one in offered if talk.has(one, "proposal")]
    return offered[-1] if offered and offered[-1].said_by == remark.said_by else None


def takes_it_back(talk: ThreadTalk, more: Remark) -> bool:
    """Tell so of “Twelve and five are both no good.”, behind a yes."""
    return has_hour(more.marked) or talk.has(
        more, "time", "no", "refused", "cancelled", "doubt", "correction"
    )


def _yes_before_more(talk: ThreadTalk, reply: Remark) -> Remark:
    """“Thursday at ten past nine.” – “fine and is it Dr Smit”, “yeah okay and how much is it”."""
    found = talk.find("yes", reply.marked)
    rest = re.finditer(r"\S+", reply.plain[found.end() :]) if found else ()
    known = manner(talk.phrases.tag)
    more = next((word for word in rest if word[0] in known.joints or word[0] not in known.idle_words), None)
    goes_on = more is not None and more[0] in talk.phrases.adding
    return between(reply, 0, found.end()) if found and goes_on else reply


def is_proposed(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    """Tell whether the time in a remark is offered, or asked for, as the `replies` take it."""
    behind = (r for r in talk.message(remark) if r.place > remark.place)
    suits = is_of_a_time(talk, remark) and any(talk.has(r, "suits") for r in behind)
    asked = talk.asks(remark) or talk.has(remark, "offer") or suits
    only_yes = all(
        is_mere_yes(talk, _yes_before_more(talk, reply)) or _is_granted_besides(talk, reply)
        for reply in replies
    )
    asked = asked or (
        _gives_a_time(talk, remark) and (only_yes or _offers_what_nobody_minds(talk, remark, replies))
    )
    asked = (
        asked
        or _asks_instead(talk, remark)
        or offers_an_hour(talk, remark)
        or _offers_another_hour(talk, remark, replies)
        or _offers_a_later_hour(talk, remark)
        or _offers_the_same_hour(talk, remark)
        or _dates_a_move(talk, remark)
        or day_before_the_hour(talk, remark) is not None
        or _is_the_only_hour(talk, remark)
        or _is_preferred(talk, remark, replies)
        or ((says_they_talk(talk, remark) or _concludes(talk, remark)) and only_yes)
    )
    is_taken_up = any(
        _takes_up(talk, remark, reply) or talk.has(reply, "taken", "that_one") for reply in replies
    )
    takes_up = has_hour(remark.marked) and any(
        repeats(talk, before, remark) for before in talk.before(remark)
    )
    return asked or is_taken_up or takes_up or any(_asks_when(talk, before) for before in talk.before(remark))


def _is_preferred(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    """Tell so of “My aunt would rather come at half past eight.” – “The 14th at half past eight, fine.”"""
    wishes = remark.said_by == "user" and talk.has(remark, "preferred") and has_hour(remark.marked)
    return wishes and any(repeats_the_hour(talk, remark, reply) for reply in replies)


def _is_the_only_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“We're nine now.” – “It would have to be eight.”, not “When's the train?” – “It has to be at eight.”"""
    asked = [one for one in talk.before(remark) if talk.asks(one)]
    is_of_a_time = all(talk.has(one, "time", "moved", "preferred", "other_time") for one in asked)
    return remark.said_by == "agent" and talk.has(remark, "has_to_be") and is_of_a_time


def _offers_what_nobody_minds(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    """“I can do Wednesday at eight, it's ninety pounds.” – “A hundred and fourteen, all in. Go on.”"""
    *before, answer = replies
    is_taken = talk.has(remark, "slot") and is_mere_yes(talk, answer)
    return is_taken and not any(minds(talk, reply) for reply in before)


def minds(talk: ThreadTalk, reply: Remark) -> bool:
    """Tell whether a reply goes against what was offered: “I'm at work then.”, “Could it be later?”"""
    goes_against = talk.phrases.behind_but(reply.marked) != reply.marked or takes_nothing(talk, reply)
    return goes_against or talk.asks(reply) or is_reason(talk, reply) or other_time(talk, reply) is not None


def _concludes(talk: ThreadTalk, remark: Remark) -> bool:
    """“Thursday afternoon?” – “It'll have to be the morning.” – “Thursday morning, then.”"""
    is_brief = len(remark.text.split()) <= LONGEST_AGAIN and not talk.undated(remark)
    asked = [one for before in talk.before(remark) for one in talk.before(before) if talk.asks(one)]
    is_one = remark.said_by == "agent" and is_brief and talk.has(remark, "concluded")
    return is_one and any(
        talk.phrases.weekdays(one.plain) & talk.phrases.weekdays(remark.plain) for one in asked
    )


def _is_granted_besides(talk: ThreadTalk, reply: Remark) -> bool:
    """“Thursday between eight and ten.” – “Fine, but ring first.” – “We'll ring half an hour before.”"""
    buts = talk.phrases.file.but.split()
    but = next((word for word in re.finditer(r"\w+", reply.plain) if word[0] in buts), None)
    answer = next(iter(talk.after(reply)), None)
    if but is None or answer is None or not talk.phrases.opens("yes", reply.marked):
        return False
    is_granted = talk.phrases.opens("yes", answer.marked) or talk.has(answer, *_GRANTING)
    is_open = talk.asks(answer) or talk.days(answer) or talk.has(answer, "refused", "no")
    more = from_place(reply, but.end())
    is_none = takes_it_back(talk, more) or takes_nothing(talk, more) or talk.has(more, "unable")
    return is_granted and not (is_open or is_none)


def says_they_talk(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell so of “shall we talk again on friday”, not “hablamos el lunes de la factura no”"""
    if remark.said_by != "agent" or not talk.has(remark, "next_talk"):
        return False
    is_ahead = bool(talk.days(remark)) and due_day(remark, talk.phrases) is not None
    is_told = talk.has(remark, "promise", "call_back", "refused", "cancelled", "doubt")
    return is_ahead and not is_told and not talk.undated(remark) & talk.beside(remark, "next_talk")


def _asks_instead(talk: ThreadTalk, remark: Remark) -> bool:
    """“We're full that weekend.” – “The 11th to the 13th, then.”, “nein morgen nicht” – “und donnerstag”"""
    before = talk.before(remark)
    if remark.said_by == "agent":
        is_unmarked = not ends_a_sentence(remark.text) and len(remark.text.split()) <= BRIEF_ANSWER
        is_refused = is_unmarked and any(_cannot_then(talk, one) for one in before)
    else:
        is_refused = any(talk.has(one, "refused") for one in before)
    return is_refused and begins_with_a_time(remark)


def _cannot_then(talk: ThreadTalk, remark: Remark) -> bool:
    """“können sie morgen kommen” – “nein morgen nicht”, not “siete aperti domani” – “no”"""
    asked = [one for one in talk.before(remark) if talk.has(one, "proposal")]
    is_no = manner(talk.phrases.tag).yes_no.match(remark.text) is not None or talk.has(remark, "unplanned")
    return is_no and talk.has(remark, "time") and any(not talk.has(one, "unplanned") for one in asked)


def _offers_another_hour(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    """“Saturday at ten?” – “A bit later?” – “Quarter to twelve.” – “Yes, please.”"""
    before = talk.before(remark)
    beside = talk.undated(remark) - words_of_hours(talk, remark)
    is_bare = len(remark.text.split()) <= BRIEF_ANSWER and not beside
    is_hour = remark.said_by == "agent" and is_bare and has_hour(remark.marked)
    offered = any(offers_a_time(talk, one) for first in before[:1] for one in talk.before(first))
    is_wished = not any(has_hour(one.marked) for one in before)
    return is_hour and offered and is_wished and all(is_mere_yes(talk, reply) for reply in replies)


def _dates_a_move(talk: ThreadTalk, remark: Remark) -> bool:
    """“We're doing it a week later.” – “The first of December then, same time.” – “Yes, please.”"""
    is_bare = len(remark.text.split()) <= LONGEST_AGAIN and len(talk.undated(remark)) < _FEW_MATTERS
    moves = remark.said_by == "agent" and any(talk.has(one, "moved") for one in talk.before(remark))
    return moves and is_bare and bool(talk.days(remark)) and due_day(remark, talk.phrases) is not None


def _offers_the_same_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“I can't do Monday.” – “Wednesday, yes, same time.” – “Yes, half past eight, great.”"""
    first = next(times_named(remark.marked), None)
    is_time = first is not None and not talk.undated(between(remark, 0, first.start()))
    is_time = is_time and bool(talk.days(remark)) and talk.has(remark, "same_hour")
    return remark.said_by == "agent" and is_time and not talk.has(remark, "moved", "refused")


def _offers_a_later_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“About tomorrow, we can't make ten. Is there another time?” – “Half past eleven.”"""
    beside = talk.undated(remark) - words_of_hours(talk, remark)
    is_hour = remark.said_by == "agent" and has_hour(remark.marked) and not beside
    if not is_hour or len(remark.text.split()) > LONGEST_CHOICE:
        return False
    is_other = any(not talk.clocks(one) & talk.clocks(remark) for one in hours_given_up(talk, remark))
    asked = [one for one in talk.before(remark) if talk.asks(one)] if is_other else []
    is_for_another = all(_asks_for_another_hour(talk, one) for one in asked)
    return is_other and is_for_another and day_of_the_hour(talk, remark) is not None


def _asks_for_another_hour(talk: ThreadTalk, asked: Remark) -> bool:
    """“Is there another time?”, “Later?”, not “When do you close?”"""
    return talk.has(asked, "other_time", "preferred", "sooner", "moved") or not talk.undated(asked)


def is_of_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell so of “Friday at eight, is that all right?”, not of “The film begins on Friday at eight, is that
    all right?”"""
    return talk.has(remark, "slot") or begins_with_a_time(remark)


def _gives_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    """“I can do Friday at two”, “… between eight and ten”. A yes may be to a question behind it."""
    asks_more = any(talk.asks(r) for r in talk.message(remark) if r.place > remark.place)
    slot = talk.find("slot", remark.marked)
    hours_named = len(talk.clocks(from_place(remark, slot.start()) if slot else remark))
    is_one = hours_named == 1 or talk.has(remark, "window") or (not hours_named and bool(talk.days(remark)))
    is_time = talk.has(remark, "slot") or _is_a_day_and_hour(talk, remark)
    is_slot = is_one and (is_time or _concludes_with_a_time(talk, remark))
    return remark.said_by == "agent" and is_slot and not asks_more


def _concludes_with_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    """“So Thursday at nine.”, “Tomorrow at nine, then.”"""
    is_bare = len(remark.text.split()) <= LONGEST_AGAIN and not talk.undated(remark)
    is_when = begins_with_a_time(remark) or (is_bare and has_hour(remark.marked) and talk.has(remark, "time"))
    return talk.has(remark, "concluded") and is_when


def _is_a_day_and_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“Wednesday the sixteenth, twenty to two.”, “Friday at ten with Ann”"""
    whom = talk.find("with_whom", remark.marked)
    remark = between(remark, 0, whom.start()) if whom else remark
    numbers = talk.phrases.numbers_of_days(remark.plain, remark.marked)
    begins = begins_with_a_time(remark) or begins_with_a_time(_behind_the_lead(talk, remark))
    is_dated = bool(talk.days(remark) or numbers) or whole_day(remark, talk.phrases) is not None
    return begins and has_hour(remark.marked) and is_dated


def _behind_the_lead(talk: ThreadTalk, remark: Remark) -> Remark:
    """“Yes, in three weeks, the eighth of December at two.”, “Then next week Wednesday, eleven o'clock.”"""
    first = next(times_named(remark.marked), None)
    if first is None:
        return remark
    begin = remark.plain.rfind(",", 0, first.start()) + 1 or first.start()
    day = named_ahead(remark, talk.phrases)
    lead = between(remark, 0, begin if day is None else min(begin, day.start))
    is_idle = len(lead.text.split()) <= LONGEST_AGAIN and not talk.undated(lead)
    return from_place(remark, begin) if is_idle else remark


def _takes_up(talk: ThreadTalk, remark: Remark, reply: Remark) -> bool:
    is_named = names_its_day(talk, remark, reply) or names_its_hour(remark, reply)
    names_a_day = bool(talk.phrases.days(remark.plain, remark.marked))
    hour = names_a_day and (repeats_the_hour(talk, remark, reply) or echoes(talk, remark, reply))
    return hour or is_named or repeats(talk, remark, reply) or says_its_date(talk, remark, reply)


def _asks_when(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.has(remark, "asked_when") or (talk.asks(remark) and bool(weeks_named(remark, talk.phrases)))
