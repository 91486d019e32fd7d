"""What is booked: told by who keeps the calendar, or said again by them."""

from datetime import timedelta

from msgspec.structs import replace

from voice_server.digest.dates.dates import spoken_dates, tells_of_the_past
from voice_server.digest.threads.opening.appointments.assents import takes_nothing
from voice_server.digest.threads.opening.appointments.other_hours import other_hour
from voice_server.digest.threads.opening.appointments.proposals import accepted_proposal, is_excuse
from voice_server.digest.threads.opening.appointments.proposed_days import day_countered, day_offered
from voice_server.digest.threads.opening.appointments.times import (
    LATEST,
    LONGEST_AGAIN,
    LONGEST_CHOICE,
    SHORTLY,
    begins_with_a_time,
    repeats,
    repeats_the_hour,
    says_which_weekday,
    words_of_hours,
)
from voice_server.digest.threads.opening.appointments.wishes import (
    LOOKED_FOR,
    is_taken_back,
    only_recurs,
    tells_when_open,
    wish_of_the_hour,
    wishes_for_a_time,
    wishes_for_another,
)
from voice_server.digest.threads.opening.candidate import (
    Candidate,
    of_answer,
    of_exchange,
    of_remark,
    of_remarks,
)
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day, named_day
from voice_server.digest.threads.speech.phrases import Kind, has_hour, names_a_time, times_named
from voice_server.digest.threads.speech.references import clauses, says_when, takes_leave, what_holds
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, from_place

_NO_EVENT: tuple[Kind, ...] = ("refused", "cancelled", "unplanned", "sum")
_MINDING: tuple[Kind, ...] = (
    "no", "refused", "cancelled", "deferral", "enquiry", "waiting", "correction", "moved",
)  # fmt: skip
_LONGEST_TOLD = 12  # words of “Let me see, that's Friday at ten, with Ann”
_FORTNIGHT = 14  # days
_SOME_WORDS = 8  # sentences between an offer and its whole time said again
_BRIEF_NUMBER = 4  # words of "Four it is"


def put_down(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “There's a reading on Saturday at ten. Shall I put him down?” – “Please, yes.”"""
    if remark.said_by != "agent" or not talk.asks(remark) or not talk.has(remark, "puts_down"):
        return None
    told = talk.sentence_before(remark)
    if told is None or talk.asks(told) or tells_when_open(talk, told) or talk.has(told, *_NO_EVENT):
        return None
    answer = next((one for one in talk.after(remark) if talk.phrases.opens("yes", one.marked)), None)
    day = due_day(told, talk.phrases)
    if answer is None or day is None or takes_nothing(talk, answer):
        return None
    made = of_answer(talk, (told, remark), (answer,), "plan")
    return replace(made, appointment=True, thread=replace(made.thread, due=day))


def booked(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “You're down for Thursday”; what names no time is told with what it answers."""
    if talk.asks(remark) or not talk.has(remark, "booked") or talk.has(remark, "doubt", "waiting", "refused"):
        return None
    is_over = _tells_what_is_over(talk, remark) or (remark.said_by == "user" and _tells_of_then(talk, remark))
    return None if is_over else _told_or_wished(talk, remark)


def _told_or_wished(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    is_farewell = takes_leave(talk, remark)
    if remark.said_by == "user" and _does_not_want_it(talk, remark):
        return None
    asked = _asked_for_the_day(talk, remark)
    if asked is not None:
        made = of_exchange(talk, asked, remark, "plan", appointment=True)
        return replace(made, thread=replace(made.thread, due=due_day(asked, talk.phrases)))
    if _says_for_when(talk, remark) and not is_farewell:
        made = of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)
        countered = day_countered(talk, remark)
        return replace(made, thread=replace(made.thread, due=countered)) if countered else made
    told = _told_just_before(talk, remark)
    if told is not None:
        text = quoting.sentences(told, remark)
        return of_remarks(talk, (told, remark), "plan", remark.said_by, text, appointment=True)
    return _booked_as_wished(talk, remark, is_farewell=is_farewell)


def _does_not_want_it(talk: ThreadTalk, remark: Remark) -> bool:
    """“Shall I remind you on Friday?” – “No need, I've got it noted.”, “You needn't text me the day before,
    I've got it in my diary.”"""
    refuses = talk.phrases.opens("no", remark.marked) or talk.has(remark, "day_before", "no_reminder")
    another = is_excuse(talk, remark) or wishes_for_another(talk, remark)
    return refuses or another or _is_given_up(talk, remark)


def _is_given_up(talk: ThreadTalk, remark: Remark) -> bool:
    """“I've got a cut and colour on Friday at eleven, I can't make it.”, not “…, so I can't make it to the
    shops.”"""
    last = max((one.end() for one in times_named(remark.marked)), default=None)
    if last is None:
        return False
    rest = from_place(remark, last)
    return talk.has(rest, "cancelled") and talk.has(rest, "unable") and not talk.undated(rest)


def _asked_for_the_day(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return the wish of “Could I ride on Saturday?” – “I'll put you down for ten o'clock.”"""
    is_hour = remark.said_by == "agent" and has_hour(remark.marked) and not talk.days(remark)
    asked = [one for one in talk.before(remark) if talk.asks(one) and talk.days(one)] if is_hour else []
    names_another = any(talk.days(one) for one in talk.message(remark))
    return asked[-1] if asked and not names_another and due_day(asked[-1], talk.phrases) else None


def _tells_what_is_over(talk: ThreadTalk, remark: Remark) -> bool:
    """“Sono iscritto da settembre.”, “Mi sono trasferito a ottobre.”"""
    if not names_a_time(remark.marked) or has_hour(remark.marked) or talk.has(remark, "moved"):
        return False
    if remark.said_by == "user" and _says_since_when(talk, remark):
        return True
    said = spoken_dates(remark.text, remark.said_on, talk.phrases.tag, remark.before)
    is_past = bool(said) and all(one.last < remark.said_on for one in said)
    return is_past and due_day(remark, talk.phrases) is None


def _booked_as_wished(talk: ThreadTalk, remark: Remark, *, is_farewell: bool) -> Candidate | None:
    about = _wished(talk, remark)
    if about is None or (is_farewell and not _repeats_the_day(talk, about, remark)):
        return None
    is_off = _is_called_off(talk, about)
    if is_off or other_hour(talk, about) or _told_another_day(talk, about, remark):
        return None
    wish = wish_of_the_hour(talk, about)
    if wish is None:
        return of_exchange(talk, about, remark, "plan", appointment=True)
    text = quoting.answered(quoting.sentences(wish, about), remark.text)
    return of_remarks(talk, (wish, about, remark), "plan", remark.said_by, text, appointment=True)


def _is_called_off(talk: ThreadTalk, about: Remark) -> bool:
    """“I'd like to cancel Tuesday at ten.” – “That's noted.”, not “I can't do Tuesday, could I come on
    Thursday?”"""
    timed = [one for one in clauses(about, talk) if names_a_time(one.marked)]
    is_off = bool(timed) and all(talk.has(one, "cancelled") for one in timed)
    return is_off and not talk.has(about, "moved")


def _told_another_day(talk: ThreadTalk, about: Remark, remark: Remark) -> bool:
    """“He's coming on Sunday.” – “I'll find you a song for Monday.” – “Yes, please.” – “Noted.”"""
    own = (r for r in talk.remarks[about.place + 1 : remark.place] if r.said_by == remark.said_by)
    idle: tuple[Kind, ...] = ("unplanned", "refused", "cancelled", "has_on")  # “On Monday I'm away.”
    told = (r for r in own if r.position < remark.position and not (talk.asks(r) or talk.has(r, *idle)))
    return any(due_day(r, talk.phrases) not in (None, due_day(about, talk.phrases)) for r in told)


def _told_just_before(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return the time in the same breath: “The tenth at one, then. You're booked.”"""
    before = talk.sentence_before(remark)
    is_time = before is not None and names_a_time(before.marked) and not talk.asks(before)
    is_brief = before is not None and len(before.text.split()) <= LONGEST_AGAIN
    return before if is_time and is_brief else None


def standing(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “You're with Ann on Friday at ten”, which is booked already, and the day that is told to who asks
    for it: “When's my appointment?” – “It's on Friday.”"""
    if remark.said_by == "user" or talk.asks(remark) or says_which_weekday(talk, remark):
        return None
    holds = what_holds(talk, remark)
    # Most do not: a day costs more to read.
    made = _stands_or_was_asked_for(talk, remark, holds) or _moved_to(talk, remark)
    return made if made is not None and is_sure_of_its_day(talk, holds) else None


def _stands_or_was_asked_for(talk: ThreadTalk, remark: Remark, holds: Remark) -> Candidate | None:
    if holds is not remark and talk.has(holds, "standing", "moved"):
        return of_remark(talk, holds, "plan", quoting.quote(remark), appointment=True)
    if talk.has(remark, "standing"):
        return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)
    asked = next((one for one in talk.before(remark) if _asks_for_its_day(talk, one, remark)), None)
    is_brief = len(remark.text.split()) <= _LONGEST_TOLD and not talk.has(remark, "waiting")
    if asked is None or not is_brief:
        return None
    return of_exchange(talk, asked, remark, "plan", appointment=True)


def _moved_to(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “They've moved your test.” – “To when?” – “Thursday the seventeenth, quarter past two.”"""
    asked = next((one for one in talk.before(remark) if talk.has(one, "asked_of_it")), None)
    told = talk.before(asked) if asked is not None else ()
    moved = next((one for one in reversed(told) if talk.has(one, "moved") and not talk.asks(one)), None)
    if asked is None or moved is None or len(remark.text.split()) > _LONGEST_TOLD:
        return None
    text = quoting.exchange(*(quoting.shortened(one.text) for one in (moved, asked, remark)))
    made = of_remarks(talk, (moved, asked, remark), "plan", "agent", text, appointment=True)
    return replace(made, thread=replace(made.thread, due=due_day(remark, talk.phrases)))


def _asks_for_its_day(talk: ThreadTalk, asked: Remark, remark: Remark) -> bool:
    """“When's the meeting?”, “Can my sister pick up the key?” – “Yes, on Monday at nine.”"""
    may_come = talk.has(asked, "may_come") and talk.phrases.opens("yes", remark.marked)
    return talk.has(asked, "asked_own") or (may_come and not talk.has(remark, "opens_at", "promise"))


def is_sure_of_its_day(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether a day to come is named, and what is on it."""
    day = due_day(remark, talk.phrases)
    if day is None or day < remark.said_on:
        return False
    if talk.has(remark, "doubt", "unplanned", "cancelled", "not_done"):
        return False
    return not talk.phrases.is_recurring(remark.plain) and not takes_leave(talk, remark)


def _says_for_when(talk: ThreadTalk, remark: Remark) -> bool:
    """“Four it is”, “Cabin 7 it is” do not: a mere number may be of anything."""
    is_number = not names_a_time(remark.marked) and len(remark.text.split()) <= _BRIEF_NUMBER
    return says_when(talk, remark) and not is_number


def _wished(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Find the latest wish for a time by the other party; None where the two agreed on one."""
    latest = talk.remarks[max(0, remark.place - LATEST) : remark.place]
    earlier = [r for r in latest if remark.position - r.position <= SHORTLY]
    if any(accepted_proposal(talk, r) for r in earlier):
        return None
    others = [r for r in earlier if r.said_by != remark.said_by and not talk.has(r, "farewell")]
    others = [r for r in others if talk.asks(r) or not talk.has(r, "rise")]
    others = [r for r in others if not (only_recurs(talk, r) or _says_since_when(talk, r))]
    others = [r for r in others if not _tells_of_then(talk, r)]
    timed = [r for r in others if wishes_for_a_time(talk, r) and not is_taken_back(talk, r)]
    return timed[-1] if timed else None


def _tells_of_then(talk: ThreadTalk, remark: Remark) -> bool:
    """“I said she was nine, well, she turned ten in October.”"""
    is_past = bool(talk.days(remark)) and tells_of_the_past(remark.text, talk.phrases.tag)
    is_wish = talk.asks(remark) or talk.has(remark, *LOOKED_FOR, "preferred", "moved")
    return is_past and not is_wish and due_day(remark, talk.phrases) is None


def _says_since_when(talk: ThreadTalk, remark: Remark) -> bool:
    """“Since Monday, several times a day.”"""
    is_ahead = due_day(remark, talk.phrases) is not None or has_hour(remark.marked)
    is_one = len(talk.phrases.weekdays(remark.plain)) <= 1  # “since Monday Tuesday would suit me”
    return talk.has(remark, "unplanned") and not is_ahead and is_one


def said_again(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read a time of the user's that the agent says again: “Eleven would be better.” – “Monday at eleven.”,
    or with which it ends the search."""
    if remark.said_by != "agent" or talk.asks(remark) or tells_when_open(talk, remark):
        return None
    if not begins_with_a_time(remark) and not _says_its_offer_again(talk, remark):
        return None
    if talk.has(
        remark, "doubt", "unplanned", "cancelled", "refused", "waiting", "done", "promise", "not_done"
    ):
        return None
    named = [r for r in talk.before(remark) if _names_the_same(talk, r, remark)]
    if not named and (_ends_the_search(talk, remark) or _says_its_offer_again(talk, remark)):
        return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)
    if not named or not _is_looked_for(talk, remark) or other_hour(talk, named[-1]) is not None:
        return None
    made = of_exchange(talk, named[-1], remark, "plan", appointment=True)
    due = day_countered(talk, remark) or made.thread.due or day_offered(talk, remark)
    return replace(made, thread=replace(made.thread, due=None if made.is_weekly else due))


def taken_in_the_end(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read the whole time that the agent offered some words before: “Thursday, twenty past nine? You'd be
    fasting.” – “No tea even?” – “Water only.” – “Okay, twenty past nine Thursday.”"""
    hours = talk.clocks(remark)
    is_whole = remark.said_by == "user" and bool(hours and talk.days(remark)) and not talk.asks(remark)
    if not is_whole or talk.undated(remark) - words_of_hours(talk, remark) or takes_nothing(talk, remark):
        return None
    weekdays = talk.phrases.weekdays(remark.plain)
    near = talk.remarks[max(0, remark.place - _SOME_WORDS) : remark.place]
    asked = (one for one in near if one.said_by == "agent" and talk.asks(one) and talk.clocks(one) == hours)
    earlier = (one for one in asked if one.position < remark.position - 1)  # else `accepted_proposal` says
    offers = [one for one in earlier if talk.phrases.weekdays(one.plain) & weekdays]
    return of_exchange(talk, offers[-1], remark, "plan", appointment=True) if offers else None


def week_later(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “This Saturday?” – “Not this one, the next.” – “All right, the 28th.”"""
    if remark.said_by == "user" or not _is_brief(remark):
        return None
    meant = next((one for one in talk.before(remark) if talk.has(one, "next_one")), None)
    if meant is None or talk.asks(remark):
        return None
    asked = (one for one in talk.before(meant) if talk.asks(one))
    weekdays = frozenset[int]().union(*(talk.phrases.weekdays(one.plain) for one in asked))
    numbers = talk.phrases.numbers(remark.plain)
    ahead = (remark.said_on + timedelta(days=n) for n in range(1, _FORTNIGHT + 1))
    day = next((one for one in ahead if one.day in numbers and one.weekday() in weekdays), None)
    if day is None or talk.has(remark, "doubt", "refused", "cancelled"):
        return None
    made = of_exchange(talk, meant, remark, "plan", appointment=True)
    return replace(made, thread=replace(made.thread, due=day))


def _is_brief(remark: Remark) -> bool:
    return len(remark.text.split()) <= LONGEST_AGAIN


def _ends_the_search(talk: ThreadTalk, remark: Remark) -> bool:
    """“Could Dawn start on the 3rd?” – “I could send Kevin.” – “Kevin's fine.” – “So Thursday the 3rd at
    nine.”, unless the caller then wants another."""
    if not talk.has(remark, "concluded") or not (talk.days(remark) and has_hour(remark.marked)):
        return False
    latest = talk.remarks[max(0, remark.place - LATEST) : remark.place]
    near = (r for r in latest if remark.position - r.position <= SHORTLY)
    is_looked_for = any(talk.asks(r) and says_when(talk, r) for r in near)
    return is_looked_for and not any(takes_nothing(talk, reply) for reply in talk.after(remark)[:1])


def _says_its_offer_again(talk: ThreadTalk, remark: Remark) -> bool:
    """“He's got half past eleven tomorrow, but only for a cut.” – “Just the cut then.” – “Half past eleven
    tomorrow, a cut.”"""
    replies = talk.before(remark)
    offers = talk.before(replies[0]) if replies else ()
    day = due_day(remark, talk.phrases)
    is_offered = day is not None and any(
        day == due_day(one, talk.phrases) and repeats_the_hour(talk, one, remark) for one in offers
    )
    minds = any(talk.asks(one) or talk.has(one, *_MINDING) for one in replies)
    return is_offered and not minds and not any(takes_nothing(talk, one) for one in talk.after(remark)[:1])


def _names_the_same(talk: ThreadTalk, said: Remark, again: Remark) -> bool:
    """Tell whether the time is said again, and nothing asked but whether it suits."""
    wishes = talk.has(said, "preferred", "correction", "moved")
    if talk.asks(said) and not wishes and (talk.undated(said) or len(said.text.split()) > LONGEST_CHOICE):
        return False
    if named_day(said, talk.phrases) is None and not has_hour(said.marked):
        return False  # "It was Thursday."
    is_off = talk.has(said, "unplanned", "cancelled") and not talk.has(said, "correction", "preferred")
    is_off = is_off and not _offers_the_other(talk, said, again)
    same = repeats(talk, said, again) or repeats_the_hour(talk, said, again)
    return same and not is_off and not talk.phrases.is_recurring(said.plain)


def _offers_the_other(talk: ThreadTalk, said: Remark, again: Remark) -> bool:
    """“El sábado no puedo, el lunes sí.” – “El lunes, entonces.”"""
    days = due_day(said, talk.phrases), due_day(again, talk.phrases)
    return len(talk.phrases.weekdays(said.plain)) > 1 and days[0] is not None and days[0] == days[1]


def _is_looked_for(talk: ThreadTalk, remark: Remark) -> bool:
    latest = talk.remarks[max(0, remark.place - LATEST) : remark.place]
    near = [r for r in latest if remark.position - r.position <= SHORTLY]
    asked = any(
        r.said_by == "agent" and talk.asks(r) and (talk.has(r, "asked_when") or says_when(talk, r))
        for r in near
    )
    return asked or any(r.said_by == "user" and talk.has(r, "moved", "preferred", "correction") for r in near)


def _repeats_the_day(talk: ThreadTalk, wish: Remark, farewell: Remark) -> bool:
    """“We're away from the 3rd, so that Thursday is out” is another day."""
    days = [due_day(remark, talk.phrases) for remark in (wish, farewell)]
    return days[0] == days[1] and repeats(talk, wish, farewell)
