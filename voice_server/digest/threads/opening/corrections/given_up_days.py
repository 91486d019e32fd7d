"""A day that was named, and is given up for another that is agreed on.

“Bring it tomorrow morning.” – “Tomorrow I'm working. Monday's my day off.” – “Monday at nine.” leaves Monday
alone: neither what was said of tomorrow, nor why it will not do.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from voice_server.digest.dates.dates import begins_to_take_back
from voice_server.digest.threads.opening.appointments.hours_instead import offered_instead
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.corrections.objections import OBJECTIONS
from voice_server.digest.threads.speech.due import days_named, due_day, whole_day
from voice_server.digest.threads.speech.phrases import Kind
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import puts_right
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_TAKEN: tuple[Kind, ...] = ("taken", "stays", "booked", "noted", "done")
_AGAINST: tuple[Kind, ...] = (*OBJECTIONS, "correction")
_REFUSALS: tuple[Kind, ...] = ("refused", "cancelled", "no")  # “It'll rain tomorrow.” is none of the agent's
_FEW_MATTERS = 1  # of “Monday's my day off.”
_SOON = 3  # messages
_NEAR = 4  # remarks of a message that are looked at: more would cost a long one its length cubed


def without_given_up(talk: ThreadTalk, found: Sequence[Candidate]) -> list[Candidate]:
    """Leave out what is of a day that was given up, and the reason why."""
    gone = {
        (place, day)
        for one in found
        if one.appointment and one.thread.due and ANSWERED in one.thread.text
        for place, day in _given_up_for(talk, one)
    }
    dated = [one for one in found if one.appointment and one.thread.due]
    gone |= {
        (one.place, one.thread.due)
        for number, new in enumerate(dated)
        for one in dated[max(0, number - _NEAR) : number]
        if one.thread.due and _is_thought_again(talk, one, new)
    }
    return [one for one in found if not (one.thread.due and (one.place, one.thread.due) in gone)]


def _is_thought_again(talk: ThreadTalk, one: Candidate, new: Candidate) -> bool:
    """“Saturday the fifth. In the morning?” – “Yes. Oh no, wait, that's too tight.” – “Friday at six?” –
    “Yes.”"""
    is_soon = new.thread.positions[0] - one.position <= _SOON
    if not is_soon or ANSWERED not in new.thread.text or not new.has_hour:
        return False
    between = talk.remarks[one.place + 1 : new.places[0]]
    return any(said.said_by == "user" and puts_right(talk, said) for said in between)


def is_thought_better_of(talk: ThreadTalk, remark: Remark) -> bool:
    """“On the 29th. Well, the 30th.” names the 29th for nothing."""
    then, phrases = talk.sentence_after(remark), talk.phrases
    if then is None or not begins_to_take_back(then.text, phrases.tag) or phrases.wants_more(then.plain):
        return False
    is_bare = not talk.undated(remark) - phrases.numbers_in_words(remark.plain)
    readings = (phrases.numbers, phrases.weekdays)
    days = [(read(remark.plain), read(then.plain)) for read in readings]
    return is_bare and any(bool(named) and not other <= named for named, other in days)


def without_refused_hours(talk: ThreadTalk, found: Sequence[Candidate]) -> list[Candidate]:
    """Leave out “We have Friday at three.” – “At three, no, I pick up the kids.”, where half past eleven is
    agreed on."""
    agreed = (one for one in found if one.appointment and one.thread.due and len(one.places) > 1)
    instead = (offered_instead(talk, talk.remarks[one.places[0]]) for one in agreed)
    gone = {(said.place, one.day) for one in instead if one for said in (one.offer, *one.against)}
    return [one for one in found if not (one.thread.due and (one.place, one.thread.due) in gone)]


def _given_up_for(talk: ThreadTalk, agreed: Candidate) -> Iterator[tuple[int, date]]:
    """Yield the places of what is of a day that the agreed one takes the place of, with that day."""
    first = talk.remarks[agreed.places[0]]
    if len(talk.undated(first)) > _FEW_MATTERS or not _names(talk, first, agreed.thread.due):
        return
    near = talk.remarks[max(0, first.place - _NEAR) : first.place + 1]
    for turning in (one for one in near if first.position - one.position <= 1):
        for said in _said_before(talk, turning):
            day = whole_day(said, talk.phrases) or due_day(said, talk.phrases)
            if day not in (None, agreed.thread.due) and _gives_up(talk, said, day, turning, first):
                yield said.place, day
                if not _is_a_plan(talk, turning):
                    yield turning.place, day


def _said_before(talk: ThreadTalk, turning: Remark) -> Iterator[Remark]:
    replied_to = talk.before(turning)[-_NEAR:]
    yield from replied_to
    if replied_to:
        yield from talk.before(replied_to[0])[-_NEAR:]


def _gives_up(talk: ThreadTalk, said: Remark, day: date, turning: Remark, first: Remark) -> bool:
    """“We're closed on Wednesdays.” – “Thursday, then.”, “Tomorrow I've got the physio. Thursday, maybe?”,
    “Oh no, I'm working tomorrow, Friday.”, not “Tomorrow's fine. Can I bring Ann on Thursday?”"""
    if not _names(talk, turning, day) or talk.asks(turning) or talk.phrases.wants_more(turning.plain):
        return False
    if talk.phrases.behind_but(turning.marked) != turning.marked:
        return False  # “Tomorrow I'm at work, but leave it outside.”
    against = _AGAINST if turning.said_by == "user" else _REFUSALS
    says_no = puts_right(talk, turning) or talk.has(turning, *against)
    wants_both = turning.said_by == first.said_by and talk.phrases.wants_more(first.plain)
    if turning.said_by == said.said_by or wants_both:
        return says_no and not wants_both
    is_taken = talk.phrases.opens("yes", turning.marked) or talk.has(turning, *_TAKEN)
    return not is_taken and (says_no or turning.position == first.position)


def _is_a_plan(talk: ThreadTalk, turning: Remark) -> bool:
    """“Tomorrow I have to pick my sister up from the airport.”, not “Tomorrow I'm working.”"""
    return len(talk.undated(turning)) > _FEW_MATTERS and not talk.has(turning, *_AGAINST)


def _names(talk: ThreadTalk, remark: Remark, day: date | None) -> bool:
    if day is None:
        return False
    return day in days_named(remark, talk.phrases) or day.weekday() in talk.phrases.weekdays(remark.plain)
