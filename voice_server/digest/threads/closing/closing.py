"""The closing of earlier threads by a later conversation.

A remark has a word of the thread and says that it is done, off or moved; or the agent asks and the caller
says so; or the caller says so of nothing in particular where one thread alone can be meant. Who promised to
call back keeps it by calling. The one appointment gives way to another agreed on in its place.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import chain, islice

from voice_server.digest.dates.dates import names_a_day, tells_of_the_past, undated
from voice_server.digest.threads.closing.answers import answered
from voice_server.digest.threads.closing.calling_off import (
    called_off,
    days_given_up,
    denied,
    fell_through,
    is_a_reminder,
    is_agreed,
    is_series,
    stays_as_a_series,
)
from voice_server.digest.threads.closing.day_denied import day_denied
from voice_server.digest.threads.closing.decided import decided
from voice_server.digest.threads.closing.earlier import (
    ThreadWords,
    is_agents_promise,
    is_promised_call,
    last_said,
    promised_matters,
)
from voice_server.digest.threads.closing.found_out import found_out
from voice_server.digest.threads.closing.handed_in import handed_in
from voice_server.digest.threads.closing.kept_promises import kept_promises
from voice_server.digest.threads.closing.lapsed import lapsed
from voice_server.digest.threads.closing.next_talks import asked_as_promised, next_talks, taken_up_now
from voice_server.digest.threads.closing.not_needed import no_longer_needed
from voice_server.digest.threads.closing.outcomes import (
    WHOM_AND_WHAT,
    is_to_ask,
    told_as_it_is,
    told_how_it_was,
    told_how_its_thing_was,
)
from voice_server.digest.threads.closing.sent import sent, told_to_be_here
from voice_server.digest.threads.opening.appointments.hours_instead import wishes_it_at_another_hour
from voice_server.digest.threads.opening.corrections.wished_days import wished_instead
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import days_named, due_day, whole_day
from voice_server.digest.threads.speech.phrases import DONE, Kind, Phrases, around, times_named
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import (
    about_asked,
    asks_afterwards,
    asks_whether_done,
    clauses,
    is_denied,
    names_done,
)
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, from_place
from voice_server.domain.digest import EarlierThread, OpenThread

_SAME = 0.5
_BRIEF_NEARLY = 4  # words
_FEW_MATTERS = 1
_JUST_BEFORE = 2  # messages
_A_MOVE = timedelta(days=14)
_A_DAY = timedelta(days=1)
_COMPOUNDED = 4  # letters, at least, before the end of a compound
_OF_OTHERS: tuple[Kind, ...] = ("call_back", "enquiry", "deferral")
_STILL_OPEN: tuple[Kind, ...] = ("deferral", "promise", "bare_promise", "waiting", "not_done", "doubt")
_ANSWERS: tuple[Kind, ...] = ("slot", "proposal", "booked", "standing", "coming")
_COMES: tuple[Kind, ...] = ("visit", "visits", "coming", "call_back", "window", "standing", "booked", "slot")
_PLURAL = re.compile(r"(?<=\w{4})s\b")
_BY_ANOTHER_DAY: tuple[Kind, ...] = ("by_now", "sooner", "other_time", "correction")
_ENOUGH = 2  # words of a question that an answer shares with it


def closed_by(
    threads: Sequence[ThreadWords], talk: ThreadTalk, opened: Sequence[OpenThread], *, is_call: bool
) -> frozenset[int]:
    """Return the ids of the threads that a conversation settles or opens anew. `opened` is what it leaves
    open itself. `is_call`: the two speak, and do not write."""
    if not threads or not talk.remarks:
        return frozenset()
    anew = {one.thread.id for one in threads if any(_is_opened_anew(one, new, talk) for new in opened)}
    anew |= {one.thread.id for one in _dated_instead(threads, opened, talk)}
    over = (
        kept_promises(threads, talk, is_call=is_call),
        next_talks(threads, talk) if is_call else (),
        taken_up_now(threads, talk),
        asked_as_promised(threads, talk),
        lapsed(threads, talk),
        answered(threads, talk),
        found_out(threads, talk),
        decided(threads, talk),
        handed_in(threads, talk),
        sent(threads, talk),
        told_to_be_here(threads, talk),
        day_denied(threads, talk),
    )
    ids = {one.thread.id for one in chain.from_iterable(over)}
    for remark in talk.remarks:
        ids |= {one.thread.id for one in _settled(remark, threads, talk)}
    ids |= called_off(threads, talk, opened)
    ids |= {one.thread.id for one in fell_through(threads, talk, opened)}
    ids |= {one.thread.id for one in (*denied(threads, talk), *no_longer_needed(threads, talk))}
    ids |= {one.thread.id for one in _rescheduled(threads, opened, talk)}
    ids |= {one.thread.id for one in _runs_otherwise(threads, opened, talk)}
    ids |= {one.thread.id for one in _at_another_hour(threads, opened, talk)}
    settled = [one for one in threads if one.thread.id in ids]
    ids |= {one.thread.id for one in threads if any(_led_to(other, one, talk) for other in settled)}
    return frozenset(ids | anew)


def _led_to(other: ThreadWords, one: ThreadWords, talk: ThreadTalk) -> bool:
    """“I must pay the bill.” – “Shall I remind you of it tonight?” – “Yes.”: what names nothing is over with
    the user's matter that led to it, and a reminder with the appointment of the same breath."""
    if other.thread.said_on != one.thread.said_on or one.thread.kind == "plan":
        return False
    names_nothing = not one.own and other.thread.said_by == "user"
    if names_nothing and not one.around.isdisjoint(other.own):
        return True
    is_of_it = one.own <= other.own and not (one.own | one.times).isdisjoint(other.own | other.times)
    return is_of_it and other.thread.kind == "plan" and is_a_reminder(one, talk.phrases)


def _rescheduled(
    known: Sequence[ThreadWords], opened: Sequence[OpenThread], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“She's off that week. Could we do the 16th?” – “I can do that.” Who wants one more keeps the old."""
    agreed = [one for one in opened if is_agreed(one)]
    today = talk.remarks[0].said_on
    plans = [one for one in known if one.thread.due is None or one.thread.due >= today]
    by_one = [one for one in plans if one.thread.kind == "plan" or _is_promised_for_a_day(one.thread)]
    fixed = [one for one in plans if is_agreed(one.thread) and _has_a_day(one.thread, talk.phrases)]
    ahead = _of_a_day_moved(fixed or by_one, talk)
    if not agreed or len(ahead) != 1 or any(new.due == ahead[0].thread.due for new in agreed if new.due):
        return
    until = max(position for new in agreed for position in new.positions)
    said = [remark for remark in talk.remarks if remark.position <= until]
    if _is_of_another_day(ahead[0].thread, said, talk):
        return
    given_up = next((remark for remark in said if _gives_up(remark, opened, talk)), None)
    is_meant = given_up is not None and (
        is_agreed(ahead[0].thread)
        or _is_moved_by(given_up, ahead[0].thread, talk)
        or _will_not_do_then(given_up, ahead[0].thread, agreed, talk)
    )
    if not is_meant:
        instead = (one for one in said if _asks_instead(one, ahead[0], agreed, talk))
        given_up = next(instead, None) or _wish_for_another_day(ahead[0], said, talk)
        given_up = given_up or _day_before_the_same_hour(ahead[0], said, talk)
    asked = (remark for remark in said if given_up and remark.position <= given_up.position)
    wants_more = any(_wants_more(remark, talk) for remark in asked)
    is_once = given_up is not None and stays_as_a_series(ahead[0], given_up, talk)
    if given_up is None:
        yield from ahead if _is_made_instead(ahead[0], agreed, said, talk) else ()
    elif not wants_more and not is_once:
        yield ahead[0]


def _has_a_day(thread: EarlierThread, phrases: Phrases) -> bool:
    """Tell so not of “Can I take a card to hold it?” – “Sure.”"""
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


def _of_a_day_moved(ahead: Sequence[ThreadWords], talk: ThreadTalk) -> Sequence[ThreadWords]:
    """Of several, take the one on the day that is named beside the move: “And Tuesday, my wife's in hospital
    then. We'd have to move the appointment.”"""
    moving = [one for one in talk.remarks if one.said_by == "user" and talk.has(one, "moved")]
    if len(ahead) <= 1 or not moving:
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


def _at_another_hour(
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
    if any(talk.has(one, "wants_a_visit", "other_matter") or _wants_more(one, talk) for one in said):
        return False
    if _hours(agreed[0], talk.phrases) and not names_a_day(undated(agreed[0].text), talk.phrases.tag):
        return False  # another hour of a day that was spoken of
    named = _least_named(agreed[0], talk.phrases) - old.own - old.around
    is_near = abs(agreed[0].due - old.thread.due) <= _A_MOVE  # a check-up weeks later is one more
    return is_near and len(named) <= _FEW_MATTERS


def _least_named(new: OpenThread, phrases: Phrases) -> frozenset[str]:
    """Return what the offer or its answer is about, whichever says less, without numbers of days: in “The
    eleventh?” – “Yes, we've enough wood until then” the wood is beside the matter."""
    parts = [phrases.plain(part) for part in undated(new.text).split(ANSWERED)]
    return min((phrases.matters(part) - phrases.numbers_in_words(part) for part in parts), key=len)


def _runs_otherwise(
    known: Sequence[ThreadWords], opened: Sequence[OpenThread], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“Could we do Tuesdays at six from now on?” – “Yes, Tuesdays at six.” takes the place of the one series
    that there is, if it is of nothing else."""
    running = [one for one in known if one.thread.kind == "plan" and is_series(one.thread, talk.phrases)]
    yield from _no_more(running, talk)
    yield from _on_another_day(running, opened, talk)
    agreed = [one for one in opened if is_agreed(one) and is_series(one, talk.phrases)]
    if len(running) != 1 or len(agreed) != 1:
        return
    said = [remark for remark in talk.remarks if remark.position <= agreed[0].positions[-1]]
    plain = talk.phrases.plain(agreed[0].text)
    named = min((talk.phrases.matters(text) for text in (plain, _singular(plain))), key=len)
    beside = named - running[0].own - running[0].around
    given_up = [remark for remark in said if _gives_up_its_weekday(remark, running[0], talk)]
    is_of_its_day = bool(talk.phrases.times(plain) & running[0].times)
    changes = is_of_its_day or bool(given_up) or any(talk.has(one, "moved", "correction") for one in said)
    wants_more = any(talk.phrases.wants_more(one.plain) for one in said if one not in given_up)
    if changes and len(beside) <= _FEW_MATTERS and not wants_more:
        yield running[0]


def _on_another_day(
    running: Sequence[ThreadWords], opened: Sequence[OpenThread], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“He's got football on Tuesdays now. Would another day be possible?” – “Thursday at five.” – “Yes.” ends
    the one series of Tuesdays; “I can't on Tuesday” is of one alone."""
    agreed = [one for one in opened if is_agreed(one)]
    asked = [one for one in talk.remarks if one.said_by == "user" and talk.has(one, "another_one")]
    positions = {remark.position for remark in asked}
    until = max((position for new in agreed for position in new.positions), default=-1)
    said = [one for one in talk.remarks if one.position in positions and one.position <= until]
    said = [one for one in said if talk.phrases.is_recurring(one.plain) and talk.has(one, "by_now")]
    days = frozenset[int]().union(*(_weekdays(one.text, talk.phrases) for one in said))
    of_its_day = [one for one in running if days & _weekdays(one.thread.text, talk.phrases)]
    if len(of_its_day) == 1 and any(not days & _weekdays(new.text, talk.phrases) for new in agreed):
        yield of_its_day[0]


def _weekdays(text: str, phrases: Phrases) -> frozenset[int]:
    plain = phrases.plain(text)
    return phrases.weekdays(plain) | phrases.weekdays(_singular(plain))


def _no_more(running: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“Tuesday won't do any more, could it be Friday?” ends the one series of Tuesdays, whatever follows."""
    said = [one for one in talk.remarks if one.said_by == "user" and talk.has(one, "no_more")]
    for clause in (part for remark in said for part in (*clauses(remark, talk), remark)):
        off = [one for one in running if _gives_up_its_weekday(clause, one, talk)]
        if len(off) == 1 and talk.has(clause, "no_more") and not talk.is_conditional(clause):
            yield off[0]


def _gives_up_its_weekday(remark: Remark, series: ThreadWords, talk: ThreadTalk) -> bool:
    """“Tuesday won't do any more.”, of “Every Tuesday at ten?” – “Yes.”"""
    is_off = remark.said_by == "user" and talk.has(remark, "unplanned", "cancelled", "refused")
    if not is_off or not is_agreed(series.thread):
        return False
    return bool(_weekdays(series.thread.text, talk.phrases) & _weekdays(remark.text, talk.phrases))


def _singular(plain: str) -> str:
    """“Tous les mardis”, “às terças”"""
    return _PLURAL.sub("", plain)


def _is_promised_for_a_day(thread: EarlierThread) -> bool:
    return thread.said_by == "agent" and thread.due is not None


def _is_promised_to_come(thread: EarlierThread, phrases: Phrases) -> bool:
    """“I'll move the money over next week.” is no visit that another day takes the place of."""
    said = phrases.marked(last_said(thread, phrases))
    return _is_promised_for_a_day(thread) and any(phrases.has(kind, said) for kind in _COMES)


def _is_visit(thread: EarlierThread, phrases: Phrases) -> bool:
    """Tell so of the agent's “I'll send someone about the boiler”, which “The boiler is cold” leaves open."""
    said = phrases.marked(last_said(thread, phrases)) if is_agents_promise(thread) else ""
    return phrases.has("visit", said)


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
    moving: Remark, thread: EarlierThread, agreed: Sequence[OpenThread], talk: ThreadTalk
) -> bool:
    """“Can I swap my crossing to the Sunday? I can't get off work Saturday.” means the one on Saturday."""
    if moving.said_by != "user" or thread.kind != "plan" or thread.due is None:
        return False
    weekday = thread.due.weekday()
    is_refused = any(talk.has(one, "no", "refused") for one in talk.after(moving)[:1])
    named = (weekday in talk.phrases.weekdays(one.plain) for one in talk.message(moving))
    return (
        not is_refused
        and any(named)
        and all(one.due is None or one.due.weekday() != weekday for one in agreed)
    )


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


def _is_opened_anew(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    ways = (
        _says_anew,
        _is_promised_again,
        _is_done_afresh,
        _is_wanted_by_another_day,
        _is_taken_up_again,
        _is_sent_back,
        _is_fetched_later,
    )
    return any(is_anew(one, new, talk) for is_anew in ways)


def _says_anew(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    phrases = talk.phrases
    if new.kind == "question" and one.thread.kind != "question":
        return False
    plain = phrases.plain(new.text)
    words, before = phrases.matters(plain) | phrases.times(plain), one.own | one.times
    shared = phrases.matters(plain) & one.own
    return bool(shared) and len(words & before) / len(words | before) >= _SAME


def _is_promised_again(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“I still haven't had the receipt.” – “I'll email it to you today.” takes the place of the first
    promise."""
    if not (is_agents_promise(one.thread) and new.kind == "promise" and new.said_by == "agent"):
        return False
    said = [
        r
        for r in talk.remarks
        if r.said_by == "user" and r.position in {*new.positions, new.positions[0] - 1}
    ]
    missed = [remark for remark in said if talk.has(remark, "not_done", "missed")]
    if not talk.matters(*missed).isdisjoint(one.own):
        return True
    asked = frozenset[str]().union(*(about_asked(remark, talk) for remark in missed))
    return not asked.isdisjoint(one.own) and _is_of(one, new, talk.matters(*said), talk.phrases)


def _is_wanted_by_another_day(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“You'll have the certificate on the 10th.” … “I need the certificate by the 3rd now.”"""
    is_wished = is_agents_promise(one.thread) and (new.kind, new.said_by) == ("request", "user")
    days = one.thread.due, new.due
    if not is_wished or None in days or days[0] == days[1]:
        return False
    wishes = (r for r in talk.remarks if r.said_by == "user" and r.position in new.positions)
    return any(
        talk.has(wish, *_BY_ANOTHER_DAY) and talk.phrases.telling(talk.matters(wish) & one.own)
        for wish in wishes
        if not talk.has(wish, "reminds")
    )


def _is_done_afresh(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“It's Tenerife now.” – “I'll redo the quote.” takes the place of “I'll put a quote together”."""
    is_agents = is_agents_promise(one.thread) and (new.kind, new.said_by) == ("promise", "agent")
    plain = talk.phrases.plain(new.text) if is_agents else ""
    is_afresh = talk.phrases.has("afresh", talk.phrases.marked(plain.rpartition(ANSWERED)[2]))
    return is_afresh and bool(talk.phrases.telling(talk.phrases.matters(plain) & one.own))


def _dated_instead(
    threads: Sequence[ThreadWords], opened: Sequence[OpenThread], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“You never rang, is it ready?” – “It'll be ready tomorrow.” takes the place of the call that was
    due last."""
    overdue = [one for one in threads if _is_a_call_overdue(one, talk)]
    latest = max((one.thread.due for one in overdue if one.thread.due), default=None)
    calls = [one for one in overdue if one.thread.due == latest]
    missed = {r.position for r in talk.remarks if r.said_by == "user" and talk.has(r, "not_told")}
    told = (one for one in opened if one.kind == "promise" and one.said_by == "agent" and one.due is not None)
    if len(calls) == 1 and any(
        not missed.isdisjoint({*one.positions, one.positions[-1] - 1}) for one in told
    ):
        yield calls[0]


def _is_a_call_overdue(one: ThreadWords, talk: ThreadTalk) -> bool:
    due = one.thread.due
    is_over = due is not None and due <= talk.remarks[0].said_on
    return is_over and is_promised_call(one.thread, talk.phrases)


def _is_taken_up_again(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“And the vaccination book?” – “I forgot, I'll bring it on Wednesday.” takes the place of the first
    promise, if nothing else is asked for."""
    is_users = _is_users_promise(one.thread) and new.kind == "promise" and new.said_by == "user"
    asked, is_exchange, answer = talk.phrases.plain(new.text).rpartition(ANSWERED)
    if not (is_users and is_exchange):
        return False
    about, promised = talk.phrases.matters(asked), promised_matters(answer, talk.phrases)
    points = talk.phrases.has("pointer", talk.phrases.marked(answer))
    if promised is None or not points or about.isdisjoint(one.own):
        return False
    return talk.phrases.is_nothing_but(about | promised, one.own | one.around)


def _is_sent_back(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“I'll email you the form.” … “I haven't had the form back yet.” – “I'll bring it on Monday.”: who can
    bring it has it."""
    asked, is_exchange, answer = talk.phrases.plain(undated(new.text)).rpartition(ANSWERED)
    if not (
        is_exchange and new.said_by == "user" and new.kind == "promise" and _is_sent(one.thread, talk.phrases)
    ):
        return False
    has, marked = talk.phrases.has, talk.phrases.marked(asked)
    is_missed = has("not_done", marked) or has("missed", marked)
    points = has("pointer", talk.phrases.marked(answer))
    return is_missed and points and not talk.phrases.matters(asked).isdisjoint(one.own)


def _is_fetched_later(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“You'll have it on Friday.” … on Friday: “I'll come and collect it tomorrow.”"""
    phrases, due = talk.phrases, one.thread.due
    is_users = new.said_by == "user" and new.kind in ("promise", "plan")
    if not (is_users and is_agents_promise(one.thread)) or due is None or new.due is None:
        return False
    plain, known = phrases.plain(new.text), phrases.plain(undated(one.thread.text))
    days = phrases.matters(" ".join(phrases.days(known, phrases.marked(known))))
    is_later = due <= talk.remarks[0].said_on < new.due
    return (
        is_later
        and phrases.has("to_fetch", phrases.marked(plain))
        and one.own - days <= phrases.matters(plain)
    )


def _is_of(one: ThreadWords, new: OpenThread, said: frozenset[str], phrases: Phrases) -> bool:
    """Tell whether a promise names what another one did, or points at it, and at nothing that was said
    besides: “I'll send it again.”"""
    plain = phrases.plain(new.text)
    marked, matters = phrases.marked(plain), phrases.matters(plain)
    points = phrases.has("pointer", marked) and not phrases.has("call_back", marked)
    return not matters.isdisjoint(one.own) or (points and matters.isdisjoint(said))


def _settled(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    if remark.said_by == "agent":
        yield from _reminded_of(remark, threads, talk)
        yield from _got_somebody(remark, threads, talk)
    is_question = talk.asks(remark) and not _says_done_and_asks(remark, talk)
    if is_question or _is_amiss(remark, talk) or _is_still_awaited(remark, talk):
        return
    if _says_done(remark, talk) or _answers_yes(remark, talk):
        meant = _of(remark, threads, talk)
        yield from (one for one in meant if _may_be_kept(one, remark, talk))
    elif _confirms(remark, talk):
        yield from _confirmed(remark, threads, talk)
    elif remark.said_by == "user" and talk.has_without(remark, "in_touch", "not_done"):
        yield from _of(remark, _to_ask(threads, talk), talk)
    elif talk.has(remark, "received"):
        others = [one for one in threads if not _is_users_promise(one.thread)]
        yield from _of(remark, others, talk)
    if remark.said_by == "user":
        yield from _in_use(remark, threads, talk)
        yield from _mended(remark, threads, talk)
        yield from _did_it(remark, threads, talk)
        yield from _did_something(remark, threads, talk)
        yield from _paid(remark, threads, talk)
        yield from _went(remark, threads, talk)
        yield from _asked_them(remark, threads, talk)
        yield from told_how_it_was(remark, threads, talk)
        kept = [one for one in threads if one.thread.said_by == "user" or _is_sent(one.thread, talk.phrases)]
        things = [one for one in kept if not _is_visit(one.thread, talk.phrases)]
        yield from told_as_it_is(remark, things, talk)
        events = [one for one in threads if one.thread.kind != "promise" or one in kept]
        yield from told_how_its_thing_was(remark, events, talk)
    if remark.said_by == "agent":
        yield from _by_agent(remark, threads, talk)
        yield from _done_on_the_spot(remark, threads, talk)
    else:
        yield from _answered_at_last(remark, threads, talk)
        yield from _told_at_last(remark, threads, talk)


def _is_amiss(remark: Remark, talk: ThreadTalk) -> bool:
    """Tell whether something is wrong with what is told: “Pete's been. Thing is, he'd brought the wrong
    pump.”"""
    if remark.said_by == "agent":
        return False
    behind = talk.sentence_after(remark)
    return any(talk.has(one, "amiss") for one in (remark, behind) if one is not None)


def _is_still_awaited(remark: Remark, talk: ThreadTalk) -> bool:
    """“I haven't seen that voucher yet.” – “It's on its way.”"""
    is_word = remark.said_by == "agent" and talk.has(remark, "sent_off")
    return is_word and any(talk.has(one, "missed", "not_done") for one in talk.before(remark))


def _says_done_and_asks(remark: Remark, talk: ThreadTalk) -> bool:
    found = talk.find("done", remark.marked)
    return found is not None and asks_afterwards(talk, remark, found.start())


def _in_use(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Take “The link worked”, or of the one thing sent, “It all works”, where nothing else is spoken of."""
    if talk.has(remark, "works_all"):
        sent = [one for one in threads if _is_sent(one.thread, talk.phrases) or _is_wished(one.thread)]
        yield from sent if len(sent) == 1 else ()
    found = talk.find("works", remark.marked)
    if found is None:
        return
    said = talk.phrases.matters(remark.plain[found.start() : found.end()])
    if not talk.phrases.is_nothing_but(talk.matters(remark), said):
        return
    thing = talk.phrases.matters(remark.plain[found.start() : found.end()].rpartition(" ")[0])
    yield from (one for one in threads if thing & one.own and _is_sent(one.thread, talk.phrases))


def _mended(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I'll send someone about the boiler.” … “The boiler's fine now.”"""
    visits = [one for one in threads if _is_visit(one.thread, talk.phrases)]
    if talk.has(remark, "mended"):
        yield from (one for one in visits if talk.matters(remark) & one.own)


def _is_wished(thread: EarlierThread) -> bool:
    """“I'll send you a link.” – “To my mobile, please.”"""
    return (thread.kind, thread.said_by) == ("request", "user") and ANSWERED in thread.text


def _is_sent(thread: EarlierThread, phrases: Phrases) -> bool:
    """Tell whether something is sent; to ask or call somebody sends nothing."""
    if thread.kind != "promise" or thread.said_by != "agent":
        return False
    said = phrases.marked(phrases.plain(undated(thread.text)))
    return not any(phrases.has(kind, said) for kind in _OF_OTHERS)


def _says_done(remark: Remark, talk: ThreadTalk) -> bool:
    """“I've got the ticket, the train gets in at nine”: a promise in the same clause would undo it."""
    kinds: tuple[Kind, ...] = (*DONE, "thanked")
    said = [kind for kind in kinds if talk.has_without(remark, kind, "not_done")]
    return any(not _will_be(talk, remark, kind) for kind in said)


def _will_be(talk: ThreadTalk, remark: Remark, kind: Kind) -> bool:
    found = talk.find(kind, remark.marked)
    if found is None:
        return False
    said = min(around(remark.marked, found), quoting.clause(remark.marked, found.start()), key=len)
    return talk.phrases.has("promise", said) or talk.phrases.has("request", said)


def _did_it(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“Did you get round to it?” in the agent's first message means the user's one promise."""
    asked = talk.before(remark)
    opens = bool(asked) and asked[0].place == 0
    is_it = any(talk.has(one, "asked_whether_did") for one in asked)
    others = [one for one in asked if not talk.has(one, "asked_whether_did") and talk.matters(one)]
    mine = [one for one in threads if _is_users_promise(one.thread)]
    if opens and is_it and not others and len(mine) == 1 and talk.has(remark, "did_so"):
        yield from mine


def _did_something(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“How's the form for the camp?” – “I popped it through your door on Monday.”"""
    asked = [before for before in talk.before(remark) if talk.asks(before)]
    if len(asked) != 1 or not talk.has(remark, "deed") or talk.has(remark, "not_done", "missed", "promise"):
        return
    about = talk.matters(*asked)
    for one in threads:
        mine = one.thread.kind == "request" or _is_users_promise(one.thread)
        if mine and about & one.own:
            yield one


def _paid(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I'll transfer it when it's here.” – “And the bill?” – “I paid it straight away.” What is to be paid is
    that, if it is named."""
    if talk.asks(remark) or not talk.has_without(remark, "paid", "not_done"):
        return
    own = [one for one in threads if one.thread.said_by == "user" and one.thread.kind in ("promise", "plan")]
    found = ((one, talk.phrases.find("to_pay", _marked(one.thread, talk.phrases))) for one in own)
    due = [(one, one.own - talk.phrases.matters(pay[0])) for one, pay in found if pay is not None]
    about = talk.matters(remark, *talk.before(remark))
    named = [one for one, what in due if about & what]
    yield from named or (one for one, what in due if not what and len(due) == 1)


def _marked(thread: EarlierThread, phrases: Phrases) -> str:
    return phrases.marked(last_said(thread, phrases))


def _is_users_promise(thread: EarlierThread) -> bool:
    return thread.kind == "promise" and thread.said_by == "user"


def _went(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“Were you at the dentist's yesterday?” – “Yes, I was.” means the user's one plan for that day. So
    does a no: what did not happen is no plan any more."""
    went = talk.phrases.opens("yes", remark.marked) and not talk.has(remark, "not_done")
    if not went and not is_denied(talk, remark):
        return
    asked = [before for before in talk.before(remark) if talk.asks(before)]
    days = frozenset[date]().union(*(days_named(before, talk.phrases) for before in asked))
    over = [one for one in threads if one.thread.due in days and one.thread.due < remark.said_on]
    kinds = ("plan", "promise") if went else ("plan",)
    own = [one for one in over if one.thread.said_by == "user" and one.thread.kind in kinds]
    if len(own) == 1 and talk.matters(*asked) & (own[0].own | own[0].around):
        yield own[0]


def _asked_them(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I'll ask my husband about the kitchen.” … “My husband wants the kitchen in white.”"""
    if talk.asks(remark) or talk.has(remark, *_STILL_OPEN):
        return
    about = talk.matters(remark)
    yield from (one for one in _to_ask(threads, talk) if len(about & one.own) >= WHOM_AND_WHAT)


def _to_ask(threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    return [one for one in threads if _is_users_promise(one.thread) and is_to_ask(one.thread, talk.phrases)]


def _answers_yes(remark: Remark, talk: ThreadTalk) -> bool:
    asked = [r for r in talk.before(remark) if _may_ask(r, talk)]
    is_yes = talk.phrases.opens("yes", remark.marked) or talk.has(remark, "did_so")
    is_answer = is_yes and any(talk.has(r, "asked_whether_done") for r in asked)
    is_answer = is_answer or (talk.has(remark, "did_so") and any(asks_whether_done(r, talk) for r in asked))
    is_there = any(talk.has(r, "asked_ready") for r in asked) and talk.phrases.opens("it_is", remark.marked)
    is_answer = is_answer or is_there
    return is_answer and not (talk.has(remark, "not_done") or _says_nearly(remark, talk))


def _confirms(remark: Remark, talk: ThreadTalk) -> bool:
    is_yes = talk.phrases.opens("yes", remark.marked) or talk.has(remark, "did_so")
    is_first = remark == talk.message(remark)[0] and bool(_asked_by_tone(remark, talk))
    is_open = talk.has(remark, "not_done", "missed", "promise") or _says_nearly(remark, talk)
    return is_yes and is_first and not is_open


def _says_nearly(remark: Remark, talk: ThreadTalk) -> bool:
    """“Yes, nearly.”, “Yes, I think so.”, not “Yes, I think it went out this morning.”"""
    return talk.has(remark, "nearly") and len(remark.text.split()) <= _BRIEF_NEARLY


def _asked_by_tone(remark: Remark, talk: ThreadTalk) -> list[Remark]:
    """“And the deposit went through?” asks by its mark alone."""
    asked = talk.before(remark)[-1:]
    told = [r for r in asked if talk.asks(r) and not talk.has(r, "in_writing")]
    return [r for r in told if tells_of_the_past(r.text, talk.phrases.tag)]


def _confirmed(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Take the promises of which it asks, and nothing else: “So the invoice was wrong?” asks something
    else."""
    for asked in _asked_by_tone(remark, talk):
        about = talk.undated(asked)
        for one in threads:
            is_of_it = about & one.own and talk.phrases.is_nothing_but(about, one.own | one.around)
            if one.thread.kind == "promise" and is_of_it and not one.is_due_after(remark.said_on):
                yield one


def _may_ask(remark: Remark, talk: ThreadTalk) -> bool:
    """Where nobody punctuates, a question may follow: “yeah perfect did you get my deposit”."""
    return talk.asks(remark) or not remark.text.endswith((".", "!", "…"))


def _of(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """Take what has a word for its own, or else the first before which it was said: of two promises after
    “The boiler's dead” that one is about it. A plan is not about what it answered."""
    compounds, names = talk.phrases.file.compounds, names_done(remark, talk)
    asked = talk.matters(*talk.before(remark)) if remark.said_by == "user" else frozenset[str]()
    meant = set[int]()
    for word in about_asked(remark, talk):
        own = [n for n, one in enumerate(threads) if _has(word, one.own, compounds=compounds)]
        if compounds and not own and word in asked:
            longer = [n for n, one in enumerate(threads) if _specifies(word, one.own)]
            own = longer if len(longer) == 1 else []
        others = (n for n, one in enumerate(threads) if one.thread.kind != "plan" and word in names)
        around = (n for n in others if _has(word, threads[n].around, compounds=compounds))
        meant.update(own or islice(around, 1))
    return [threads[n] for n in sorted(meant)] or _of_the_sum(remark, threads, talk)


def _of_the_sum(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """Take the promise to repay the sum that is there (“The twelve pounds arrived”), or, where no sum is
    named, the one there is (“The refund's here”, not “… but only half”)."""
    sums, is_refund = talk.phrases.sums(remark.plain), talk.has(remark, "refund")
    beside = talk.beside(remark, "repays") & talk.beside(remark, "refund")
    goes_against = talk.phrases.behind_but(remark.marked) != remark.marked
    is_of_it = talk.phrases.is_nothing_but(beside, frozenset())
    if not (sums or is_refund) or not is_of_it or goes_against or talk.has(remark, "has_paid"):
        return []
    promised = [one for one in threads if is_agents_promise(one.thread) and _repays(one, talk.phrases)]
    if not sums:
        return promised if len(promised) == 1 else []
    return [one for one in promised if sums & talk.phrases.sums(talk.phrases.plain(one.thread.text))]


def _repays(one: ThreadWords, phrases: Phrases) -> bool:
    return phrases.has("repays", phrases.marked(phrases.plain(one.thread.text)))


def _has(word: str, words: frozenset[str], *, compounds: bool) -> bool:
    return word in words or (compounds and any(_shortens(word, long) for long in words))


def _specifies(word: str, words: frozenset[str]) -> bool:
    """“Hast du das Linsenrezept bekommen?” means “Ich suche dir ein Rezept raus.”"""
    return any(len(short) >= _COMPOUNDED and _shortens(short, word) for short in words)


def _shortens(short: str, long: str) -> bool:
    """“Der Bogen ist da” means the “Anmeldebogen”."""
    return long.endswith(short) and len(long) - len(short) >= _COMPOUNDED


def _may_be_kept(one: ThreadWords, remark: Remark, talk: ThreadTalk) -> bool:
    """“I bought the tickets” is not the journey ahead; what is done once of a series leaves the rest."""
    if one.thread.kind in ("plan", "request") and is_series(one.thread, talk.phrases):
        return False
    is_ahead = one.thread.kind == "plan" and one.is_due_after(remark.said_on)
    matters = talk.matters(remark)
    is_it = not matters.isdisjoint(one.own) and talk.phrases.is_nothing_but(matters, one.own | one.around)
    return not is_ahead or is_it


def _may_be_reminded_of(thread: EarlierThread) -> bool:
    return thread.kind == "request" or (thread.kind == "promise" and thread.said_by == "agent")


def _is_asked(thread: EarlierThread) -> bool:
    return thread.kind == "question" or (
        thread.kind == "promise" and thread.said_by == "agent" and f"?{ANSWERED}" in thread.text
    )


def _by_agent(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    about = talk.matters(remark)
    if not talk.has(remark, "deferral", "promise", "waiting", "not_done"):
        for one in threads:
            if _is_asked(one.thread) and _is_enough(about, one.own):
                yield one
        yield from _begins_with_the_answer(remark, threads, talk)


def _done_on_the_spot(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“I forgot the voucher, can I do that over the phone?” – “Yes, forty pounds. Done.”"""
    is_done = len(remark.text.split()) == 1 and talk.says_done(remark) and not talk.has(remark, "heard")
    asked = (
        talk.before(remark) if is_done and talk.phrases.opens("yes", talk.message(remark)[0].marked) else ()
    )
    about = talk.matters(*asked)
    yield from (one for one in threads if one.thread.kind != "plan" and about & one.own)


def _begins_with_the_answer(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“I'll ring the dentist and let you know.” – “It's Nora. The dentist has Tuesday at half seven free.”"""
    if remark.position != talk.remarks[0].position or not talk.has(remark, *_ANSWERS):
        return
    about = talk.matters(remark)
    promised = [one for one in threads if is_agents_promise(one.thread)]
    yield from (
        one
        for one in promised
        if about & (one.own | one.around) and _is_to_be_heard(one.thread, talk.phrases)
    )


def _got_somebody(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I'll get a roofer to quote and let you know.” – “The roofer can come on Friday.”"""
    if not talk.has(remark, *_ANSWERS) or talk.has(remark, *_STILL_OPEN):
        return
    about = talk.phrases.telling(talk.undated(remark))
    promised = [one for one in threads if is_agents_promise(one.thread) and about & one.own]
    yield from (one for one in promised if _is_to_be_heard(one.thread, talk.phrases))


def _answered_at_last(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“You were going to ring about the courtesy car.” – “Sorry, yes. You get the Polo.”"""
    about = talk.matters(remark)
    promised = [one for one in threads if is_agents_promise(one.thread)]
    to_hear = [one for one in promised if _is_to_be_heard(one.thread, talk.phrases)] if about else []
    replies = talk.after(remark) if to_hear else ()
    is_open = any(talk.asks(one) or talk.has(one, *_STILL_OPEN) for one in replies)
    if talk.matters(*replies) and not is_open and talk.has(remark, "reminding"):
        yield from (one for one in to_hear if about & one.own)


def _is_to_be_heard(thread: EarlierThread, phrases: Phrases) -> bool:
    """Tell whether nothing is promised but word of it: to ask, ring, write."""
    said = phrases.marked(last_said(thread, phrases))
    return any(phrases.has(kind, said) for kind in (*_OF_OTHERS, "be_told"))


def _reminded_of(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Take what the agent does that was asked: “You wanted a nudge about the butcher, didn't you?”"""
    if talk.has(remark, "reminding") and not talk.has(remark, "promise", "offer"):
        about = talk.matters(remark)
        yield from (one for one in threads if _may_be_reminded_of(one.thread) and about & one.own)


def _told_at_last(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“How many guests?” – “I'll tell you next time.” – “There will be thirty.”"""
    if talk.has(remark, "deferral", "promise", "answer_later", "doubt", "not_done"):
        return
    if talk.matters(remark) or talk.phrases.times(remark.plain):
        about = about_asked(remark, talk)
        yield from (one for one in threads if one.put_off and _is_enough(about, one.put_off))


def _is_enough(said: frozenset[str], asked: frozenset[str]) -> bool:
    return len(said & asked) >= min(_ENOUGH, max(1, len(asked)))
