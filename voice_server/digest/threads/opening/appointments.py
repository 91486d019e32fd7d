"""Appointments and plans: what is booked, a time proposed and taken, a day to come."""

import re
from collections.abc import Sequence
from datetime import date
from itertools import takewhile

from msgspec.structs import replace

from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.rules.courtesies import is_courtesy
from voice_server.digest.threads.opening.candidate import (
    Candidate,
    of_exchange,
    of_remark,
    of_remarks,
)
from voice_server.digest.threads.opening.context import in_context
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import (
    agreed_day,
    day_of_week,
    due_day,
    named_ahead,
    named_day,
    weeks_named,
    whole_day,
)
from voice_server.digest.threads.speech.phrases import (
    Kind,
    goes_on_and_on,
    has_hour,
    hours,
    names_a_time,
    times_named,
)
from voice_server.digest.threads.speech.references import (
    FEWEST_MATTERS,
    asked_before,
    is_denied,
    needs_context,
    own_context,
    says_when,
    what_holds,
)
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place

_LONGEST_PLAN = 40  # words: more are talk, not an appointment
_BRIEF_PLAN = 8  # of which one word says what it is
_LONGEST_PROPOSAL, _LONGEST_UNPUNCTUATED = 14, 18
_SENTENCE_ENDS = (".", "!", "?", "…")
_LONGEST_FAREWELL = 10
_LONGEST_TOLD = 12  # words of “Let me see, that's Friday at ten, with Ann”
_LONGEST_CHOICE = 5
_LONGEST_YES, _BEHIND_A_MERE_YES = 6, 3  # words
_LONGEST_ASSENT, _BESIDE_A_YES = 9, 1  # words, and matters, of "Friday at eleven is Ann, perfect"
_BESIDE_A_WISH = 2  # matters of “Five would suit me better”
_LOOKED_FOR: tuple[Kind, ...] = ("wants_a_visit", "vacancy")
_WISHES: tuple[Kind, ...] = ("proposal", "preferred", "request", *_LOOKED_FOR)
_NOT_YET: tuple[Kind, ...] = ("refused", "refusal", "no", "waiting", "doubt", "deferral")  # grant no wish
# Words of "Then Friday at ten, with Ann", before its time, and behind it in its clause.
_LONGEST_AGAIN, _LEADING, _TRAILING = 9, 2, 1
_CLAUSE = re.compile(r"[,.;:!?]")
_BRIEF_ANSWER = 4  # words of “That's noted.”
_BRIEF_NUMBER = 4  # words of "Four it is"
_FURTHER = 2  # sentences in which "They've moved it" is dated
_SHORTLY, _LATEST = 5, 20  # messages, and remarks
_BEFORE_ITS_DAY, _BEHIND_ITS_DAY, _SHORTEST_LEAD = 10, 12, 2  # words


def booked(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “You're down for Thursday”; what names no time is told with what it answers."""
    if talk.asks(remark) or not talk.has(remark, "booked") or talk.has(remark, "doubt", "waiting", "refused"):
        return None
    is_farewell = _takes_leave(talk, remark)
    if remark.said_by == "user" and (_is_excuse(talk, remark) or _wishes_for_another(talk, remark)):
        return None
    if _says_for_when(talk, remark) and not is_farewell:
        return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)
    told = _told_just_before(talk, remark)
    if told is not None:
        text = quoting.sentences(told, remark)
        return of_remarks(talk, (told, remark), "plan", remark.said_by, text, appointment=True)
    return _booked_as_wished(talk, remark, is_farewell=is_farewell)


def _booked_as_wished(talk: ThreadTalk, remark: Remark, *, is_farewell: bool) -> Candidate | None:
    about = _wished(talk, remark)
    if about is None or (is_farewell and not _repeats_the_day(talk, about, remark)):
        return None
    if other_hour(talk, about):
        return None
    wish = _wish_of_the_hour(talk, about)
    if wish is None:
        return of_exchange(talk, about, remark, "plan", appointment=True)
    text = quoting.answered(quoting.sentences(wish, about), remark.text)
    return of_remarks(talk, (wish, about, remark), "plan", remark.said_by, text, appointment=True)


def _wish_of_the_hour(talk: ThreadTalk, hour: Remark) -> Remark | None:
    """Return the wish of which the hour alone is told to who asks: “I'd like a table on Saturday.” – “For
    what time?” – “Eight o'clock.”"""
    is_alone = has_hour(hour.marked) and not talk.days(hour) and len(hour.text.split()) <= _LONGEST_CHOICE
    if not is_alone or not talk.before(hour):
        return None
    said = (one for one in talk.remarks[: hour.place] if hour.position - one.position <= _SHORTLY)
    own = (one for one in said if one.said_by == hour.said_by and talk.has(one, *_WISHES))
    wishes = [one for one in own if not _is_no_wish(talk, one)]
    return wishes[-1] if wishes and due_day(wishes[-1], talk.phrases) is not None else None


def _is_no_wish(talk: ThreadTalk, remark: Remark) -> bool:
    """“I can't on the fifth.”, not “I'd like a table on the fifth.”"""
    is_none = talk.has(remark, "unplanned") and not talk.has(remark, *_LOOKED_FOR)
    return is_none or talk.has(remark, "cancelled", "refused", "not_then", "moved")


def granted_wish(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “I'd like a table on Saturday at eight.” – “Yes, that's fine. What name?”"""
    if remark.said_by != "user" or not talk.has(remark, "wants_a_visit"):
        return None
    day, replies = due_day(remark, talk.phrases), talk.after(remark)
    is_complaint = talk.has(remark, "not_done", "missed")
    if day is None or day < remark.said_on or is_complaint or _is_no_wish(talk, remark):
        return None
    if _is_put_off(talk, replies) or any(talk.clocks(one) - talk.clocks(remark) for one in replies):
        return None  # “Sure, at eight?” only offers
    granted = next((one for one in replies if _grants_it(talk, one)), None)
    return of_exchange(talk, remark, granted, "plan", appointment=True) if granted else None


def _grants_it(talk: ThreadTalk, reply: Remark) -> bool:
    is_brief = len(reply.text.split()) <= _BRIEF_ANSWER and talk.has(reply, "done", "noted")
    return talk.phrases.opens("yes", reply.marked) or is_brief


def _is_put_off(talk: ThreadTalk, replies: Sequence[Remark]) -> bool:
    return any(talk.has(one, *_NOT_YET) for one in replies)


def _told_just_before(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return the time in the same breath: “The tenth at one, then. You're booked.”"""
    before = talk.sentence_before(remark)
    is_time = before is not None and names_a_time(before.marked) and not talk.asks(before)
    is_brief = before is not None and len(before.text.split()) <= _LONGEST_AGAIN
    return before if is_time and is_brief else None


def standing(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “You're with Ann on Friday at ten”, which is booked already, and the day that is told to who asks
    for it: “When's my appointment?” – “It's on Friday.”"""
    holds = what_holds(talk, remark)
    if remark.said_by == "user" or talk.asks(remark) or not is_sure_of_its_day(talk, holds):
        return None
    if holds is not remark and talk.has(holds, "standing", "moved"):
        return of_remark(talk, holds, "plan", quoting.quote(remark), appointment=True)
    if talk.has(remark, "standing"):
        return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)
    asked = next((one for one in talk.before(remark) if talk.has(one, "asked_own")), None)
    is_brief = len(remark.text.split()) <= _LONGEST_TOLD and not talk.has(remark, "waiting")
    if asked is None or not is_brief:
        return None
    return of_exchange(talk, asked, remark, "plan", appointment=True)


def is_sure_of_its_day(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether a day to come is named, and what is on it."""
    day = due_day(remark, talk.phrases)
    if day is None or day < remark.said_on:
        return False
    if talk.has(remark, "doubt", "unplanned", "cancelled", "not_done"):
        return False
    return not talk.phrases.is_recurring(remark.plain) and not _takes_leave(talk, remark)


def _wishes_for_another(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.has(remark, "correction") and talk.has(remark, "preferred")


def _says_for_when(talk: ThreadTalk, remark: Remark) -> bool:
    """“Four it is”, “Cabin 7 it is” do not: a mere number may be of anything."""
    is_number = not names_a_time(remark.marked) and len(remark.text.split()) <= _BRIEF_NUMBER
    return says_when(talk, remark) and not is_number


def _takes_leave(talk: ThreadTalk, remark: Remark) -> bool:
    is_short = len(remark.text.split()) <= _LONGEST_FAREWELL and len(talk.matters(remark)) < FEWEST_MATTERS
    is_farewell = is_short and talk.has(remark, "farewell")
    return is_farewell or is_courtesy(remark.text, manner(talk.phrases.tag))


def _wished(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Find the latest wish for a time by the other party; None where the two agreed on one."""
    latest = talk.remarks[max(0, remark.place - _LATEST) : remark.place]
    earlier = [r for r in latest if remark.position - r.position <= _SHORTLY]
    if any(accepted_proposal(talk, r) for r in earlier):
        return None
    others = [r for r in earlier if r.said_by != remark.said_by and not talk.has(r, "farewell")]
    others = [r for r in others if not _only_recurs(talk, r)]
    timed = [r for r in others if _wishes_for_a_time(talk, r) and not _is_taken_back(talk, r)]
    return timed[-1] if timed else None


def _only_recurs(talk: ThreadTalk, remark: Remark) -> bool:
    """“He comes every Sunday.”, not “I'd like ten, as always.”"""
    is_wish = talk.asks(remark) or talk.has(remark, "preferred", "request") or has_hour(remark.marked)
    return talk.phrases.is_recurring(remark.plain) and not is_wish


def _is_taken_back(talk: ThreadTalk, remark: Remark) -> bool:
    """“On Monday I do. No, sorry.”"""
    after = talk.sentence_after(remark)
    return after is not None and manner(talk.phrases.tag).corrections.match(after.text) is not None


def _wishes_for_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    if talk.has(remark, "moved") and has_hour(remark.marked):
        return True
    wishes = says_when(talk, remark) and talk.has(remark, *_WISHES)
    return wishes and not _is_when_to_ring(talk, remark)


def _is_when_to_ring(talk: ThreadTalk, remark: Remark) -> bool:
    """“I'll ring you back by five.” – “At work, please, I'm there until four.”"""
    return remark.said_by == "user" and any(talk.has(one, "promise") for one in talk.before(remark))


def accepted_proposal(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “I can do Friday at two.” – “Friday at two's good.”"""
    asked = _proposal_in(talk, remark)
    if asked is None:
        return None
    if talk.has(remark, "farewell") and not talk.asks(remark):
        return None
    standing = talk.phrases.standing(remark.marked, remark.marked)
    names_one = talk.phrases.has("time", standing) and not talk.phrases.has("cancelled", standing)
    if not names_one or _gives_way(talk, remark):
        return None
    replies = talk.after(remark)
    is_idle = talk.has(asked, "done") or (talk.asks(remark) and talk.has(asked, "idle_question"))
    is_idle = is_idle and not (talk.has(remark, "suits") and _is_of_a_time(talk, remark))
    if is_idle or _is_moved_away(talk, remark, replies):
        return None
    answer = next((r for r in replies if _agrees(talk, remark, r)), None)
    if answer is None or not _is_proposed(talk, remark, [r for r in replies if r.place <= answer.place]):
        return None
    made = of_exchange(talk, asked, _yes_alone(talk, remark, answer), "plan", appointment=True)
    due = made.thread.due or _day_wished(talk, remark) or _day_kept(talk, remark)
    due = due or _day_offered(talk, remark) or _day_spoken_of(talk, remark, answer)
    return replace(made, thread=replace(made.thread, due=due))


def _proposal_in(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Leave out of a long one what is said before of a day that will not do: “She's ill on Thursday, could
    we say Friday?”"""
    is_punctuated = remark.text.rstrip("\"' ").endswith(_SENTENCE_ENDS)
    most = _LONGEST_PROPOSAL if is_punctuated else _LONGEST_UNPUNCTUATED
    is_long = len(remark.text.split()) > most
    asked = from_place(remark, talk.phrases.asks_from(remark.marked)) if is_long else remark
    return asked if len(asked.text.split()) <= most and talk.has(asked, "proposal") else None


def _gives_way(talk: ThreadTalk, remark: Remark) -> bool:
    """“On the 7th. Oh no, that's a Sunday. The 17th.”"""
    corrections = manner(talk.phrases.tag).corrections
    behind = [r for r in talk.message(remark) if r.place > remark.place]
    taken_back = next((n for n, r in enumerate(behind) if corrections.match(r.text)), None)
    return taken_back is not None and any(talk.has(r, "time") for r in behind[taken_back:])


def said_again(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read a time of the user's that the agent says again: “Eleven would be better.” – “Monday at eleven.”,
    or with which it ends the search."""
    if remark.said_by != "agent" or talk.asks(remark) or not _begins_with_a_time(remark):
        return None
    if talk.has(
        remark, "doubt", "unplanned", "cancelled", "refused", "waiting", "done", "promise", "not_done"
    ):
        return None
    named = [r for r in talk.before(remark) if _names_the_same(talk, r, remark)]
    if not named and _concludes(talk, remark):
        return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)
    if not named or not _is_looked_for(talk, remark) or other_hour(talk, named[-1]) is not None:
        return None
    return of_exchange(talk, named[-1], remark, "plan", appointment=True)


def _concludes(talk: ThreadTalk, remark: Remark) -> bool:
    """“Could Dawn start on the 3rd?” – “I could send Kevin.” – “Kevin's fine.” – “So Thursday the 3rd at
    nine.”, unless the caller then wants another."""
    if not talk.has(remark, "concluded") or not (talk.days(remark) and has_hour(remark.marked)):
        return False
    latest = talk.remarks[max(0, remark.place - _LATEST) : remark.place]
    near = (r for r in latest if remark.position - r.position <= _SHORTLY)
    is_looked_for = any(talk.asks(r) and says_when(talk, r) for r in near)
    return is_looked_for and not any(_takes_nothing(talk, reply) for reply in talk.after(remark)[:1])


def _begins_with_a_time(remark: Remark) -> bool:
    """“Then Friday at ten.”, not “Friday at ten is full.”"""
    times = list(times_named(remark.marked))
    if not names_a_time(remark.marked) or len(remark.text.split()) > _LONGEST_AGAIN:
        return False
    lead, rest = remark.text[: times[0].start()], _CLAUSE.split(remark.text[times[-1].end() :])[0]
    return len(lead.split()) <= _LEADING and len(rest.split()) <= _TRAILING


def _names_the_same(talk: ThreadTalk, said: Remark, again: Remark) -> bool:
    """Tell whether the time is said again, and nothing asked but whether it suits."""
    wishes = talk.has(said, "preferred", "correction", "moved")
    if talk.asks(said) and not wishes and (talk.undated(said) or len(said.text.split()) > _LONGEST_CHOICE):
        return False
    if named_day(said, talk.phrases) is None and not has_hour(said.marked):
        return False  # "It was Thursday."
    is_off = talk.has(said, "unplanned", "cancelled") and not talk.has(said, "correction", "preferred")
    same = _repeats(talk, said, again) or _repeats_the_hour(talk, said, again)
    return same and not is_off and not talk.phrases.is_recurring(said.plain)


def _is_looked_for(talk: ThreadTalk, remark: Remark) -> bool:
    latest = talk.remarks[max(0, remark.place - _LATEST) : remark.place]
    near = [r for r in latest if remark.position - r.position <= _SHORTLY]
    asked = any(
        r.said_by == "agent" and talk.asks(r) and (talk.has(r, "asked_when") or says_when(talk, r))
        for r in near
    )
    return asked or any(r.said_by == "user" and talk.has(r, "moved", "preferred", "correction") for r in near)


def _is_moved_away(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    """“Can I move it? It's Friday at eleven.” – “When would you like?”"""
    return talk.has(remark, "moved") and any(talk.has(reply, "asked_when") for reply in replies)


def _yes_alone(talk: ThreadTalk, remark: Remark, answer: Remark) -> Remark:
    """Drop what goes on behind the yes where nobody punctuated."""
    found = talk.phrases.find("yes", answer.marked)
    goes_on = len(answer.text.split()) > _LONGEST_YES and not _repeats(talk, remark, answer)
    if found is None or answer.text.rstrip()[-1:] in ".!?…" or not goes_on:
        return answer
    end = found.end()
    return replace(answer, text=answer.text[:end], plain=answer.plain[:end], marked=answer.marked[:end])


def _day_wished(talk: ThreadTalk, remark: Remark) -> date | None:
    """“Next week would be better.” – “Thursday at nine?”, not “I'm away next week.”"""
    if remark.before.week is None:
        return agreed_day(talk.before(remark), talk.phrases)
    named = next(one for one in reversed(talk.remarks[: remark.place]) if weeks_named(one, talk.phrases))
    return day_of_week(remark, talk.phrases) if wishes_for_a_week(talk, named) else None


def wishes_for_a_week(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether an appointment is looked for in the week named."""
    before = talk.before(remark)
    agreed = talk.has(remark, "yes") and any(talk.asks(one) for one in before)
    asked = agreed or any(talk.has(one, "asked_when") for one in before)
    return asked or talk.asks(remark) or talk.has(remark, "preferred")


def _day_kept(talk: ThreadTalk, remark: Remark) -> date | None:
    """“I can't make ten tomorrow. Could we do half past four?”"""
    earlier = [r for r in talk.message(remark) if r.place < remark.place and says_when(talk, r)]
    return whole_day(earlier[-1], talk.phrases) if earlier else None


def _day_offered(talk: ThreadTalk, remark: Remark) -> date | None:
    """“Can you come today at five?” – “I can't at five.” – “Half past six?”"""
    between = talk.before(remark)
    if not has_hour(remark.marked) or any(_names_days(talk, one) for one in (remark, *between)):
        return None
    offered = [one for r in between[:1] for one in talk.before(r) if talk.asks(one) and has_hour(one.marked)]
    return whole_day(offered[-1], talk.phrases) if offered else None


def _day_spoken_of(talk: ThreadTalk, remark: Remark, answer: Remark) -> date | None:
    """“I can do Wednesday the ninth.” – “What time?” – “Quarter past two?”"""
    if not has_hour(remark.marked) or any(talk.phrases.weekdays(one.plain) for one in (remark, answer)):
        return None
    said = [one for one in talk.remarks[: remark.place] if remark.position - one.position <= _SHORTLY]
    named = next((one for one in reversed(said) if due_day(one, talk.phrases) is not None), None)
    if named is None or _is_no_wish(talk, named):
        return None
    between = [one for one in said if one.place > named.place]
    only_asks = all(talk.asks(one) or talk.phrases.opens("yes", one.marked) for one in between)
    return due_day(named, talk.phrases) if only_asks else None


def _names_days(talk: ThreadTalk, remark: Remark) -> bool:
    return bool(talk.days(remark)) or whole_day(remark, talk.phrases) is not None


def _is_proposed(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    behind = (r for r in talk.message(remark) if r.place > remark.place)
    suits = _is_of_a_time(talk, remark) and any(talk.has(r, "suits") for r in behind)
    asked = talk.asks(remark) or talk.has(remark, "offer") or suits
    asked = asked or (_gives_a_time(talk, remark) and all(_is_mere_yes(talk, reply) for reply in replies))
    asked = asked or _offers_an_hour(talk, remark) or _gives_another_hour(talk, remark, replies)
    is_taken_up = any(_takes_up(talk, remark, reply) or talk.has(reply, "taken") for reply in replies)
    takes_up = has_hour(remark.marked) and any(
        _repeats(talk, before, remark) for before in talk.before(remark)
    )
    return asked or is_taken_up or takes_up or any(_asks_when(talk, before) for before in talk.before(remark))


def _offers_an_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“i'd like a table on saturday” – “at eight”, as a recogniser writes."""
    is_bare = len(remark.text.split()) <= _BRIEF_ANSWER and not talk.undated(remark)
    is_one = remark.said_by == "agent" and is_bare and has_hour(remark.marked)
    unmarked = not remark.text.rstrip("\"' ").endswith(_SENTENCE_ENDS)
    return is_one and unmarked and any(talk.has(one, *_LOOKED_FOR) for one in talk.before(remark))


def _gives_another_hour(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    """“Saturday at ten?” – “A bit later?” – “Quarter to twelve.” – “Yes, please.”"""
    before = talk.before(remark)
    beside = talk.undated(remark) - _words_of_hours(talk, remark)
    is_bare = len(remark.text.split()) <= _BRIEF_ANSWER and not beside
    is_hour = remark.said_by == "agent" and is_bare and has_hour(remark.marked)
    offered = any(_offers_a_time(talk, one) for first in before[:1] for one in talk.before(first))
    is_wished = not any(has_hour(one.marked) for one in before)
    return is_hour and offered and is_wished and all(_is_mere_yes(talk, reply) for reply in replies)


def _is_of_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    """“Friday at eight, is that all right?”, not “The film begins on Friday at eight, is that all right?”"""
    return talk.has(remark, "slot") or _begins_with_a_time(remark)


def _gives_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    """“I can do Friday at two”, “… between eight and ten”. A yes may be to a question behind it."""
    asks_more = any(talk.asks(r) for r in talk.message(remark) if r.place > remark.place)
    hours_named = len(talk.clocks(remark))
    is_one = hours_named == 1 or talk.has(remark, "window") or (not hours_named and bool(talk.days(remark)))
    is_slot = is_one and (talk.has(remark, "slot") or _is_a_day_and_hour(talk, remark))
    return remark.said_by == "agent" and is_slot and not asks_more


def _is_a_day_and_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“Wednesday the sixteenth, twenty to two.”"""
    numbers = talk.phrases.numbers_of_days(remark.plain, remark.marked)
    return _begins_with_a_time(remark) and has_hour(remark.marked) and bool(talk.days(remark) or numbers)


def _is_mere_yes(talk: ThreadTalk, reply: Remark) -> bool:
    """“Great, I'll bring him in.”, not “Okay, but that's too early”."""
    clauses = [one.strip(" .!") for one in reply.marked.split(",")]
    if all(len(one.split()) <= _BEHIND_A_MERE_YES and talk.phrases.opens("yes", one) for one in clauses):
        return True
    if talk.has(reply, "waiting", "doubt", "unplanned", "enquiry"):
        return False
    if talk.phrases.opens("yes", reply.marked) and talk.has(reply, "taken"):
        return True
    if talk.has(reply, "promise"):
        return False
    found = talk.phrases.find("yes", reply.marked)
    rest = reply.plain[: found.start()] + reply.plain[found.end() :] if found else reply.plain
    return len(rest.split()) <= _BEHIND_A_MERE_YES and not talk.phrases.matters(rest)


def _takes_up(talk: ThreadTalk, remark: Remark, reply: Remark) -> bool:
    is_named = _names_its_day(talk, remark, reply) or _names_its_hour(remark, reply)
    names_a_day = bool(talk.phrases.days(remark.plain, remark.marked))
    hour = names_a_day and _repeats_the_hour(talk, remark, reply)
    return hour or is_named or _repeats(talk, remark, reply)


def _asks_when(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.has(remark, "asked_when") or (talk.asks(remark) and bool(weeks_named(remark, talk.phrases)))


def other_hour(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Tuesday at four?” – “Rather five.” – “Noted.”"""
    if not has_hour(remark.marked):
        return None
    offers = [one for one in talk.before(remark) if _offers_a_time(talk, one)]
    is_alone = not talk.days(remark) and not talk.has(remark, "cancelled")
    beside = talk.undated(remark) - _words_of_hours(talk, remark)
    if not offers or not is_alone or len(beside) > _BESIDE_A_WISH:
        return None
    offer, asked = offers[-1], talk.clocks(remark)
    is_wish = talk.has(remark, "preferred", "correction") or talk.asks(remark)
    replies = talk.after(remark)[:1]
    is_granted = any(grants_the_hour(talk, reply, asked) and not talk.days(reply) for reply in replies)
    if not is_wish or not is_granted or asked <= talk.clocks(offer):
        return None
    made = of_exchange(talk, offer, remark, "plan", appointment=True)
    return replace(made, thread=replace(made.thread, due=due_day(offer, talk.phrases)))


def _offers_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    is_question = remark.said_by == "agent" and talk.asks(remark) and talk.has(remark, "proposal")
    return is_question and has_hour(remark.marked) and bool(talk.days(remark))


def _words_of_hours(talk: ThreadTalk, remark: Remark) -> frozenset[str]:
    return talk.phrases.matters(" ".join(sorted(talk.clocks(remark))))


def grants_the_hour(talk: ThreadTalk, reply: Remark, asked: frozenset[str]) -> bool:
    """“Of course.”, “No problem.”, “Noted.”, “Five it is.”, not “No, five is taken.”"""
    if talk.has(reply, "refused"):
        return False
    known = manner(talk.phrases.tag)
    is_idle = known.idle_words.issuperset(words(reply.text)) or is_courtesy(reply.text, known)
    if is_idle or talk.phrases.opens("yes", reply.marked) or talk.has(reply, "booked"):
        return True
    if known.yes_no.match(reply.text) or talk.has(reply, "no", "doubt", "unplanned", "cancelled", "waiting"):
        return False
    repeats = talk.clocks(reply) & asked and not talk.undated(reply)
    is_brief = len(reply.text.split()) <= _BRIEF_ANSWER
    return bool(repeats) or (is_brief and talk.has(reply, "done", "noted"))


def _agrees(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“Friday at eleven, perfect”, or the time alone; not “Friday at two I'm at work”."""
    is_refused = answer.said_by == "agent" and talk.has(answer, "refused")
    if is_refused or _calls_it_off(talk, remark, answer) or _prefers_another_hour(talk, remark, answer):
        return False
    if talk.phrases.opens("yes", answer.marked):
        return True
    if talk.asks(answer) or _takes_nothing(talk, answer):
        return False
    length = len(answer.text.split())
    more = len(talk.undated(answer) - talk.phrases.numbers_in_words(answer.plain))
    takes_up = _repeats(talk, remark, answer) or _repeats_the_hour(talk, remark, answer)
    names_a_time = takes_up or (talk.asks(remark) and says_when(talk, answer))
    if names_a_time and talk.has(answer, "yes", "taken"):
        return length <= _LONGEST_ASSENT and more <= _BESIDE_A_YES
    if takes_up and not more:
        days = talk.phrases.weekdays(answer.plain) & talk.phrases.weekdays(remark.plain)
        is_both = _repeats_the_hour(talk, remark, answer) and (
            days or _repeats_the_number(talk, remark, answer)
        )
        is_granted = talk.asks(remark) and answer.said_by == "agent" and not talk.has(answer, "booked")
        is_granted = is_granted or _only_says_the_hour(talk, remark, answer)
        return bool(is_both) or is_granted or (len(days) == 1 and length <= _LONGEST_CHOICE)
    return _names_its_hour(remark, answer) and length <= _LONGEST_CHOICE


def _only_says_the_hour(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“I'd like a table on Saturday.” – “At eight?” – “At eight.”"""
    latest = talk.remarks[max(0, remark.place - _LATEST) : remark.place]
    if not any(talk.has(one, *_LOOKED_FOR, "asked_when") for one in latest):
        return False
    is_brief = len(answer.text.split()) <= _BRIEF_ANSWER and has_hour(answer.marked)
    asked = talk.asks(remark) or _offers_an_hour(talk, remark)
    return is_brief and asked and talk.clocks(remark) == talk.clocks(answer)


def _calls_it_off(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“I've got Monday and Wednesday.” – “All right, Wednesday is cancelled.”"""
    told = [one for one in talk.message(answer) if one.place >= answer.place]
    return any(talk.has(one, "cancelled") and _repeats(talk, remark, one) for one in told)


def _prefers_another_hour(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“Tuesday at four?” – “Five would be better.”"""
    offered, wished = talk.clocks(remark), talk.clocks(answer)
    is_other = bool(offered and wished) and offered.isdisjoint(wished)
    return is_other and talk.has(answer, "preferred", "correction")


def _takes_nothing(talk: ThreadTalk, answer: Remark) -> bool:
    if talk.has(answer, "no", "cancelled", "refused", "doubt", "correction", "moved"):
        return True
    promises = talk.has(answer, "promise") and not talk.has(answer, "taken")
    return promises or talk.has(answer, "unplanned", "waiting", "enquiry", "deferral")


def move(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “They've moved it. It's the 28th now.”"""
    if talk.asks(remark) or talk.has(remark, "request") or _wishes_for_another(talk, remark):
        return None
    if not _says_moved(talk, remark):
        return None
    said = [r for r in talk.message(remark) if 0 <= r.place - remark.place <= _FURTHER]
    if not any(_names_a_new_time(talk, r) for r in said):
        return None
    text = quoting.quote(remark)
    more = [r for r in said if r.place > remark.place and says_when(talk, r)]
    if more:
        text = f'"{quoting.shortened(remark.text)} {quoting.shortened(more[0].text)}"'.replace(' "', " '")
    is_plain = not any(map(talk.undated, said)) or not _says_what_moved(talk, remark)
    asked = asked_before(talk, remark) if is_plain else None
    if asked is not None:
        text = f"{quoting.quote(asked)} – {text}"
    of = (remark, *more) if asked is None else (asked, remark, *more)
    return of_remarks(talk, of, "plan", remark.said_by, text, appointment=True)


def _names_a_new_time(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.phrases.has("time", talk.phrases.standing(remark.marked, remark.marked))


def _says_moved(talk: ThreadTalk, remark: Remark) -> bool:
    """“They can't do Thursday, it's Friday now”, not “they can't move it”."""
    found = talk.phrases.find("moved", remark.marked)
    if found is None:
        return False
    clause = quoting.clause(remark.marked, found.start())
    return not talk.phrases.has("unplanned", clause)


def _says_what_moved(talk: ThreadTalk, remark: Remark) -> bool:
    found = talk.phrases.find("moved", remark.marked)
    return found is not None and bool(talk.undated(between(remark, 0, _end_of_clause(remark, found.start()))))


def _end_of_clause(remark: Remark, start: int) -> int:
    end = _CLAUSE.search(remark.plain, start)
    return end.start() if end else len(remark.plain)


def plan(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read what the user says of a day to come, or must do then or today."""
    if remark.said_by != "user":
        return None
    holds = what_holds(talk, remark)
    if holds is not remark:
        made = _plan_of(talk, holds)
        return replace(made, thread=replace(made.thread, text=quoting.quote(remark))) if made else None
    return _plan_of(talk, remark)


def _plan_of(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    remark = _near_its_day(talk, remark)
    day = named_day(remark, talk.phrases)
    is_duty = whole_day(remark, talk.phrases) is not None and talk.has(remark, "duty")
    is_ahead = day is not None and (day > remark.said_on or (is_duty and day == remark.said_on))
    is_bare = not is_ahead and names_a_time(remark.marked) and not talk.undated(remark)
    if not (is_ahead or is_bare) or talk.asks(remark) or _plans_nothing(talk, remark):
        return None
    if is_bare:
        return _with_what_it_is(talk, remark)
    asked = _asked_when_it_is(talk, remark)
    if asked is not None:
        return of_exchange(talk, asked, remark, "plan", appointment=True)
    if is_duty:
        made = _duty(talk, remark)
        return replace(made, thread=replace(made.thread, due=day)) if made else None
    if _tells_what(talk, remark):
        return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)
    return _with_what_it_is(talk, remark)


def _with_what_it_is(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “The doctor wants an X-ray. December the fourth.”"""
    own = own_context(talk, remark) if not talk.undated(remark) else None
    day = due_day(remark, talk.phrases)
    is_ahead = day is not None and day > remark.said_on
    if own is None or not is_ahead or _plans_nothing(talk, own) or names_a_time(own.marked):
        return None
    text = quoting.sentences(own, remark)
    return of_remarks(talk, (own, remark), "plan", "user", text, appointment=True)


def comes_instead(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Alan didn't come on Sunday, he's coming this Saturday”. A bare “He's coming on Saturday now” is
    told with what did not happen: “He never turned up.”, or “Did Alan come?” – “No, he was ill.”"""
    if remark.said_by != "user" or not talk.has(remark, "time") or talk.asks(remark):
        return None
    holds = what_holds(talk, remark)
    if not _is_ahead_instead(talk, holds):
        return None
    if holds is not remark:
        is_no_show = talk.has(between(remark, 0, len(holds.text) - len(holds.text.lstrip())), "no_show")
        made = of_remark(talk, holds, "plan", quoting.quote(remark), appointment=True)
        return replace(made, matters=talk.matters(remark)) if is_no_show else None
    failed = talk.sentence_before(remark)
    is_no_show = failed is not None and talk.has(failed, "no_show")
    if failed is not None and is_no_show and talk.beside(failed, "no_show"):
        text = quoting.sentences(failed, remark)
        return of_remarks(talk, (failed, remark), "plan", "user", text, appointment=True)
    asked = next((one for one in talk.before(remark) if talk.asks(one) and talk.matters(one)), None)
    is_denied_before = asked is not None and talk.has(asked, "asked_whether_done", "done")
    if asked is None or not (is_no_show or (is_denied_before and is_denied(talk, talk.message(remark)[0]))):
        return None
    made = of_exchange(talk, asked, remark, "plan", appointment=True)
    return replace(made, thread=replace(made.thread, due=named_day(remark, talk.phrases)))


def _is_ahead_instead(talk: ThreadTalk, holds: Remark) -> bool:
    day = named_day(holds, talk.phrases)
    unsure = talk.has(holds, "doubt", "unplanned", "cancelled", "no_show", "correction")
    promises = talk.has(holds, "promise") and not talk.has(holds, "another")
    is_idle = talk.phrases.is_recurring(holds.plain) or talk.asks(holds)
    return day is not None and day > holds.said_on and not (unsure or promises or is_idle)


def _near_its_day(talk: ThreadTalk, remark: Remark) -> Remark:
    """Keep the words around its day where nobody punctuates."""
    ahead = named_ahead(remark, talk.phrases) if goes_on_and_on(remark.marked) else None
    if ahead is None:
        return remark
    joints = manner(talk.phrases.tag).joints
    before, behind = remark.text[: ahead.start].split(), remark.text[ahead.end :].split()
    lead = before[-_BEFORE_ITS_DAY:]
    joined = [at for at in range(len(lead) - _SHORTEST_LEAD) if lead[at].lower() in joints]
    start = ahead.start - len(" ".join(lead[joined[-1] if joined else 0 :])) - 1
    rest = list(takewhile(lambda word: word.lower() not in joints, behind[:_BEHIND_ITS_DAY]))
    return between(remark, max(start, 0), ahead.end + 1 + len(" ".join(rest)))


def _duty(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Tell “I must ring her tonight” with what says whom."""
    told = (
        in_context(talk, remark, asked_before(talk, remark), "plan") if needs_context(talk, remark) else None
    )
    if told is not None or not talk.undated(remark):
        return told
    return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)


def _plans_nothing(talk: ThreadTalk, remark: Remark) -> bool:
    unplanned = talk.has(remark, "doubt", "unplanned", "cancelled", "waiting", "done", "correction")
    unplanned = unplanned or (talk.has(remark, *_LOOKED_FOR) and _is_put_off(talk, talk.after(remark)))
    is_idle = talk.phrases.is_recurring(remark.plain) or _takes_leave(talk, remark)
    return unplanned or is_idle or _is_excuse(talk, remark)


def _asked_when_it_is(talk: ThreadTalk, remark: Remark) -> Remark | None:
    asked = asked_before(talk, remark) if remark == talk.message(remark)[0] else None
    is_brief = len(talk.undated(remark)) < FEWEST_MATTERS and len(remark.text.split()) <= _BRIEF_PLAN
    if asked is None or not is_brief or not talk.matters(asked) or talk.has(asked, "unplanned"):
        return None
    return asked


def _is_excuse(talk: ThreadTalk, remark: Remark) -> bool:
    """“Tuesday at two?” – “Tuesday I have my class.”"""
    proposed = any(talk.has(r, "proposal") and _repeats(talk, r, remark) for r in talk.before(remark))
    return proposed and not talk.phrases.opens("yes", remark.marked)


def _tells_what(talk: ThreadTalk, remark: Remark) -> bool:
    """“My operation is in six weeks”: one word is enough where it is brief."""
    matters, length = len(talk.undated(remark)), len(remark.text.split())
    return length <= _LONGEST_PLAN if matters >= FEWEST_MATTERS else bool(matters) and length <= _BRIEF_PLAN


def _repeats(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """Tell whether a day is said again, of an answer also by its number alone: “The tenth, fine.”"""
    times = talk.phrases.times
    same = times(remark.plain) & times(answer.plain) or talk.days(remark) & talk.days(answer)
    return bool(same) or _repeats_the_number(talk, remark, answer)


def _repeats_the_number(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    numbers = talk.phrases.numbers_of_days(remark.plain, remark.marked)
    return bool(numbers and numbers & talk.phrases.numbers(answer.plain))


def _repeats_the_hour(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    clocks = [talk.phrases.clocks(one.plain, one.marked) for one in (remark, answer)]
    return not clocks[0].isdisjoint(clocks[1])


def _names_its_day(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    day = due_day(answer, talk.phrases)
    return day is not None and day == due_day(remark, talk.phrases)


def _names_its_hour(remark: Remark, answer: Remark) -> bool:
    """“I have nine or twenty past four.” – “Twenty past four.”"""
    said, offered = answer.plain.strip(" .,!"), " ".join(word.strip(".,!?") for word in remark.plain.split())
    return has_hour(answer.marked) and hours(remark.marked) > 1 and f" {said} " in f" {offered} "


def _repeats_the_day(talk: ThreadTalk, wish: Remark, farewell: Remark) -> bool:
    """“We're away from the 3rd, so that Thursday is out” is another day."""
    days = [due_day(remark, talk.phrases) for remark in (wish, farewell)]
    return days[0] == days[1] and _repeats(talk, wish, farewell)
