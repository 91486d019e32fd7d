"""The one appointment that gives way to another agreed on in its place, on another day or at another hour."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from voice_server.digest.dates.dates import names_a_day, undated
from voice_server.digest.threads.closing.earlier import ThreadWords, last_said
from voice_server.digest.threads.closing.rescheduling.calling_off import (
    days_given_up,
    is_a_reminder,
    is_agreed,
    is_of_the_day_before,
    is_series,
    stays_as_a_series,
)
from voice_server.digest.threads.opening.appointments.hours_instead import wishes_it_at_another_hour
from voice_server.digest.threads.opening.corrections.wished_days import wished_instead
from voice_server.digest.threads.speech.due import days_named, due_day, whole_day
from voice_server.digest.threads.speech.phrases import Kind, Phrases, names_a_time, times_named
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, from_place
from voice_server.domain.digest import EarlierThread, OpenThread

_FEW_MATTERS = 1
_JUST_BEFORE = 2  # messages
_A_MOVE = timedelta(days=14)
_A_DAY = timedelta(days=1)
_A_WEEK = timedelta(days=7)
_HINDERED: tuple[Kind, ...] = ("has_on", "elsewhere", "unable", "unplanned")
_COMES: tuple[Kind, ...] = ("visit", "visits", "coming", "call_back", "window", "standing", "booked", "slot")


def rescheduled(
    known: Sequence[ThreadWords], opened: Sequence[OpenThread], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“She's off that week. Could we do the 16th?” – “I can do that.” Who wants one more keeps the old."""
    granted = [one for one in opened if is_agreed(one) or _is_granted_as_a_move(one, talk)]
    agreed = [one for one in granted if not _asks_a_reminder(one, talk.phrases)]
    today = talk.remarks[0].said_on
    plans = [one for one in known if one.thread.due is None or one.thread.due >= today]
    by_one = [one for one in plans if one.thread.kind == "plan" or _is_promised_for_a_day(one.thread)]
    fixed = [one for one in plans if is_agreed(one.thread) and _has_a_day(one.thread, talk.phrases)]
    ahead = _of_a_day_moved(fixed or by_one, talk)
    if not agreed or len(ahead) != 1 or any(new.due == ahead[0].thread.due for new in agreed if new.due):
        return
    until = max(position for new in agreed for position in new.positions)
    said = [one for one in talk.remarks if one.position <= until or _says_it_is_moved(one, until, talk)]
    if _is_of_another_day(ahead[0].thread, said, talk):
        return
    given_up = next((remark for remark in said if _gives_up(remark, opened, talk)), None)
    is_meant = given_up is not None and (
        is_agreed(ahead[0].thread)
        or any(_is_granted_as_a_move(new, talk) for new in agreed)
        or _is_moved_by(given_up, ahead[0].thread, talk)
        or _will_not_do_then(given_up, ahead[0], agreed, talk)
    )
    if not is_meant:
        instead = (one for one in said if _asks_instead(one, ahead[0], agreed, talk))
        given_up = next(instead, None) or _wish_for_another_day(ahead[0], said, talk)
        given_up = given_up or _day_before_the_same_hour(ahead[0], said, talk)
        given_up = given_up or _hindered_then(ahead[0], said, talk)
    asked = (remark for remark in said if given_up and remark.position <= given_up.position)
    wants_more = any(_wants_more(remark, talk) for remark in asked)
    is_once = given_up is not None and stays_as_a_series(ahead[0], given_up, talk)
    if given_up is None:
        yield from ahead if _is_made_instead(ahead[0], agreed, said, talk) else ()
    elif not wants_more and not is_once:
        yield ahead[0]


def _is_granted_as_a_move(new: OpenThread, talk: ThreadTalk) -> bool:
    """“We're coming a day later after all, from the 5th to the 7th.” – “Changed.”"""
    is_told = new.kind in ("plan", "promise") and new.said_by == "user" and new.due is not None
    replies = (
        one for one in talk.remarks if one.said_by == "agent" and one.position == new.positions[-1] + 1
    )
    return is_told and any(talk.has(one, "moved") and not talk.asks(one) for one in replies)


def _says_it_is_moved(remark: Remark, until: int, talk: ThreadTalk) -> bool:
    """“Tuesday at five's perfect.” – “I've changed it over.”"""
    is_reply = remark.said_by == "agent" and remark.position == until + 1
    return is_reply and talk.has(remark, "moved") and not talk.asks(remark)


def _asks_a_reminder(thread: OpenThread, phrases: Phrases) -> bool:
    """“Will you remind me on Monday to bring the photo?” – “I'll remind you.” is on no other day instead."""
    return thread.kind == "request" and is_a_reminder(thread, phrases)


def _has_a_day(thread: EarlierThread, phrases: Phrases) -> bool:
    """Tell so not of “Can I take a card to hold it?” – “Sure.”, nor of a reminder."""
    if is_a_reminder(thread, phrases) or is_of_the_day_before(thread, phrases):
        return thread.kind == "plan"
    return thread.kind == "plan" or thread.due is not None or is_series(thread, phrases)


def _wish_for_another_day(one: ThreadWords, said: Sequence[Remark], talk: ThreadTalk) -> Remark | None:
    """Return “Could we do a day later?”, or “the Tuesday of that same week?”."""
    due = one.thread.due
    if due is None:
        return None
    about = one.own | one.around
    wishes = (remark for remark in said if wished_instead(talk, remark, due, about) is not None)
    return next(wishes, None)


def _day_before_the_same_hour(one: ThreadWords, said: Sequence[Remark], talk: ThreadTalk) -> Remark | None:
    """Return “Tuesday I've got parent-teacher night.” – “Wednesday, same time?”"""
    offers = [r for r in said if r.said_by == "agent" and talk.has(r, "same_hour") and talk.days(r)]
    before = (r for r in said if r.said_by == "user" and offers and r.place < offers[0].place)
    return next((r for r in before if one.thread.due in days_named(r, talk.phrases)), None)


def _hindered_then(one: ThreadWords, said: Sequence[Remark], talk: ThreadTalk) -> Remark | None:
    """Return “I'm stuck at work on Tuesday.” of who goes on “Would Thursday do?”, or “Could it be later?”"""
    due = one.thread.due
    hindered = [r for r in said if r.said_by == "user" and talk.has(r, *_HINDERED) and not talk.asks(r)]
    if due is None or not is_agreed(one.thread):
        return None
    then = (r for r in hindered if due in days_named(r, talk.phrases) or _is_on_its_weekday(r, due, talk))
    return next((r for r in then if any(_asks_another_day(talk, q, due) for q in talk.message(r))), None)


def _is_on_its_weekday(remark: Remark, day: date, talk: ThreadTalk) -> bool:
    is_coming = timedelta() < day - remark.said_on <= _A_WEEK
    return is_coming and talk.phrases.weekdays(remark.plain) == {day.weekday()}


def _asks_another_day(talk: ThreadTalk, asked: Remark, day: date) -> bool:
    if not talk.asks(asked) or talk.undated(asked) & talk.beside(asked, "other_time"):
        return False
    weekdays = talk.phrases.weekdays(asked.plain)
    return talk.has(asked, "other_time") or bool(weekdays - {day.weekday()})


def _of_a_day_moved(ahead: Sequence[ThreadWords], talk: ThreadTalk) -> Sequence[ThreadWords]:
    """Of several, take the one on the day that is named beside the move: “And Tuesday, my wife's in hospital
    then. We'd have to move the appointment.”"""
    if len(ahead) <= 1:
        return ahead
    if any(one.said_by == "user" and talk.has(one, "other_time") for one in talk.remarks):
        hourly = [one for one in ahead if _hours(one.thread, talk.phrases)]  # “Could it be a bit earlier?”
        return hourly if len(hourly) == 1 else ahead
    moving = [one for one in talk.remarks if one.said_by == "user" and talk.has(one, "moved")]
    if not moving:
        return ahead
    first = moving[0]
    near = (one for one in talk.remarks[: first.place] if first.position - one.position <= _JUST_BEFORE)
    said = [one for one in near if one.said_by == "user"]
    days = {due_day(one, talk.phrases) for one in said}
    meant = [one for one in ahead if one.thread.due in days and one.thread.due is not None]
    return meant if len(meant) == 1 else ahead


def _is_of_another_day(thread: EarlierThread, said: Sequence[Remark], talk: ThreadTalk) -> bool:
    """“My daughter can't come on the 2nd, hers needs moving.”, or “I can't make it today.”"""
    by_user = [one for one in said if one.said_by == "user"]
    moving = (one for one in by_user if talk.has(one, "cancelled", "moved"))
    days = frozenset[date]().union(*(days_given_up(one, talk) for one in moving))
    days |= frozenset(day for one in by_user if (day := _day_given_up(one, talk)) is not None)
    return thread.due is not None and bool(days) and thread.due not in days


def _day_given_up(remark: Remark, talk: ThreadTalk) -> date | None:
    """“Hoy no puedo, estoy enfermo.”"""
    day = whole_day(remark, talk.phrases)
    return day if not talk.asks(remark) and due_day(remark, talk.phrases) is None else None


def _wants_more(remark: Remark, talk: ThreadTalk) -> bool:
    """“And another on Friday”, not “And another thing”, nor the agent's “Encore désolé”."""
    says_something = remark.said_by == "user" or talk.asks(remark) or talk.has(remark, "time")
    plain = talk.phrases.plain_besides("other_matter", remark.plain, remark.marked)
    said = talk.phrases.besides_days(plain, remark.marked)
    wants_more = says_something and talk.phrases.wants_more(said)
    return wants_more and not talk.has(remark, "other_time")  # “a week later”, “another time”


def at_another_hour(
    known: Sequence[ThreadWords], opened: Sequence[OpenThread], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“Could you come a bit later on the ninth? Quarter to five?” – “Yes, go on.” takes the place of the one
    appointment of that day."""
    phrases = talk.phrases
    for new in opened:
        hours = _hours_agreed(new, phrases)
        same = _of_its_day(known, new, talk) if is_agreed(new) and hours else []
        before_it = (one for one in talk.remarks if one.position in (*new.positions, new.positions[0] - 1))
        wants_more = any(_wants_more(one, talk) for one in before_it)
        if not wants_more and len(same) == 1 and is_agreed(same[0].thread):
            before = _hours(same[0].thread, phrases)
            named = _least_named(new, phrases) - same[0].own - same[0].around
            if before and before.isdisjoint(hours) and len(named) <= _FEW_MATTERS:
                yield same[0]


def _of_its_day(known: Sequence[ThreadWords], new: OpenThread, talk: ThreadTalk) -> list[ThreadWords]:
    """Return the threads of the day; of “Could I come at twelve instead?”, which names none, the appointments
    that are ahead."""
    if new.due is not None:
        return [one for one in known if one.thread.due == new.due]
    said = [remark for remark in talk.remarks if remark.position in new.positions]
    before = [one for one in talk.remarks if one.position == new.positions[0] - 1]
    is_instead = any(talk.has(one, "preferred", "correction", "moved", "has_to_be") for one in said)
    is_instead = is_instead or any(talk.has(one, "same_day") for one in (*before, *said))
    is_instead = is_instead or any(wishes_it_at_another_hour(talk, one) for one in (*before, *said))
    is_alone = not any(talk.days(one) or talk.phrases.is_recurring(one.plain) for one in said)
    if not (is_instead and is_alone):
        return []
    return [one for one in known if is_agreed(one.thread) and one.is_due_after(new.said_on - _A_DAY)]


def _hours_agreed(thread: OpenThread, phrases: Phrases) -> frozenset[str]:
    """Return the hours of the answer: “Half past eleven instead of ten?” – “Half past eleven's fine.”"""
    answer = undated(thread.text).rpartition(ANSWERED)[2]
    return _clocks(thread, answer, phrases) or _hours(thread, phrases)


def _hours(thread: EarlierThread | OpenThread, phrases: Phrases) -> frozenset[str]:
    return _clocks(thread, undated(thread.text), phrases)


def _clocks(thread: EarlierThread | OpenThread, text: str, phrases: Phrases) -> frozenset[str]:
    plain = phrases.without_sums(phrases.plain(text))  # “it costs ten pounds a day”
    return phrases.clocks(plain, phrases.marked(plain)) if thread.kind == "plan" else frozenset()


def _is_made_instead(
    old: ThreadWords, agreed: Sequence[OpenThread], said: Sequence[Remark], talk: ThreadTalk
) -> bool:
    """“I've been called in to work, can he come in the evening?” – “We've got Tuesday.” – “Perfect.” means
    the one appointment there is, where nobody asks for one, or for one more, and nothing new is named."""
    is_known = is_agreed(old.thread) or _is_promised_to_come(old.thread, talk.phrases)
    if len(agreed) != 1 or agreed[0].due is None or not is_known or old.thread.due is None:
        return False
    if agreed[0].kind == "request" and agreed[0].said_by == "agent":
        return False  # “I'll pay the deposit on Wednesday, okay?” – “Okay.”
    if any(talk.has(one, "wants_a_visit", "other_matter") or _wants_more(one, talk) for one in said):
        return False
    if _hours(agreed[0], talk.phrases) and not names_a_day(undated(agreed[0].text), talk.phrases.tag):
        return False  # another hour of a day that was spoken of
    named = talk.phrases.besides_deeds(_named_in_the_offer(agreed[0], talk.phrases) - old.own - old.around)
    is_near = abs(agreed[0].due - old.thread.due) <= _A_MOVE  # a check-up weeks later is one more
    return is_near and len(named) <= _FEW_MATTERS


def _least_named(new: OpenThread, phrases: Phrases) -> frozenset[str]:
    """Return what the offer or its answer is about, whichever says less, without numbers of days: in “The
    eleventh?” – “Yes, we've enough wood until then” the wood is beside the matter."""
    parts = [phrases.plain(part) for part in undated(new.text).split(ANSWERED)]
    return min((phrases.matters(part) - phrases.numbers_in_words(part) for part in parts), key=len)


def _named_in_the_offer(new: OpenThread, phrases: Phrases) -> frozenset[str]:
    """Return what the agent names beside the time: the crown of “The crown is down for the tenth.” – “The
    tenth, fine.” Where it names nothing, or the user offers, what is least named."""
    offers = [phrases.plain(part) for part in undated(new.text).split(ANSWERED)[:-1]]
    offers = offers if new.said_by == "user" else []
    timed = [part for part in offers if names_a_time(phrases.marked(part))]
    named = (phrases.matters(part) - phrases.numbers_in_words(part) for part in timed)
    return max(named, key=len, default=frozenset()) or _least_named(new, phrases)


def _is_promised_for_a_day(thread: EarlierThread) -> bool:
    return thread.said_by == "agent" and thread.due is not None


def _is_promised_to_come(thread: EarlierThread, phrases: Phrases) -> bool:
    """“I'll move the money over next week.” is no visit that another day takes the place of."""
    said = phrases.marked(last_said(thread, phrases))
    return _is_promised_for_a_day(thread) and any(phrases.has(kind, said) for kind in _COMES)


def _asks_instead(remark: Remark, old: ThreadWords, agreed: Sequence[OpenThread], talk: ThreadTalk) -> bool:
    """Tell whether the agent names the old day, and asks for another and for nothing else: “We're closed on
    Thursday. Does Friday at ten work?”, not “You're in on Thursday. Could you come on Friday to sign?”"""
    proposed = any(new.positions[0] - remark.position in (0, 1) for new in agreed)  # or a day said back
    if remark.said_by != "agent" or not proposed or old.thread.due is None or not talk.asks(remark):
        return False
    before = [one for one in talk.message(remark) if one.place < remark.place]
    named = talk.phrases.weekdays(" ".join(one.plain for one in (*before, remark)))
    asked = from_place(remark, talk.phrases.asks_from(remark.marked))
    days = [day for one in (*before, remark) if (day := due_day(one, talk.phrases)) is not None]
    others = {day.weekday() for day in days if day - old.thread.due >= _A_MOVE}  # “Tuesday the 15th”
    names_it = old.thread.due.weekday() in named - others or old.thread.due in days
    return names_it and talk.phrases.is_nothing_but(talk.undated(asked), old.own)


def _is_moved_by(remark: Remark, thread: EarlierThread, talk: ThreadTalk) -> bool:
    """Tell whether who moves something means this: the agent what it promised itself (“it'll be the 27th
    now”), the user a plan where nothing else is named (“we must move to Friday”, not “move my eye test”)."""
    if thread.kind == "promise":
        return remark.said_by == "agent"
    found = talk.find("moved", remark.marked)
    times = [time.start() for time in times_named(remark.marked) if found and time.start() > found.start()]
    if found is None or not times:
        return False
    _, _, moved = remark.plain[found.start() : times[0]].partition(" ")
    return not talk.phrases.matters(moved)


def _will_not_do_then(
    moving: Remark, old: ThreadWords, agreed: Sequence[OpenThread], talk: ThreadTalk
) -> bool:
    """“Can I swap my crossing to the Sunday? I can't get off work Saturday.” means the one on Saturday, not
    the one because of which: “… I can't, because of the dentist.”"""
    thread = old.thread
    if moving.said_by != "user" or thread.kind != "plan" or thread.due is None:
        return False
    weekday = thread.due.weekday()
    is_refused = any(talk.has(one, "no", "refused") for one in talk.after(moving)[:1])
    if is_refused or any(one.due is not None and one.due.weekday() == weekday for one in agreed):
        return False
    named = [one for one in talk.message(moving) if weekday in talk.phrases.weekdays(one.plain)]
    is_the_reason = any(one != moving and talk.matters(one) & old.own for one in named)
    return bool(named) and (not is_the_reason or bool(talk.matters(moving) & old.own))


def _gives_up(remark: Remark, opened: Sequence[OpenThread], talk: ThreadTalk) -> bool:
    """Tell whether it gives up the old one: with the new appointment, of its day, or of little else."""
    if not (talk.has(remark, "moved", "cancelled") or _corrects_an_earlier_call(remark, talk)):
        return False
    day = due_day(remark, talk.phrases)
    is_new = any(
        remark.position in {*new.positions, new.positions[0] - 1} or (day and day == new.due)
        for new in opened
    )
    return is_new or len(talk.undated(remark)) <= _FEW_MATTERS


def _corrects_an_earlier_call(remark: Remark, talk: ThreadTalk) -> bool:
    """“Make it Friday then.”, where nobody has named a time in this call yet."""
    corrects = remark.said_by == "user" and talk.has(remark, "correction")
    return corrects and not any(talk.has(r, "time") for r in talk.remarks if r.place < remark.place)
